/* SPDX-License-Identifier: Apache-2.0 */
/* Where the instruction at a pc stands in its text, and in the source that .loc names. */
#ifndef PTX_WHERE_H
#define PTX_WHERE_H

#include "workload/ptx/ptx.h"

/* Where an instruction stands: its kernel, the text and the line. `text`: the line itself, `bytes` long
 * and without blanks around it. `source`: the file of the .loc above it, NULL if there is none. */
typedef struct {
  const char *kernel, *name, *text, *source;
  size_t bytes, source_bytes;
  uint32_t line, source_line;
} ptx_where_t;
/* False if no kernel has an instruction at `pc`. */
bool ptx_where(const ptx_module_t *m, uint32_t pc, ptx_where_t *where);

#endif
