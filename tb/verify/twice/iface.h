/* SPDX-License-Identifier: Apache-2.0 */
/* The class of any module, for `mrpb twice` (docs/verify/simulators.md): it describes the interface
 * and has nothing to run. */
#ifndef TWICE_IFACE_H
#define TWICE_IFACE_H

#include "bits.h"
#include "module.h"

#define STEM twice
#define PORTS_FILE "verify/twice/iface.ports.h"
#include "ports/declare.h"

#endif
