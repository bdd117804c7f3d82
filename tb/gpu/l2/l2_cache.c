/* SPDX-License-Identifier: Apache-2.0 */
/* L2 slice: tags, LRU, MSHR table and the rules for reads and writes (write-back, write-allocate).
 */
#include "gpu/l2/l2_state.h"

/* ---- MSHR table ------------------------------------------------------------------------------ */

static uint32_t bucket_of(const l2_t *l2, uint64_t block) {
  return (uint32_t)(block ^ block >> 7) & l2->bucket_mask;
}

static uint32_t find(const l2_t *l2, uint64_t block) {
  uint32_t e = l2->bucket[bucket_of(l2, block)];
  while (e != NO_ENTRY && l2->mshr[e].block != block) e = l2->mshr[e].next;
  return e;
}

static void add(l2_t *l2, uint32_t e, packet_t *p) {
  l2_mshr_t *m = &l2->mshr[e];
  uint32_t at = m->first + m->count++;
  m->atomic |= p->atomic;
  if (at >= l2->cfg.mshr_merges) at -= l2->cfg.mshr_merges;
  l2->slots[e * l2->cfg.mshr_merges + at] = p;
}

static uint32_t claim(l2_t *l2, uint64_t block) {
  uint32_t e = l2->mshr_free, b = bucket_of(l2, block);
  l2_mshr_t *m = &l2->mshr[e];
  l2->mshr_free = m->next;
  *m = (l2_mshr_t){.block = block, .next = l2->bucket[b], .next_ready = NO_ENTRY};
  l2->bucket[b] = e;
  if (++l2->mshr_used > l2->stats.mshr_max) l2->stats.mshr_max = l2->mshr_used;
  return e;
}

static void release(l2_t *l2, uint32_t e) {
  uint32_t *link = &l2->bucket[bucket_of(l2, l2->mshr[e].block)];
  while (*link != e) link = &l2->mshr[*link].next;
  *link = l2->mshr[e].next;
  l2->mshr[e].next = l2->mshr_free;
  l2->mshr_free = e;
  l2->mshr_used--;
}

packet_t *l2_next_ready(l2_t *l2) {
  uint32_t e = l2->ready_head;
  l2_mshr_t *m = &l2->mshr[e];
  packet_t *p = l2->slots[e * l2->cfg.mshr_merges + m->first];
  l2->waiting--;
  if (++m->first == l2->cfg.mshr_merges) m->first = 0;
  if (--m->count == 0) {
    l2->ready_head = m->next_ready;
    if (l2->ready_head == NO_ENTRY) l2->ready_tail = NO_ENTRY;
    release(l2, e);
  }
  return p;
}

/* The requests of entry `e` get their bytes in order, then the line gets its bytes. */
static void fill_data(l2_t *l2, uint32_t e, packet_t *p) {
  const l2_mshr_t *m = &l2->mshr[e];
  check_l2_returned(l2->check, l2->partition, e, p);
  for (uint32_t i = 0; i < m->count; i++) {
    uint32_t at = (m->first + i) % l2->cfg.mshr_merges;
    check_l2_serve(l2->check, l2->partition, e, l2->slots[e * l2->cfg.mshr_merges + at]);
  }
  check_l2_fill(l2->check, l2->partition, e, p->l2_line);
}

void l2_fill(l2_t *l2, packet_t *p) {
  p->bytes = p->l2_bytes;
  p->fills = false;
  uint32_t e = find(l2, p->local >> l2->line_log2);
  l2->state[p->l2_line] = l2->mshr[e].atomic ? L2_MODIFIED : L2_VALID;
  l2->mshr[e].filled = true;
  if (l2->check) fill_data(l2, e, p);
  if (l2->ready_tail == NO_ENTRY)
    l2->ready_head = e;
  else
    l2->mshr[l2->ready_tail].next_ready = e;
  l2->ready_tail = e;
  l2->waiting++;
}

/* ---- tags ------------------------------------------------------------------------------------ */

typedef enum { PROBE_HIT, PROBE_RESERVED, PROBE_MISS, PROBE_FULL } probe_t;

static uint32_t set_of(const l2_t *l2, uint64_t block) {
  return (uint32_t)(block & (l2->cfg.sets - 1));
}

