/* SPDX-License-Identifier: Apache-2.0 */
/* The side of the cores. */
#include "verify/path/parts.h"

#include "bits.h"

#include <inttypes.h>
#include <string.h>

/* ---- requests ---- */

static bytes_line_t *line_of(path_model_t *m, uint64_t addr) {
  return bytes_line(&m->bytes, addr & ~(uint64_t)(m->cfg.LINE - 1), true);
}

/* Notes that a request is unanswered, and what a load must return. */
static void open_one(path_model_t *m, unsigned lane, const path_request_t *r, bytes_line_t *line) {
  path_open_t *o = &m->of[lane][r->tag];
  const uint64_t at = r->addr & (m->cfg.LINE - 1);
  *o = (path_open_t){.open = true, .write = r->write, .addr = r->addr, .steps = m->steps};
  for (unsigned i = 0; i < m->cfg.WORD; i++) o->want[i] = line->byte[at + i].stored;
  if (path_owner(m, r->addr) != r->tag % m->cfg.THREADS) o->foreign = UINT8_MAX;
  m->open[m->n_open++] = lane * PATH_TAGS + (uint32_t)r->tag;
  line->open++;
}

static void accept_store(path_model_t *m, const path_request_t *r, bytes_line_t *line) {
  const uint64_t at = r->addr & (m->cfg.LINE - 1);
  for (unsigned i = 0; i < m->cfg.WORD; i++)
    if (r->mask >> i & 1) bytes_store(&m->bytes, &line->byte[at + i], (uint8_t)(r->data >> 8 * i));
  if (m->flushing) line->flush = m->flushes;
  m->seen.stores++;
  m->seen.partial += r->mask != bits_mask(m->cfg.WORD);
}

static void accept(path_model_t *m, unsigned lane, const path_request_t *r, bytes_line_t *line) {
  if (!r->write) {
    const bytes_byte_t *first = &line->byte[r->addr & (m->cfg.LINE - 1)];
    m->seen.loads++;
    m->seen.again += first->stored != first->memory;
  }
  m->of[lane][r->tag].before &= r->write && !m->cfg.ACKS;
  if (!r->write || m->cfg.ACKS) open_one(m, lane, r, line);
  if (r->write) accept_store(m, r, line);
}

void path_core_requests(path_model_t *m, const path_in_t *in, const path_out_t *out) {
  const uint64_t valid = in->req_valid_i, taken = valid & out->req_ready_o;
  for (int writes = 0; writes < 2; writes++) /* the loads of a cycle see none of its stores */
    for (unsigned l = 0; l < m->cfg.LANES; l++) {
      if (!(valid >> l & 1)) continue;
      const path_request_t r = path_request(&m->cfg, in, l);
      bytes_line_t *line = line_of(m, r.addr);
      if ((taken >> l & 1) && r.write == writes && line) accept(m, l, &r, line);
    }
  m->remaining = valid & ~taken;
  m->went_on = m->cfg.JOINT && m->remaining && (taken || m->went_on);
  m->seen.refused += m->remaining != 0;
  if (taken || !valid || m->flushing) m->refused = m->steps;
  if (valid) m->stored = m->steps;
}

/* ---- answers ---- */

static void take_out(path_model_t *m, unsigned lane, uint64_t tag) {
  const uint32_t name = lane * PATH_TAGS + (uint32_t)tag;
  unsigned i = 0;
  while (m->open[i] != name) i++;
  m->n_open--;
  memmove(&m->open[i], &m->open[i + 1], (m->n_open - i) * sizeof m->open[0]);
  m->of[lane][tag].open = false;
  m->answered = m->steps;
}

static void no_request(path_model_t *m, unsigned lane, uint64_t tag) {
  if (m->of[lane][tag].before)
    path_broke(m, PATH_RESET,
               "an answer with tag 0x%" PRIx64 " in lane %u, of a request from before the reset",
               tag, lane);
  for (unsigned l = 0; l < m->cfg.LANES; l++)
    if (m->of[l][tag].open)
      path_broke(m, PATH_LANE,
                 "an answer with tag 0x%" PRIx64 " in lane %u; the request is of lane %u", tag,
                 lane, l);
  path_broke(m, PATH_ONCE,
             "an answer with tag 0x%" PRIx64 " in lane %u, which no unanswered request has", tag,
             lane);
}

