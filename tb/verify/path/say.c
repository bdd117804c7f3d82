/* SPDX-License-Identifier: Apache-2.0 */
/* What happens in a cycle of a path, as a line. */
#include "verify/path/path.h"
#include "bits.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  const path_cfg_t *c;
  const path_has_t *has;
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

/* Bytes from the highest on, as a number; ".." for those that do not count. */
static void say_bytes(const line_t *l, const uint64_t *words, unsigned n, const uint64_t *mask) {
  enum { SHOWN = 16 };
  say(l, " ");
  if (n > SHOWN) say(l, "...");
  for (unsigned i = n > SHOWN ? SHOWN : n; i-- > 0;)
    if (mask && !(mask[i / 64] >> i % 64 & 1))
      say(l, "..");
    else
      say(l, "%02x", (unsigned)words_get(words, 8 * i, 8));
}

static void say_lane(const line_t *l, unsigned lane) {
  if (l->c->LANES > 1) say(l, " lane %u", lane);
}

static void requests(const line_t *l, const path_in_t *in, const path_out_t *out) {
  for (unsigned i = 0; i < l->c->LANES; i++) {
    if (!(in->req_valid_i >> i & 1)) continue;
    const path_request_t r = path_request(l->c, in, i);
    say(l, "; %s", r.write ? "store" : "load");
    say_lane(l, i);
    say(l, " 0x%" PRIx64, r.addr);
    if (r.write) say_bytes(l, &r.data, l->c->WORD, &r.mask);
    if (!r.write || l->c->ACKS) say(l, " tag 0x%" PRIx64, r.tag);
    if (r.bypass) say(l, " around the cache");
    if (!(out->req_ready_o >> i & 1)) say(l, " refused");
  }
}

static void answers(const line_t *l, const path_in_t *in, const path_out_t *out) {
  for (unsigned i = 0; i < l->c->LANES; i++) {
    uint64_t word = 0;
    if (!(out->rsp_valid_o >> i & 1)) continue;
    word = words_get(out->rsp_data_o, i * 8 * l->c->WORD, 8 * l->c->WORD);
    say(l, "; answer");
    say_lane(l, i);
    say(l, " tag 0x%" PRIx64, words_get(out->rsp_tag_o, i * l->c->TAG_W, l->c->TAG_W));
    say_bytes(l, &word, l->c->WORD, NULL);
    if (!(in->rsp_ready_i >> i & 1)) say(l, " not taken");
  }
}

static void simple(const line_t *l, const path_in_t *in, const path_out_t *out) {
  const bool write = l->has->mem_write && out->mem_write_o;
  if (in->mem_rsp_valid_i) {
    say(l, "; memory answers");
    if (l->has->mem_id) say(l, " #%" PRIx64, in->mem_rsp_id_i);
    if (!in->mem_rsp_write_i) say_bytes(l, in->mem_rsp_data_i, l->c->LINE, NULL);
    if (l->has->mem_rsp_ready && !out->mem_rsp_ready_o) say(l, " not taken");
  }
  if (!out->mem_valid_o) return;
  say(l, "; %s 0x%" PRIx64, write ? "writes" : "reads", out->mem_addr_o);
  if (l->has->mem_id) say(l, " #%" PRIx64, out->mem_id_o);
  if (write) say_bytes(l, out->mem_data_o, l->c->LINE, l->has->mem_mask ? out->mem_mask_o : NULL);
  if (!in->mem_ready_i) say(l, " not taken");
}

static void axi(const line_t *l, const path_in_t *in, const path_out_t *out) {
  if (in->r_valid_i) {
    say(l, "; r #%" PRIx64, in->r_id_i);
    say_bytes(l, in->r_data_i, l->c->BUS, NULL);
    say(l, "%s%s", in->r_last_i ? " last" : "",
        l->has->r_ready && !out->r_ready_o ? " not taken" : "");
  }
  if (in->b_valid_i)
    say(l, "; b #%" PRIx64 "%s", in->b_id_i,
        l->has->b_ready && !out->b_ready_o ? " not taken" : "");
  if (out->ar_valid_o)
    say(l, "; ar 0x%" PRIx64 " #%" PRIx64 " of %" PRIu64 "%s", out->ar_addr_o, out->ar_id_o,
        out->ar_len_o + 1, in->ar_ready_i ? "" : " not taken");
  if (out->aw_valid_o)
    say(l, "; aw 0x%" PRIx64 " #%" PRIx64 " of %" PRIu64 "%s", out->aw_addr_o, out->aw_id_o,
        out->aw_len_o + 1, in->aw_ready_i ? "" : " not taken");
  if (out->w_valid_o) {
    say(l, "; w");
    say_bytes(l, out->w_data_o, l->c->BUS, out->w_strb_o);
    say(l, "%s%s", out->w_last_o ? " last" : "", in->w_ready_i ? "" : " not taken");
  }
}

void path_say(const contract_setup_t *s, const uint64_t *in_row, const uint64_t *out_row,
              char *text, size_t size) {
  const path_in_t *in = (const path_in_t *)(const void *)in_row;
  const path_out_t *out = (const path_out_t *)(const void *)out_row;
  const line_t l = {path_sizes(s->cfg), path_has(s), text, size};
  if (!in->srst_ni) {
    say(&l, "; reset");
    return;
  }
  if (in->flush_i) say(&l, "; flush%s", out->flush_done_o ? " done" : "");
  requests(&l, in, out);
  if (l.has->axi)
    axi(&l, in, out);
  else
    simple(&l, in, out);
  answers(&l, in, out);
}
