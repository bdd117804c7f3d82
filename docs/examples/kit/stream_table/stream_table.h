/* SPDX-License-Identifier: Apache-2.0 */
/* stream_table: its types, made of the ports table. Page: stream_table.md. Verilog twin: stream_table.v. Nothing here needs a change. */
#ifndef STREAM_TABLE_H
#define STREAM_TABLE_H

#include "bits.h"
#include "module.h"

#define STEM stream_table
#define PORTS_FILE "ports/stream_table.ports.h"
#include "ports/declare.h"

#endif
