/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/path/parts.h"

#include "bits.h"

#include <inttypes.h>
#include <string.h>

static void answers(path_model_t *m, const path_out_t *out) {
  const path_cfg_t *c = &m->cfg;
  const uint64_t must = m->last.rsp_valid_o & ~m->last_in.rsp_ready_i & path_lanes(c);
  for (uint64_t left = must; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctzll(left);
    const uint64_t tag = words_get(m->last.rsp_tag_o, l * c->TAG_W, c->TAG_W);
    const bool load = m->of[l][tag].open && !m->of[l][tag].write;
    const unsigned bits = 8 * c->WORD;
    if (!(out->rsp_valid_o >> l & 1) || words_get(out->rsp_tag_o, l * c->TAG_W, c->TAG_W) != tag ||
        (load && words_get(out->rsp_data_o, l * bits, bits) !=
                     words_get(m->last.rsp_data_o, l * bits, bits)))
      path_broke(m, PATH_HELD,
                 "an answer that was offered and not taken (tag 0x%" PRIx64
                 ", lane %u) has vanished or changed",
                 tag, l);
  }
}

/* Whether the bytes of a mask are the same in both. */
static bool same_bytes(const uint64_t *a, const uint64_t *b, const uint64_t *mask, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    if ((mask[i / 64] >> i % 64 & 1) && words_get(a, 8 * i, 8) != words_get(b, 8 * i, 8))
      return false;
  return true;
}

static void request(path_model_t *m, const path_out_t *out) {
  const path_out_t *was = &m->last;
  if (!was->mem_valid_o || m->last_in.mem_ready_i) return;
  const bool same = out->mem_valid_o && out->mem_write_o == was->mem_write_o &&
                    out->mem_addr_o == was->mem_addr_o && out->mem_id_o == was->mem_id_o &&
                    memcmp(out->mem_mask_o, was->mem_mask_o, sizeof out->mem_mask_o) == 0 &&
                    (!was->mem_write_o ||
                     same_bytes(out->mem_data_o, was->mem_data_o, was->mem_mask_o, m->cfg.LINE));
  if (!same)
    path_broke(m, PATH_HELD,
               "a %s of 0x%" PRIx64 " that memory had not taken has vanished or changed",
               was->mem_write_o ? "write" : "read", was->mem_addr_o);
}

static void bursts(path_model_t *m, const path_out_t *out) {
  const path_out_t *was = &m->last;
  if (was->ar_valid_o && !m->last_in.ar_ready_i &&
      !(out->ar_valid_o && out->ar_addr_o == was->ar_addr_o && out->ar_id_o == was->ar_id_o &&
        out->ar_len_o == was->ar_len_o && out->ar_size_o == was->ar_size_o &&
        out->ar_burst_o == was->ar_burst_o))
    path_broke(m, PATH_HELD, "ar of 0x%" PRIx64 ", not taken, has vanished or changed",
               was->ar_addr_o);
  if (was->aw_valid_o && !m->last_in.aw_ready_i &&
      !(out->aw_valid_o && out->aw_addr_o == was->aw_addr_o && out->aw_id_o == was->aw_id_o &&
        out->aw_len_o == was->aw_len_o && out->aw_size_o == was->aw_size_o &&
        out->aw_burst_o == was->aw_burst_o))
    path_broke(m, PATH_HELD, "aw of 0x%" PRIx64 ", not taken, has vanished or changed",
               was->aw_addr_o);
  if (was->w_valid_o && !m->last_in.w_ready_i &&
      !(out->w_valid_o && out->w_last_o == was->w_last_o && out->w_strb_o[0] == was->w_strb_o[0] &&
        same_bytes(out->w_data_o, was->w_data_o, was->w_strb_o, m->cfg.BUS)))
    path_broke(m, PATH_HELD, "a beat of w, not taken, has vanished or changed");
}

void path_held(path_model_t *m, const path_out_t *out) {
  if (!m->last_in.srst_ni) return;
  answers(m, out);
  if (m->has.axi)
    bursts(m, out);
  else
    request(m, out);
}