static void wrong_byte(path_model_t *m, const path_open_t *o, unsigned i, uint8_t got) {
  const bytes_line_t *line = line_of(m, o->addr);
  const bytes_byte_t *k = &line->byte[(o->addr + i) & (m->cfg.LINE - 1)];
  if (k->changed && got == k->was)
    path_broke(m, PATH_KEPT,
               "byte 0x%" PRIx64
               " is loaded as 0x%02x, what it was before another device wrote 0x%02x",
               o->addr + i, got, o->want[i]);
  path_broke(m, PATH_VALUE,
             "byte 0x%" PRIx64 " is loaded as 0x%02x; the last older store is "
             "0x%02x; %s",
             o->addr + i, got, o->want[i],
             got == k->memory    ? "memory has the value loaded"
             : bytes_had(k, got) ? "the value is older, or younger"
                                 : "the byte never had it");
}

static void check_load(path_model_t *m, const path_open_t *o, uint64_t word) {
  const bytes_line_t *line = line_of(m, o->addr);
  for (unsigned i = 0; i < m->cfg.WORD; i++) {
    const uint8_t got = (uint8_t)(word >> 8 * i);
    const bytes_byte_t *k = &line->byte[(o->addr + i) & (m->cfg.LINE - 1)];
    if (o->foreign ? !bytes_had(k, got) : got != o->want[i]) wrong_byte(m, o, i, got);
  }
}

void path_core_answers(path_model_t *m, const path_in_t *in, const path_out_t *out) {
  const path_cfg_t *c = &m->cfg;
  for (uint64_t left = out->rsp_valid_o & in->rsp_ready_i; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctzll(left);
    const uint64_t tag = words_get(out->rsp_tag_o, l * c->TAG_W, c->TAG_W);
    const path_open_t *o = &m->of[l][tag];
    if (!o->open) {
      no_request(m, l, tag);
      continue;
    }
    if (!o->write) check_load(m, o, words_get(out->rsp_data_o, l * 8 * c->WORD, 8 * c->WORD));
    line_of(m, o->addr)->open--;
    take_out(m, l, tag);
  }
}

/* ---- flushes ---- */

/* Another device writes half of the lines of which nothing is unanswered. */
static void change_lines(path_model_t *m) {
  for (unsigned i = 0; i < m->bytes.n; i++) {
    bytes_line_t *line = &m->bytes.line[i];
    const uint64_t drawn = bytes_hash(m->seed ^ m->flushes, line->addr);
    if (line->open || line->flush == m->flushes || drawn & 1) continue;
    bool stored = false;
    for (unsigned j = 0; j < m->cfg.LINE; j++)
      stored |= line->byte[j].stored != line->byte[j].memory;
    if (stored) continue;
    for (unsigned j = 0; j < m->cfg.LINE; j++)
      bytes_change(&line->byte[j], (uint8_t)bytes_hash(drawn, j));
    m->seen.changed++;
  }
}

/* The stores that were accepted before the flush began must be in memory. */
static void check_written(path_model_t *m) {
  for (unsigned i = 0; i < m->bytes.n && m->bytes.unwritten; i++) {
    const bytes_line_t *line = &m->bytes.line[i];
    for (unsigned j = 0; j < m->cfg.LINE && line->flush != m->flushes; j++)
      if (line->byte[j].stored != line->byte[j].memory)
        path_broke(m, PATH_LOST,
                   "the flush is done, but memory has 0x%02x in byte 0x%" PRIx64
                   "; the last store is 0x%02x",
                   line->byte[j].memory, line->addr + j, line->byte[j].stored);
  }
}

void path_core_flush(path_model_t *m, const path_in_t *in, const path_out_t *out) {
  if (!in->flush_i) return;
  if (!m->flushing) {
    m->flushing = true;
    m->flushes++;
    m->flush_steps = m->steps;
  }
  if (!out->flush_done_o) return;
  check_written(m);
  change_lines(m);
  m->flushing = false;
  m->seen.flushes++;
}
