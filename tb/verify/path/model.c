/* SPDX-License-Identifier: Apache-2.0 */
/* Processes the events of a cycle in this order: requests, memory's requests, answers, the flush;
 * then what is overdue. */
#include "verify/path/parts.h"

#include "bits.h"

#include <inttypes.h>
#include <string.h>

enum { LONG = 16 /* times patience */ };

void path_model_start(path_model_t *m, const path_cfg_t *cfg, const path_has_t *has, uint32_t off,
                      uint64_t seed) {
  m->cfg = *cfg;
  m->has = *has;
  m->off = off;
  m->seed = seed;
  m->patience = cfg->PATIENCE ? cfg->PATIENCE : 512 + 16 * cfg->LANES;
  bytes_start(&m->bytes, seed, cfg->LINE);
}

void path_broke(path_model_t *m, unsigned clause, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  contract_broke(&m->broken, m->off, clause, format, ap);
  va_end(ap);
}

path_request_t path_request(const path_cfg_t *c, const path_in_t *in, unsigned l) {
  return (path_request_t){.write = in->req_write_i >> l & 1,
                          .bypass = in->req_bypass_i >> l & 1,
                          .addr = words_get(in->req_addr_i, l * c->ADDR_W, c->ADDR_W),
                          .tag = words_get(in->req_tag_i, l * c->TAG_W, c->TAG_W),
                          .mask = words_get(in->req_mask_i, l * c->WORD, c->WORD),
                          .data = words_get(in->req_data_i, l * 8 * c->WORD, 8 * c->WORD)};
}

static void put_bit(uint64_t *word, unsigned bit, bool value) {
  *word = (*word & ~(UINT64_C(1) << bit)) | (uint64_t)value << bit;
}

void path_request_put(const path_cfg_t *c, path_in_t *in, unsigned l, const path_request_t *r) {
  put_bit(&in->req_write_i, l, r->write);
  put_bit(&in->req_bypass_i, l, r->bypass);
  words_put(in->req_addr_i, l * c->ADDR_W, c->ADDR_W, r->addr);
  words_put(in->req_tag_i, l * c->TAG_W, c->TAG_W, r->tag);
  words_put(in->req_mask_i, l * c->WORD, c->WORD, r->mask);
  words_put(in->req_data_i, l * 8 * c->WORD, 8 * c->WORD, r->data);
}

unsigned path_owner(const path_model_t *m, uint64_t addr) {
  return (unsigned)(bytes_hash(m->seed, addr / m->cfg.WORD) % m->cfg.THREADS);
}

void path_write_byte(path_model_t *m, uint64_t addr, uint8_t value) {
  const uint64_t at = addr & (m->cfg.LINE - 1);
  bytes_line_t *line = bytes_line(&m->bytes, addr - at, true);
  if (!line) return;
  const uint8_t had = line->byte[at].memory;
  switch (bytes_write(&m->bytes, &line->byte[at], value, m->cfg.REWRITE)) {
  case BYTES_OF_STORE:
    return;
  case BYTES_SAME:
    if (!m->cfg.REWRITE)
      path_broke(m, PATH_DOUBLED,
                 "byte 0x%" PRIx64 " is written to memory as 0x%02x, which memory has already",
                 addr, value);
    return;
  case BYTES_WRONG:
    if (line->byte[at].changed && value == line->byte[at].was)
      path_broke(m, PATH_KEPT,
                 "byte 0x%" PRIx64 " is written to memory as 0x%02x, what it was before another "
                 "device wrote it",
                 addr, value);
    path_broke(m, PATH_WRITTEN,
               "byte 0x%" PRIx64 " is written to memory as 0x%02x, where 0x%02x is; %s", addr,
               value, had,
               bytes_had(&line->byte[at], value) ? "that value is older" : "no store has it");
  }
}

void path_read_bytes(path_model_t *m, uint64_t addr, unsigned n, uint8_t *data) {
  bytes_line_t *line = NULL;
  for (unsigned i = 0; i < n; i++) {
    const uint64_t at = (addr + i) & (m->cfg.LINE - 1);
    if (i == 0 || at == 0) line = bytes_line(&m->bytes, addr + i - at, true);
    data[i] = line ? line->byte[at].memory : 0;
  }
}

static void reset(path_model_t *m) {
  for (unsigned i = 0; i < m->n_open; i++) {
    path_open_t *o = &m->of[m->open[i] / PATH_TAGS][m->open[i] % PATH_TAGS];
    *o = (path_open_t){.before = true};
  }
  bytes_reset(&m->bytes);
  m->n_open = m->memory.n = m->addresses.n = m->n_beats = 0;
  m->offered = m->offered_b = false;
  m->flushing = m->went_on = false;
  m->remaining = 0;
  m->answered = m->refused = m->stored = m->steps;
  m->seen.resets += m->seen.steady > 0;
  m->seen.steady = 0;
}

/* Whether the surroundings did their part in this cycle, and owe nothing. */
static bool is_step(const path_model_t *m, const path_in_t *in, const path_out_t *out) {
  if ((in->rsp_ready_i & path_lanes(&m->cfg)) != path_lanes(&m->cfg)) return false;
  return m->has.axi ? path_axi_step(m, in, out) : path_simple_step(m, in, out);
}

static void overdue(path_model_t *m) {
  const uint64_t longest = (uint64_t)LONG * m->patience;
  if (m->n_open == 0) m->answered = m->steps;
  const uint32_t oldest = m->n_open ? m->open[0] : 0;
  const path_open_t *o = &m->of[oldest / PATH_TAGS][oldest % PATH_TAGS];
  if (m->n_open && (m->steps - m->answered > m->patience || m->steps - o->steps > longest))
    path_broke(m, PATH_ANSWERED,
               "the %s of 0x%" PRIx64 " with tag 0x%x in lane %u is not answered for %" PRIu64
               " steps",
               o->write ? "store" : "load", o->addr, oldest % PATH_TAGS, oldest / PATH_TAGS,
               m->steps - o->steps);
  if (m->steps - m->refused > m->patience)
    path_broke(m, PATH_ACCEPTED,
               "requests are refused, and none is accepted, for %" PRIu64 " steps",
               m->steps - m->refused);
  if (m->flushing && m->steps - m->flush_steps > longest)
    path_broke(m, PATH_FLUSH, "a flush is not done for %" PRIu64 " steps",
               m->steps - m->flush_steps);
  if (!m->cfg.BACK && m->bytes.unwritten && m->steps - m->stored > m->patience)
    path_broke(m, PATH_LOST,
               "memory lacks the last stores of %" PRIu32 " bytes, %" PRIu64
               " steps after the last request",
               m->bytes.unwritten, m->steps - m->stored);
}

bool path_model_cycle(path_model_t *m, const path_in_t *in, const path_out_t *out) {
  m->cycle++;
  if (!in->srst_ni) {
    reset(m);
  } else {
    if (++m->seen.steady > m->seen.longest) m->seen.longest = m->seen.steady;
    m->steps += is_step(m, in, out);
    path_held(m, out);
    path_core_requests(m, in, out);
    if (m->has.axi)
      path_axi_cycle(m, in, out);
    else
      path_simple_cycle(m, in, out);
    path_core_answers(m, in, out);
    path_core_flush(m, in, out);
    overdue(m);
  }
  m->last_in = *in;
  m->last = *out;
  return m->broken.clause == 0;
}
