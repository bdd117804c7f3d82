/* SPDX-License-Identifier: Apache-2.0 */
/* What happens in a cycle of a table, as a line. */
#include "verify/conform/table.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  char *text;
  size_t size;
} line_t;

__attribute__((format(printf, 2, 3))) static void say(const line_t *l, const char *format, ...) {
  const size_t n = strlen(l->text);
  va_list ap;
  va_start(ap, format);
  vsnprintf(l->text + n, l->size - n, format, ap);
  va_end(ap);
}

static void say_read(const line_t *l, const conform_has_t *has, const conform_in_t *in,
                     const conform_out_t *out) {
  static const char *const why[] = {"", " (no entry)", " (no place)", " (busy)"};
  say(l, "; read 0x%" PRIx64 " tag 0x%" PRIx64, in->read_addr_i, in->read_tag_i);
  if (!out->read_ready_o)
    say(l, " refused%s", has->refuse ? why[out->read_refuse_o & 3] : "");
  else if (has->merge)
    say(l, "%s", out->read_merge_o ? " merges" : " allocates");
  else
    say(l, " accepted");
  if (out->read_ready_o && has->ticket) say(l, " e%" PRIu64, out->read_ticket_o);
}

void conform_say(const contract_setup_t *s, const uint64_t *in_row, const uint64_t *out_row,
                 char *text, size_t size) {
  const conform_in_t *in = (const conform_in_t *)(const void *)in_row;
  const conform_out_t *out = (const conform_out_t *)(const void *)out_row;
  const conform_cfg_t *c = conform_sizes(s->cfg);
  const conform_has_t *has = conform_has(s);
  const line_t line = {text, size}, *l = &line;
  if (!in->srst_ni) {
    say(l, "; reset");
    return;
  }
  if (in->fill_valid_i) {
    say(l, "; fill 0x%" PRIx64, in->fill_addr_i);
    if (has->ticket || has->line_ticket) say(l, " e%" PRIu64, in->fill_ticket_i);
    if (has->fill_ready && !out->fill_ready_o) say(l, " not taken");
  }
  for (unsigned w = 0; w < c->WAYS; w++) {
    if (!(out->answer_valid_o >> w & 1)) continue;
    say(l, "; answer tag 0x%" PRIx64, conform_way(out->answer_tag_o, w, c->TAG_W));
    if (has->answer_addr) say(l, " of 0x%" PRIx64, conform_way(out->answer_addr_o, w, c->ADDR_W));
  }
  if (out->answer_valid_o && !in->answer_ready_i) say(l, " not taken");
  if (in->read_valid_i) say_read(l, has, in, out);
  if (has->line && out->line_valid_o) {
    say(l, "; asks for");
    if (has->line_addr) say(l, " 0x%" PRIx64, out->line_addr_o);
    if (has->line_ticket) say(l, " e%" PRIu64, out->line_ticket_o);
    if (!in->line_ready_i) say(l, " not taken");
  }
}
