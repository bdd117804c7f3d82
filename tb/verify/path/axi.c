/* SPDX-License-Identifier: Apache-2.0 */
/* Memory behind AXI4. Reads and writes have no order. A read sees memory when it is taken, or when
 * its first beat is offered; a write takes effect with its last beat, or when its b is offered. Of
 * one kind and id they take effect in the order in which they were taken. */
#include "verify/path/parts.h"

#include "bits.h"

#include <inttypes.h>
#include <string.h>

enum { READS = 1, WRITES = 2, PAGE = 4096, ASCENDING = 1, WRAPPING = 2 };

/* ---- addresses of a burst ---- */

static uint64_t lowest(const owed_t *j) {
  const uint64_t beat = UINT64_C(1) << j->size;
  const uint64_t bytes = j->burst == WRAPPING ? beat * j->beats : beat;
  return j->addr & ~(bytes - 1);
}

/* The address of the first byte lane of a beat. */
static uint64_t beat_addr(const owed_t *j, unsigned k) {
  const uint64_t beat = UINT64_C(1) << j->size, low = lowest(j);
  if (j->burst != WRAPPING) return low + k * beat;
  return low + (j->addr - low + k * beat) % (beat * j->beats);
}

/* ---- what memory does ---- */

static void see(path_model_t *m, owed_t *j) {
  path_read_bytes(m, lowest(j), j->beats << j->size, j->data);
}

static void perform(path_model_t *m, owed_t *j) {
  for (unsigned i = 0; i < j->beats << j->size; i++)
    if (j->mask[i]) path_write_byte(m, lowest(j) + i, j->data[i]);
}

/* Whether the request keeps the rules, so that memory can do it. */
static bool check(path_model_t *m, const char *name, const owed_t *j) {
  const uint64_t bytes = (uint64_t)j->beats << j->size, low = lowest(j);
  const unsigned n = j->beats;
  if (j->burst != ASCENDING && j->burst != WRAPPING)
    path_broke(m, PATH_AXI, "%s of 0x%" PRIx64 ": burst %u; legal: 1, 2", name, j->addr, j->burst);
  else if (1u << j->size > m->cfg.BUS)
    path_broke(m, PATH_AXI, "%s of 0x%" PRIx64 ": beats of %u bytes; legal: %" PRIu32, name,
               j->addr, 1u << j->size, m->cfg.BUS);
  else if (j->burst == WRAPPING && n != 2 && n != 4 && n != 8 && n != 16)
    path_broke(m, PATH_AXI, "%s of 0x%" PRIx64 ": a wrapping burst of %u beats", name, j->addr, n);
  else if (low / PAGE != (low + bytes - 1) / PAGE)
    path_broke(m, PATH_AXI, "%s of 0x%" PRIx64 ": %" PRIu64 " bytes cross 4096", name, j->addr,
               bytes);
  else if (bytes > OWED_BYTES)
    path_broke(m, PATH_REQUEST, "%s of 0x%" PRIx64 ": %" PRIu64 " bytes; legal: %d", name, j->addr,
               bytes, (int)OWED_BYTES);
  else
    return true;
  return false;
}

/* An earlier request of its kind and id has not taken effect. */
static bool follows(const path_model_t *m, const owed_t *j) {
  for (const owed_t *k = m->memory.job; k < j; k++)
    if (k->write == j->write && k->id == j->id && k->late && !k->begun) return true;
  return false;
}

static owed_t *add(path_model_t *m, owed_list_t *to, uint64_t addr, uint64_t id, bool write) {
  owed_t *j = owed_add(to, addr, (uint32_t)id, write, m->cycle);
  if (!j) path_broke(m, PATH_REQUEST, "more than %d requests outstanding", (int)OWED_MOST);
  if (j) j->late = bytes_hash(m->seed, m->cycle) & 1;
  if (m->memory.most > m->seen.most) m->seen.most = m->memory.most;
  return j;
}

