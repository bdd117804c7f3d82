/* SPDX-License-Identifier: Apache-2.0 */
/* Memory behind mem_*. */
#include "verify/path/parts.h"

#include "bits.h"

#include <inttypes.h>
#include <string.h>

enum { BOTH = 3 }; /* reads and writes are answered in one order for each number */

void path_simple_legal(path_model_t *m, path_in_t *in) {
  const uint64_t id = m->offered ? m->last_in.mem_rsp_id_i : in->mem_rsp_id_i;
  const owed_t *j =
      m->offered || in->mem_rsp_valid_i ? owed_choose(&m->memory, (uint32_t)id, BOTH, false) : NULL;
  if (!in->srst_ni) j = NULL;
  in->mem_rsp_valid_i = j != NULL;
  in->mem_rsp_write_i = j && j->write;
  in->mem_rsp_id_i = j ? j->id : 0;
  memset(in->mem_rsp_data_i, 0, sizeof in->mem_rsp_data_i);
  for (unsigned i = 0; j && !j->write && i < m->cfg.LINE; i++)
    words_put(in->mem_rsp_data_i, 8 * i, 8, j->data[i]);
}

static bool in_mask(const uint64_t *mask, unsigned i) {
  return mask[i / 64] >> i % 64 & 1;
}

static bool whole_sectors(const path_cfg_t *c, const uint64_t *mask) {
  const unsigned bytes = c->SECTOR ? c->SECTOR : c->LINE;
  for (unsigned i = 0; i < c->LINE; i++)
    if (in_mask(mask, i) != in_mask(mask, i / bytes * bytes)) return false;
  return true;
}

static bool check(path_model_t *m, const path_out_t *out) {
  const char *what = out->mem_write_o ? "write" : "read";
  const bool none = m->has.mem_mask && !(out->mem_mask_o[0] | out->mem_mask_o[1]);
  if (out->mem_addr_o & (m->cfg.LINE - 1))
    path_broke(m, PATH_REQUEST, "a %s of 0x%" PRIx64 ", which is no multiple of LINE", what,
               out->mem_addr_o);
  if (none) path_broke(m, PATH_REQUEST, "a %s of 0x%" PRIx64 " of no byte", what, out->mem_addr_o);
  if (!out->mem_write_o && m->has.mem_mask && !whole_sectors(&m->cfg, out->mem_mask_o))
    path_broke(m, PATH_REQUEST, "a read of part of a sector of 0x%" PRIx64, out->mem_addr_o);
  return !(out->mem_addr_o & (m->cfg.LINE - 1)) && !none;
}

static bool has_byte(const path_model_t *m, const path_out_t *out, unsigned i) {
  return !m->has.mem_mask || in_mask(out->mem_mask_o, i);
}

/* A write takes effect, and a read sees, at once. Sectors that were not asked for hold anything. */
static void take(path_model_t *m, const path_out_t *out) {
  const bool write = m->has.mem_write && out->mem_write_o;
  owed_t *j = owed_add(&m->memory, out->mem_addr_o, m->has.mem_id ? (uint32_t)out->mem_id_o : 0,
                       write, m->cycle);
  *(write ? &m->seen.writes : &m->seen.reads) += 1;
  if (!j) {
    path_broke(m, PATH_REQUEST, "more than %d requests outstanding", (int)OWED_MOST);
    return;
  }
  if (m->memory.most > m->seen.most) m->seen.most = m->memory.most;
  if (!write) path_read_bytes(m, j->addr, m->cfg.LINE, j->data);
  for (unsigned i = 0; i < m->cfg.LINE; i++) {
    if (write && has_byte(m, out, i))
      path_write_byte(m, j->addr + i, (uint8_t)words_get(out->mem_data_o, 8 * i, 8));
    if (!write && !has_byte(m, out, i)) j->data[i] = (uint8_t)bytes_hash(m->seed, m->cycle + i);
  }
  if (write && !m->has.mem_write_ack) owed_remove(&m->memory, j);
}

void path_simple_cycle(path_model_t *m, const path_in_t *in, const path_out_t *out) {
  owed_t *j =
      in->mem_rsp_valid_i ? owed_choose(&m->memory, (uint32_t)in->mem_rsp_id_i, BOTH, false) : NULL;
  const bool taken = !m->has.mem_rsp_ready || out->mem_rsp_ready_o;
  m->offered = j && !taken;
  if (j && taken) {
    m->steps += !j->write;
    m->seen.overtaken += j != m->memory.job;
    owed_remove(&m->memory, j);
  }
  if (out->mem_valid_o && in->mem_ready_i && check(m, out)) take(m, out);
}

bool path_simple_step(const path_model_t *m, const path_in_t *in, const path_out_t *out) {
  if (out->mem_valid_o && !in->mem_ready_i) return false;
  return m->memory.n == 0 || (in->mem_rsp_valid_i && m->has.mem_rsp_ready && !out->mem_rsp_ready_o);
}
