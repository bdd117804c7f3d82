/* SPDX-License-Identifier: Apache-2.0 */
/* The class of any module, for `mrpb twice` (docs/verify/simulators.md): what it looks like, and nothing that runs. */
#ifndef TWICE_IFACE_H
#define TWICE_IFACE_H

#include "bits.h"
#include "module.h"

#define STEM twice
#define PORTS_FILE "verify/twice/iface.ports.h"
#include "ports/declare.h"

#endif