static void take_ar(path_model_t *m, const path_out_t *out) {
  owed_t *j = add(m, &m->memory, out->ar_addr_o, out->ar_id_o, false);
  if (!j) return;
  j->beats = (unsigned)out->ar_len_o + 1;
  j->size = (unsigned)out->ar_size_o;
  j->burst = (unsigned)out->ar_burst_o;
  m->seen.reads++;
  j->late |= follows(m, j);
  if (!check(m, "ar", j))
    owed_remove(&m->memory, j);
  else if (!j->late)
    see(m, j);
}

static void take_aw(path_model_t *m, const path_out_t *out) {
  owed_t *j = add(m, &m->addresses, out->aw_addr_o, out->aw_id_o, true);
  if (!j) return;
  j->beats = (unsigned)out->aw_len_o + 1;
  j->size = (unsigned)out->aw_size_o;
  j->burst = (unsigned)out->aw_burst_o;
  if (!check(m, "aw", j)) owed_remove(&m->addresses, j);
}

static void take_w(path_model_t *m, const path_out_t *out) {
  if (m->n_beats == PATH_BEATS) {
    path_broke(m, PATH_REQUEST, "more than %d beats of w without aw", (int)PATH_BEATS);
    return;
  }
  path_beat_t *b = &m->beat[m->n_beats++];
  for (unsigned i = 0; i < m->cfg.BUS; i++)
    b->data[i] = (uint8_t)words_get(out->w_data_o, 8 * i, 8);
  b->strobe = out->w_strb_o[0];
  b->last = out->w_last_o;
}

/* Gives a beat's bytes to its write. */
static void put_beat(path_model_t *m, owed_t *j, unsigned k, const path_beat_t *b) {
  const uint64_t at = beat_addr(j, k), size = UINT64_C(1) << j->size;
  const uint64_t lane = at & (m->cfg.BUS - 1);
  if (b->last != (k + 1 == j->beats))
    path_broke(m, PATH_AXI, "aw of 0x%" PRIx64 ", beat %u of %u: w_last is %d", j->addr, k + 1,
               j->beats, b->last);
  for (unsigned i = 0; i < m->cfg.BUS; i++) {
    if (!(b->strobe >> i & 1)) continue;
    const uint64_t byte = at + i - lane;
    if (i < lane || i >= lane + size || (k == 0 && byte < j->addr)) {
      path_broke(m, PATH_AXI, "aw of 0x%" PRIx64 ", beat %u: byte lane %u is outside it", j->addr,
                 k + 1, i);
      continue;
    }
    j->data[byte - lowest(j)] = b->data[i];
    j->mask[byte - lowest(j)] = true;
  }
}

/* The oldest write address gets its beats as soon as all of them are there. */
static void join(path_model_t *m) {
  while (m->addresses.n && m->n_beats >= m->addresses.job[0].beats) {
    owed_t *j = add(m, &m->memory, 0, 0, true);
    if (!j) return;
    const owed_t named = *j;
    *j = m->addresses.job[0];
    j->since = named.since;
    j->number = named.number;
    owed_remove(&m->addresses, m->addresses.job);
    for (unsigned k = 0; k < j->beats; k++) put_beat(m, j, k, &m->beat[k]);
    m->n_beats -= j->beats;
    memmove(m->beat, m->beat + j->beats, m->n_beats * sizeof m->beat[0]);
    m->seen.writes++;
    j->late |= follows(m, j);
    if (!j->late) perform(m, j);
  }
}

/* ---- answers ---- */

static void put_r(path_model_t *m, path_in_t *in, const owed_t *j) {
  const uint64_t at = beat_addr(j, j->beat), lane = at & (m->cfg.BUS - 1);
  in->r_id_i = j->id;
  in->r_last_i = j->beat + 1 == j->beats;
  for (unsigned i = 0; i < m->cfg.BUS; i++) {
    const bool of_beat = i >= lane && i < lane + (UINT64_C(1) << j->size);
    words_put(in->r_data_i, 8 * i, 8,
              of_beat ? j->data[at + i - lane - lowest(j)] : bytes_hash(m->cycle, i));
  }
}

