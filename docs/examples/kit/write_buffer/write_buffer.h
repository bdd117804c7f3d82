/* SPDX-License-Identifier: Apache-2.0 */
/* write_buffer: its types, made of the ports table. Page: write_buffer.md. Verilog twin: write_buffer.v. Nothing here needs a change. */
#ifndef WRITE_BUFFER_H
#define WRITE_BUFFER_H

#include "bits.h"
#include "module.h"

#define STEM write_buffer
#define PORTS_FILE "ports/write_buffer.ports.h"
#include "ports/declare.h"

#endif
