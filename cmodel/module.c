/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by all modules, including those outside the tree (docs/kit.md). */
#include "module.h"

#include "bits.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void module_defaults(const module_class_t *cls, uint32_t *cfg) {
  for (unsigned i = 0; i < cls->n_params; i++) cfg[i] = cls->params[i].deflt;
}

int module_param_index(const module_class_t *cls, const char *name) {
  for (unsigned i = 0; i < cls->n_params; i++)
    if (strcmp(cls->params[i].name, name) == 0) return (int)i;
  return -1;
}

/* The output `name`, of n characters, or NULL. */
static const module_port_t *find_output(const module_class_t *cls, const module_port_t *out,
                                        const char *name, size_t n) {
  for (unsigned i = 0; i < cls->n_out; i++)
    if (strlen(out[i].name) == n && strncmp(out[i].name, name, n) == 0) return &out[i];
  return NULL;
}

int module_view_words(const module_class_t *cls, const uint32_t *cfg, const module_fast_t *view,
                      uint64_t *word, mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  cls->ports(cfg, in, out);
  memset(word, 0, (cls->out_words + 63) / 64 * sizeof *word);
  for (const char *s = view->outputs; *s; s += strspn(s, " ")) {
    size_t n = strcspn(s, " ");
    const module_port_t *p = find_output(cls, out, s, n);
    if (!p)
      return mrpb_fail(err, "%s: '%.*s' is no output of %s", view->name, (int)n, s, cls->stem);
    for (unsigned w = p->word; w < p->word + (p->width + 63) / 64; w++)
      word[w / 64] |= UINT64_C(1) << w % 64;
    s += n;
  }
  return 0;
}

const module_fast_t *module_step(const module_class_t *cls) {
  for (unsigned i = 0; i < cls->n_fast; i++)
    if (cls->fast[i].step) return &cls->fast[i];
  return NULL;
}

void *module_alloc(size_t bytes) {
  enum { LINE = 64 };
  size_t room = (bytes + LINE - 1) / LINE * LINE;
  void *memory = aligned_alloc(LINE, room);
  return memory ? memset(memory, 0, room) : NULL;
}

uint64_t module_reg_value(const module_reg_t *reg, unsigned i) {
  const unsigned char *from = (const unsigned char *)reg->data + (size_t)i * reg->elem_bytes;
  uint64_t v = 0;
  for (unsigned b = 0; b < reg->elem_bytes && b < sizeof v; b++) v |= (uint64_t)from[b] << 8 * b;
  return v;
}

void module_inside(const char *inst, module_reg_t *regs, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    char own[MODULE_MAX_NAME], *name = regs[i].name;
    unsigned at = 0;
    memcpy(own, name, sizeof own);
    for (const char *c = inst; *c && at + 2 < sizeof own; c++) name[at++] = *c;
    name[at++] = '.';
    for (const char *c = own; *c && at + 1 < sizeof own; c++) name[at++] = *c;
    name[at] = '\0';
  }
}

int module_refuse(const char *stem, const module_port_t *port, const uint64_t *words, unsigned room,
                  mrpb_err_t *err) {
  const unsigned n = (room + 63) / 64, width = port->width;
  for (unsigned w = n; w-- > 0;) {
    const uint64_t most = bits_mask(width > 64 * w ? width - 64 * w : 0);
    if ((words[w] & ~most) == 0) continue;
    if (n == 1)
      return mrpb_fail(err, "%s: %s = 0x%" PRIx64 ": the port has %u bits; legal: 0 to 0x%" PRIx64,
                       stem, port->name, words[0], width, most);
    return mrpb_fail(err,
                     "%s: %s, word %u = 0x%" PRIx64 ": the port has %u bits; legal there: 0 to "
                     "0x%" PRIx64,
                     stem, port->name, w, words[w], width, most);
  }
  return 0;
}

int module_check_ranges(const char *stem, const module_param_t *params, unsigned n,
                        const uint32_t *cfg, mrpb_err_t *err) {
  for (unsigned i = 0; i < n; i++) {
    const module_param_t *p = &params[i];
    if (cfg[i] < p->min || cfg[i] > p->max)
      return mrpb_fail(err, "ERROR_%s_%s_must_be_%u_to_%u (got %u)", stem, p->name, p->min, p->max,
                       cfg[i]);
  }
  return 0;
}
