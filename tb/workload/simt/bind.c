/* SPDX-License-Identifier: Apache-2.0 */
/* Places the .global and .const variables of a module: docs/ptx.md, "Directives". */
#include "workload/simt/simt_state.h"

#include <string.h>

/* Writes initial values that are addresses, once all variables have their addresses. */
static void refer(const simt_setup_t *s) {
  ptx_reference_t r;
  for (unsigned i = 0; ptx_reference(s->module, i, &r); i++) {
    const ptx_variable_t *in = ptx_variable(s->module, r.in);
    const uint64_t value = ptx_referred(s->module, &r);
    uint8_t *to = in->space == PTX_CONST ? memory_const(s->memory) + in->address
                                         : memory_at(s->memory, in->address, in->bytes);
    memcpy(to + r.at, &value, r.bytes);
  }
}

/* Places a .const variable behind `from`. With `spread` it is aligned to its own size, as in
 * GPGPU-Sim 3.2.0, unless its alignment rules that out. */
static uint64_t place_constant(const ptx_variable_t *v, uint64_t from, bool spread) {
  const uint64_t unit = spread && v->bytes % v->align == 0 ? v->bytes : v->align;
  return (from + unit - 1) / unit * unit;
}

enum { CONST_FIRST = 0x100 }; /* GPGPU-Sim 3.2.0 begins here */

/* Whether the .const variables fit their memory if placed in this way. */
static bool constants_fit(const ptx_module_t *m, bool spread) {
  uint64_t end = spread ? CONST_FIRST : 0;
  for (unsigned i = 0; i < ptx_variables(m); i++) {
    const ptx_variable_t *v = ptx_variable(m, i);
    if (v->space == PTX_CONST) end = place_constant(v, end, spread) + v->bytes;
  }
  return end <= MEMORY_CONST;
}

/* Places a .global variable behind the arrays; 0 and a message on an error. */
static uint64_t allocate(const simt_setup_t *s, const ptx_variable_t *v, mrpb_err_t *err) {
  if (v->align > MEMORY_GRANULE) memory_align(s->memory, v->align);
  return memory_array(s->memory, v->name, v->bytes, err);
}

int simt_bind(const simt_setup_t *s, mrpb_err_t *err) {
  const bool spread = constants_fit(s->module, true);
  uint64_t constant = spread ? CONST_FIRST : 0;
  if (!spread && !constants_fit(s->module, false))
    return mrpb_fail(err, "the .const variables of the text have more than %d bytes", MEMORY_CONST);
  for (unsigned i = 0; i < ptx_variables(s->module); i++) {
    const ptx_variable_t *v = ptx_variable(s->module, i);
    uint8_t *to = NULL;
    uint64_t at = 0;
    if (v->texture || v->bytes == 0) continue;
    if (v->space == PTX_GLOBAL) {
      if ((at = allocate(s, v, err)) == 0) return -1;
      to = memory_at(s->memory, at, v->bytes);
    } else if (v->space == PTX_CONST) {
      at = place_constant(v, constant, spread);
      to = memory_const(s->memory) + at;
      constant = at + v->bytes;
    } else {
      continue;
    }
    if (v->init) memcpy(to, v->init, v->bytes);
    ptx_bind(s->module, i, at);
  }
  refer(s);
  return 0;
}