/* The last invalid way, else the least recently used way that does not wait for a fill (lowest on a
 * tie). A line never becomes invalid, so the invalid ways of a set are its first ones. */
static probe_t find_victim(const l2_t *l2, uint32_t set, uint32_t *line) {
  const uint32_t base = set * l2->cfg.ways, invalid = l2->invalid_ways[set];
  uint64_t used = UINT64_MAX;
  if (invalid > 0) {
    *line = base + invalid - 1;
    return PROBE_MISS;
  }
  *line = UINT32_MAX;
  for (uint32_t i = base; i < base + l2->cfg.ways; i++) {
    if (l2->used_at[i] >= used || l2->state[i] == L2_RESERVED) continue;
    used = l2->used_at[i];
    *line = i;
  }
  return *line == UINT32_MAX ? PROBE_FULL : PROBE_MISS;
}

/* On PROBE_MISS *line is the victim. */
static probe_t probe(const l2_t *l2, uint64_t block, uint32_t *line) {
  const uint32_t set = set_of(l2, block), base = set * l2->cfg.ways;
  const uint64_t *tag = &l2->tag[base];
  for (uint32_t way = 0; way < l2->cfg.ways; way++) {
    if (tag[way] != block) continue;
    *line = base + way;
    return l2->state[*line] == L2_RESERVED ? PROBE_RESERVED : PROBE_HIT;
  }
  return find_victim(l2, set, line);
}

l2_state_t l2_line_state(const l2_t *l2, uint64_t local) {
  uint32_t line;
  probe_t r = probe(l2, local >> l2->line_log2, &line);
  return r == PROBE_HIT || r == PROBE_RESERVED ? (l2_state_t)l2->state[line] : L2_INVALID;
}

/* Reserves `line` for `block`. True, and *victim is set, if a modified line was lost. */
static bool reserve(l2_t *l2, uint32_t line, uint64_t block, uint64_t *victim) {
  bool dirty = l2->state[line] == L2_MODIFIED;
  if (l2->state[line] == L2_INVALID) l2->invalid_ways[set_of(l2, block)]--;
  *victim = l2->tag[line];
  l2->tag[line] = block;
  l2->state[line] = L2_RESERVED;
  return dirty;
}

/* ---- rules ----------------------------------------------------------------------------------- */

static l2_result_t refuse(l2_t *l2, l2_fail_t reason) {
  l2->stall_reason = reason;
  return L2_REFUSED;
}

/* The write-back of release 3.2.0 carries the address within the partition as if it were a global
 * one, and so reaches a wrong bank and row of its own channel. */
static void write_back(l2_t *l2, const packet_t *cause, uint64_t block, uint32_t line) {
  packet_t *wb = packet_alloc(l2->pool);
  uint64_t local = block << l2->line_log2;
  if (l2->cfg.wb_local_addr) {
    packet_set_address(wb, &l2->map, local);
  } else {
    wb->addr = packet_map_global(&l2->map, l2->partition, local);
    wb->local = local;
  }
  wb->partition = l2->partition;
  wb->kind = PACKET_WRITE_BACK;
  wb->bytes = l2->cfg.line_bytes;
  wb->t_created = cause->t_created;
  if (l2->check) check_l2_evict(l2->check, l2->partition, line, wb);
  packet_queue_push(&l2->miss_queue, wb);
  l2->stats.write_backs++;
}

/* A read of a line that is not present joins entry `e`, or opens an entry and goes to the DRAM. A
 * line is reserved in both cases. If the entry was already draining, no fill will arrive for that
 * line. */
static l2_result_t read_line(l2_t *l2, packet_t *p, uint32_t e, probe_t found, uint32_t line,
                             uint64_t now) {
  uint64_t block = p->local >> l2->line_log2, victim = 0;
  bool dirty = false, merged = e != NO_ENTRY;
  if (found == PROBE_MISS) {
    dirty = reserve(l2, line, block, &victim);
    if (merged) l2->stats.stuck_lines++;
    if (l2->check && !dirty) check_l2_evict(l2->check, l2->partition, line, NULL);
  }
  l2->used_at[line] = now;
  if (merged) {
    l2->waiting++;
  } else {
    e = claim(l2, block);
    p->fills = true;
    p->l2_line = line;
    p->l2_bytes = p->bytes;
    p->bytes = l2->cfg.line_bytes;
    packet_queue_push(&l2->miss_queue, p);
  }
  add(l2, e, p);
  if (l2->check && p->atomic) check_l2_atomic_miss(l2->check, p);
  if (dirty) write_back(l2, p, victim, line);
  if (l2->check && l2->mshr[e].filled) check_l2_serve(l2->check, l2->partition, e, p);
  return merged ? L2_MISS_MERGED : L2_MISS_PRIMARY;
}

