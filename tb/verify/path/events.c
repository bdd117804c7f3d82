/* SPDX-License-Identifier: Apache-2.0 */
/* What a map shows of a path, and which outputs count. */
#include "verify/path/path.h"
#include "bits.h"

#include <string.h>

/* ---- the map ---- */

static bool gives(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < PATH_OUTS; i++)
    if (strcmp(b->out[i].name, name) == 0) return b->output[i].there;
  return false;
}

static int needs_out(const bind_t *b, const char *name, mrpb_err_t *err) {
  return gives(b, name)
             ? 0
             : mrpb_fail(err, "%s: no %s, which the contract needs; legal: out %s = EXPR",
                         b->map->file, name, name);
}

static int needs_in(const bind_t *b, const char *name, mrpb_err_t *err) {
  return bind_uses(b, name)
             ? 0
             : mrpb_fail(err, "%s: nothing takes %s; legal: in THEIRS = an expression of it",
                         b->map->file, name);
}

/* Everything of a list, separated by blanks: names that end in _o are outputs. */
static int needs(const bind_t *b, const char *names, mrpb_err_t *err) {
  char name[32];
  int n = 0, rc = 0;
  for (; rc == 0 && sscanf(names, "%31s%n", name, &n) == 1; names += n)
    rc = name[strlen(name) - 1] == 'o' ? needs_out(b, name, err) : needs_in(b, name, err);
  return rc;
}

static int check_memory(const bind_t *b, const path_has_t *has, mrpb_err_t *err) {
  if (has->mem == has->axi)
    return mrpb_fail(err, "%s: %s; legal: mem_valid_o or ar_valid_o", b->map->file,
                     has->mem ? "two memories" : "no memory");
  if (has->mem) return needs(b, "mem_addr_o mem_rsp_valid_i mem_rsp_data_i", err);
  if (needs(b, "ar_addr_o ar_len_o ar_size_o r_valid_i r_data_i", err) != 0) return -1;
  if (!has->axi_write) return 0;
  return needs(b, "aw_addr_o aw_len_o aw_size_o w_valid_o w_data_o w_strb_o w_last_o b_valid_i",
               err);
}

int path_events(const bind_t *b, bool hold, void *to, mrpb_err_t *err) {
  path_has_t *has = to;
  *has = (path_has_t){.write = bind_uses(b, "req_write_i"),
                      .mask = bind_uses(b, "req_mask_i"),
                      .bypass = bind_uses(b, "req_bypass_i"),
                      .rsp_ready = bind_uses(b, "rsp_ready_i"),
                      .flush = bind_uses(b, "flush_i") && gives(b, "flush_done_o"),
                      .mem_ready = bind_uses(b, "mem_ready_i"),
                      .mem_write_ack = bind_uses(b, "mem_rsp_write_i"),
                      .mem = gives(b, "mem_valid_o"),
                      .mem_write = gives(b, "mem_write_o"),
                      .mem_id = gives(b, "mem_id_o"),
                      .mem_mask = gives(b, "mem_mask_o"),
                      .mem_rsp_ready = gives(b, "mem_rsp_ready_o"),
                      .axi = gives(b, "ar_valid_o"),
                      .axi_write = gives(b, "aw_valid_o"),
                      .axi_ready = bind_uses(b, "ar_ready_i"),
                      .r_ready = gives(b, "r_ready_o"),
                      .b_ready = gives(b, "b_ready_o"),
                      .hold = hold};
  if (needs(b,
            "req_ready_o rsp_valid_o rsp_tag_o rsp_data_o srst_ni req_valid_i req_addr_i req_tag_i",
            err) != 0 ||
      check_memory(b, has, err) != 0)
    return -1;
  if (has->write && !(has->axi ? has->axi_write : has->mem_write))
    return mrpb_fail(err, "%s: req_write_i is taken, but nothing is written; legal: out %s = EXPR",
                     b->map->file, has->axi ? "aw_valid_o" : "mem_write_o");
  return 0;
}

/* ---- what counts ---- */

static void all(uint64_t *to, const module_port_t *p) {
  for (unsigned low = 0; low < p->width; low += 64)
    to[p->word + low / 64] = bits_mask(p->width - low < 64 ? p->width - low : 64);
}

/* Of `parts` equal parts of a port, those in `which`. */
static void some(uint64_t *to, const module_port_t *p, const uint64_t *which, unsigned parts) {
  const unsigned each = p->width / parts;
  for (unsigned i = 0; i < parts; i++)
    if (which[i / 64] >> i % 64 & 1)
      for (unsigned k = i * each; k < (i + 1) * each; k++)
        to[p->word + k / 64] |= UINT64_C(1) << k % 64;
}

/* Whether a port that is no part of lanes or bytes counts. */
static bool looks_at(const char *name, const path_in_t *in, const path_out_t *out) {
  const struct {
    const char *of;
    bool when;
  } rule[] = {{"flush_done_o", in->flush_i}, {"mem_rsp_ready_o", in->mem_rsp_valid_i},
              {"mem_valid_o", true},         {"mem_", out->mem_valid_o},
              {"ar_valid_o", true},          {"ar_", out->ar_valid_o},
              {"aw_valid_o", true},          {"aw_", out->aw_valid_o},
              {"w_valid_o", true},           {"w_", out->w_valid_o},
              {"r_ready_o", in->r_valid_i},  {"b_ready_o", in->b_valid_i},
              {"rsp_valid_o", true}};
  for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
    if (strncmp(rule[i].of, name, strlen(rule[i].of)) == 0) return rule[i].when;
  return false;
}

static void count(const contract_setup_t *s, const module_port_t *p, const path_in_t *in,
                  const path_out_t *out, uint64_t *to) {
  const path_cfg_t *c = path_sizes(s->cfg);
  const path_has_t *has = path_has(s);
  const uint64_t none[2] = {0}, every[2] = {UINT64_MAX, UINT64_MAX};
  if (strcmp(p->name, "req_ready_o") == 0)
    some(to, p, &in->req_valid_i, c->LANES);
  else if (strcmp(p->name, "rsp_tag_o") == 0)
    some(to, p, &out->rsp_valid_o, c->LANES);
  else if (strcmp(p->name, "rsp_data_o") == 0) /* the answer to a store has no data */
    some(to, p, c->ACKS ? none : &out->rsp_valid_o, c->LANES);
  else if (strcmp(p->name, "mem_data_o") == 0)
    some(to, p,
         !(out->mem_valid_o && out->mem_write_o) ? none
         : has->mem_mask                         ? out->mem_mask_o
                                                 : every,
         c->LINE);
  else if (strcmp(p->name, "w_data_o") == 0)
    some(to, p, out->w_valid_o ? out->w_strb_o : none, c->BUS);
  else if (looks_at(p->name, in, out))
    all(to, p);
}

void path_counts(const contract_setup_t *s, const uint64_t *in_row, const uint64_t *out_row,
                 uint64_t *to) {
  const path_in_t *in = (const path_in_t *)(const void *)in_row;
  const path_out_t *out = (const path_out_t *)(const void *)out_row;
  module_port_t ins[PATH_INS], port[PATH_OUTS];
  path_class.ports(s->cfg, ins, port);
  for (unsigned i = 0; i < PATH_OUTS && in->srst_ni; i++)
    if (s->bind->output[i].there) count(s, &port[i], in, out, to);
}