static owed_t *next(path_model_t *m, bool held, bool drawn, uint64_t last, uint64_t id,
                    unsigned kinds) {
  if (!held && !drawn) return NULL;
  return owed_choose(&m->memory, (uint32_t)(held ? last : id), kinds, true);
}

/* The read of which a beat has been taken and others are owed; NULL: none. */
static const owed_t *partly_read(const path_model_t *m) {
  for (unsigned i = 0; i < m->memory.n; i++)
    if (!m->memory.job[i].write && m->memory.job[i].beat) return &m->memory.job[i];
  return NULL;
}

/* Without MIXED, a read that has begun is the one that is answered. */
static void unmix(path_model_t *m, path_in_t *in) {
  const owed_t *j = m->cfg.MIXED ? NULL : partly_read(m);
  if (!j || in->r_id_i == j->id) return;
  path_withhold(m, PATH_WITHHELD_MIXED, in->r_valid_i);
  in->r_id_i = j->id;
}

void path_axi_legal(path_model_t *m, path_in_t *in) {
  const bool on = in->srst_ni;
  unmix(m, in);
  owed_t *r = on ? next(m, m->offered, in->r_valid_i, m->last_in.r_id_i, in->r_id_i, READS) : NULL;
  owed_t *b =
      on ? next(m, m->offered_b, in->b_valid_i, m->last_in.b_id_i, in->b_id_i, WRITES) : NULL;
  if (r && !r->begun && r->late) see(m, r);
  in->r_valid_i = r != NULL;
  in->b_valid_i = b != NULL;
  in->b_id_i = b ? b->id : 0;
  if (m->offered && r) { /* what was not taken stays as it is */
    in->r_id_i = m->last_in.r_id_i;
    in->r_last_i = m->last_in.r_last_i;
    memcpy(in->r_data_i, m->last_in.r_data_i, sizeof in->r_data_i);
    return;
  }
  in->r_id_i = in->r_last_i = 0;
  memset(in->r_data_i, 0, sizeof in->r_data_i);
  if (r) put_r(m, in, r);
}

static void deliver(path_model_t *m, const path_in_t *in, const path_out_t *out) {
  owed_t *r = next(m, false, in->r_valid_i, 0, in->r_id_i, READS);
  const bool r_taken = !m->has.r_ready || out->r_ready_o;
  if (r) r->begun = true;
  m->offered = r && !r_taken;
  if (r && r_taken && ++r->beat == r->beats) {
    m->steps++;
    m->seen.overtaken += r != m->memory.job;
    owed_remove(&m->memory, r);
  }
  owed_t *b = next(m, false, in->b_valid_i, 0, in->b_id_i, WRITES);
  const bool b_taken = !m->has.b_ready || out->b_ready_o;
  if (b && !b->begun && b->late) perform(m, b);
  if (b) b->begun = true;
  m->offered_b = b && !b_taken;
  if (b && b_taken) owed_remove(&m->memory, b);
}

void path_axi_cycle(path_model_t *m, const path_in_t *in, const path_out_t *out) {
  deliver(m, in, out);
  if (out->ar_valid_o && in->ar_ready_i) take_ar(m, out);
  if (out->aw_valid_o && in->aw_ready_i) take_aw(m, out);
  if (out->w_valid_o && in->w_ready_i) take_w(m, out);
  join(m);
}

bool path_axi_step(const path_model_t *m, const path_in_t *in, const path_out_t *out) {
  if ((out->ar_valid_o && !in->ar_ready_i) || (out->aw_valid_o && !in->aw_ready_i) ||
      (out->w_valid_o && !in->w_ready_i))
    return false;
  return m->memory.n == 0 || (in->r_valid_i && m->has.r_ready && !out->r_ready_o) ||
         (in->b_valid_i && m->has.b_ready && !out->b_ready_o);
}