/* An entry that drains has the data of its fill; no fill will arrive for a new line. */
static l2_result_t table_room(l2_t *l2, uint32_t e) {
  if (e != NO_ENTRY && l2->mshr[e].filled && !(l2->hazards & HAZARD_L2_DRAINING))
    return refuse(l2, L2_FAIL_MERGE);
  if (e != NO_ENTRY)
    return l2->mshr[e].count < l2->cfg.mshr_merges ? L2_MISS_MERGED : refuse(l2, L2_FAIL_MERGE);
  return l2->mshr_used < l2->cfg.mshr_entries ? L2_MISS_PRIMARY : refuse(l2, L2_FAIL_MSHR);
}

/* Even a merge requires room in the miss queue for the read and a write-back. */
static l2_result_t read_miss(l2_t *l2, packet_t *p, probe_t found, uint32_t line, uint64_t now) {
  if (l2->miss_queue.count + 1 >= l2->cfg.miss_queue) return refuse(l2, L2_FAIL_MISSQ);
  uint32_t e = find(l2, p->local >> l2->line_log2);
  if (table_room(l2, e) == L2_REFUSED) return L2_REFUSED;
  packet_queue_pop(&l2->icnt_l2);
  l2_result_t r = read_line(l2, p, e, found, line, now);
  l2->stats.reads++;
  l2->stats.read_misses++;
  if (r == L2_MISS_MERGED) l2->stats.read_merges++;
  return r;
}

/* The write itself goes to the DRAM, which acknowledges it, together with a read of the line. */
static l2_result_t write_miss(l2_t *l2, packet_t *p, probe_t found, uint32_t line, uint64_t now) {
  if (l2->miss_queue.count + 2 >= l2->cfg.miss_queue) return refuse(l2, L2_FAIL_MISSQ);
  uint32_t e = find(l2, p->local >> l2->line_log2);
  if (table_room(l2, e) == L2_REFUSED) return L2_REFUSED;
  packet_queue_pop(&l2->icnt_l2);
  packet_queue_push(&l2->miss_queue, p);
  packet_t *a = packet_alloc(l2->pool);
  a->addr = p->addr;
  a->local = p->local;
  a->partition = p->partition;
  a->bytes = p->bytes;
  a->kind = PACKET_L2_ALLOC;
  a->sm = p->sm;
  a->warp = p->warp;
  a->t_created = p->t_created;
  if (l2->check) check_l2_write_miss(l2->check, p, a);
  l2_result_t r = read_line(l2, a, e, found, line, now);
  l2->stats.writes++;
  l2->stats.write_misses++;
  if (r == L2_MISS_MERGED) l2->stats.write_merges++;
  return r;
}

l2_result_t l2_access(l2_t *l2, packet_t *p, uint64_t now) {
  uint32_t line;
  probe_t found = probe(l2, p->local >> l2->line_log2, &line);
  bool write = packet_is_write(p);
  if (found == PROBE_FULL) return refuse(l2, L2_FAIL_ASSOC);
  if (found != PROBE_HIT)
    return write ? write_miss(l2, p, found, line, now) : read_miss(l2, p, found, line, now);
  l2->used_at[line] = now;
  if (write) {
    l2->state[line] = L2_MODIFIED;
    l2->stats.writes++;
    l2->stats.write_hits++;
    if (l2->check) check_l2_write(l2->check, l2->partition, line, p);
  } else {
    l2->stats.reads++;
    l2->stats.read_hits++;
    if (p->atomic) l2->state[line] = L2_MODIFIED;
    if (l2->check) check_l2_read(l2->check, l2->partition, line, p);
  }
  return L2_HIT;
}
