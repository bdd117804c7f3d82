/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/path/path.h"

#include <inttypes.h>

_Static_assert(sizeof(path_has_t) <= CONTRACT_HAS, "room for what a map shows");

/* ---- the model and the environment ---- */

static void start(void *model, const contract_setup_t *s, uint64_t seed) {
  path_model_start(model, path_sizes(s->cfg), path_has(s), s->off, seed);
}

static void legal(void *model, uint64_t *in) {
  path_model_legal(model, (path_in_t *)(void *)in);
}

static bool cycle(void *model, const uint64_t *in, const uint64_t *out) {
  return path_model_cycle(model, (const path_in_t *)(const void *)in,
                          (const path_out_t *)(const void *)out);
}

static contract_broken_t *broken(void *model) {
  return &((path_model_t *)model)->broken;
}

static void env_start(void *env, uint64_t seed, size_t cycles) {
  path_env_start(env, seed, cycles);
}

static void env_next(void *env, void *model, uint64_t *in) {
  path_env_next(env, model, (path_in_t *)(void *)in);
}

/* ---- what has been seen ---- */

static const void *seen_of(const void *model) {
  return &((const path_model_t *)model)->seen;
}

static void seen_add(void *sum, const void *one) {
  path_seen_t *to = sum;
  const path_seen_t *more = one;
  to->loads += more->loads;
  to->stores += more->stores;
  to->partial += more->partial;
  to->again += more->again;
  to->refused += more->refused;
  to->reads += more->reads;
  to->writes += more->writes;
  to->overtaken += more->overtaken;
  to->flushes += more->flushes;
  to->changed += more->changed;
  to->resets += more->resets;
  for (unsigned i = 0; i < PATH_WITHHELD; i++) to->withheld[i] += more->withheld[i];
  if (more->most > to->most) to->most = more->most;
  if (more->longest > to->longest) to->longest = more->longest;
}

static void print_seen(FILE *out, const contract_setup_t *setup, const void *seen) {
  const path_seen_t *s = seen;
  (void)setup;
  fprintf(out,
          "  %-12s%" PRIu64 " loads, %" PRIu64 " of a word whose store was not in memory; %" PRIu64
          " stores, %" PRIu64 " of part of a word; refused in %" PRIu64 " cycles\n",
          "requests", s->loads, s->again, s->stores, s->partial, s->refused);
  fprintf(out,
          "  %-12s%" PRIu64 " reads, %" PRIu64 " writes, at most %" PRIu64 " outstanding; %" PRIu64
          " answered before older ones\n",
          "memory", s->reads, s->writes, s->most, s->overtaken);
  fprintf(out,
          "  %-12s%" PRIu64 " flushes, %" PRIu64 " lines written by another device, %" PRIu64
          " resets; %" PRIu64 " cycles at most without a reset\n",
          "others", s->flushes, s->changed, s->resets, s->longest);
}

static const char *withheld_text(unsigned kind) {
  static const char *const texts[] = {
#define WITHHELD(id, text) text,
#include "verify/path/withheld.def"
#undef WITHHELD
  };
  return texts[kind];
}

static void print_withheld(FILE *out, const contract_setup_t *setup, const void *seen) {
  const path_seen_t *s = seen;
  (void)setup;
  for (unsigned i = 0; s && i < PATH_WITHHELD; i++)
    if (s->withheld[i])
      fprintf(out, "  %-12s%s (%" PRIu64 " cycles)\n", "not offered", withheld_text(i),
              s->withheld[i]);
}

static uint32_t unseen(const contract_setup_t *s) {
  const path_has_t *h = path_has(s);
  const path_cfg_t *c = path_sizes(s->cfg);
  return (c->LANES > 1 ? 0 : 1u << PATH_LANE) |
         (h->write && (h->flush || !c->BACK) ? 0 : 1u << PATH_LOST) |
         (h->write ? 0 : 1u << PATH_WRITTEN) | (h->write && !c->REWRITE ? 0 : 1u << PATH_DOUBLED) |
         (h->axi ? 0 : 1u << PATH_AXI) | (h->flush ? 0 : 1u << PATH_KEPT | 1u << PATH_FLUSH) |
         (h->rsp_ready || (h->axi ? h->axi_ready : h->mem_ready) ? 0 : 1u << PATH_HELD);
}

static const contract_clause_t clauses[] = {
#define CLAUSE(number, id, name, text) {name, text},
#include "verify/path/clauses.def"
#undef CLAUSE
};

const contract_t path_contract = {
    .cls = &path_class,
    .what = "mrpb-path",
    .clause = clauses,
    .n_clauses = PATH_CLAUSES,
    .checks = PATH_CHECKS,
    .hold = "request",
    .most = 80,
    .episode = {PATH_EPISODE, PATH_EPISODE, PATH_EPISODE, 4 * PATH_EPISODE, PATH_EPISODE,
                PATH_EPISODE, PATH_LONGEST, 4 * PATH_EPISODE},
    .model_bytes = sizeof(path_model_t),
    .seen_bytes = sizeof(path_seen_t),
    .start = start,
    .legal = legal,
    .cycle = cycle,
    .broken = broken,
    .seen = seen_of,
    .seen_add = seen_add,
    .env_bytes = sizeof(path_env_t),
    .env_start = env_start,
    .env_next = env_next,
    .sources = PATH_SOURCES,
    .has = path_shorter_has,
    .silence = path_shorter_silence,
    .goes_with = path_shorter_goes_with,
    .stay = path_shorter_stay,
    .prompt = path_shorter_prompt,
    .simpler = path_shorter_simpler,
    .compare = path_shorter_compare,
    .say = path_say,
    .counts = path_counts,
    .unseen = unseen,
    .print_seen = print_seen,
    .print_withheld = print_withheld,
    .find_events = path_events,
};
