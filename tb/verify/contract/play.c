/* SPDX-License-Identifier: Apache-2.0 */
/* Plays cycles of a design beside the model. */
#include "verify/contract/play.h"

#include <stdlib.h>

struct contract_play {
  const contract_t *of;
  const shim_table_t *table;
  void *dut, *model;
  hang_t *hang;
  uint64_t cycle;
  uint32_t off;
  uint64_t *out;
};

static void enter(const contract_play_t *p) {
  if (p->hang) hang_enter(p->hang, "the design");
}

static void leave(const contract_play_t *p) {
  if (p->hang) hang_leave(p->hang);
}

contract_play_t *contract_play_open(const contract_setup_t *setup, uint64_t seed) {
  contract_play_t *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  *p = (contract_play_t){
      .of = setup->of, .table = setup->table, .hang = setup->hang, .off = setup->off};
  p->model = calloc(1, p->of->model_bytes);
  p->out = calloc(p->of->cls->out_words, sizeof *p->out);
  enter(p);
  if (p->model && p->out)
    p->dut = setup->create ? setup->create(setup->ctx, seed) : p->table->create(seed, SHIM_RANDOM);
  leave(p);
  if (!p->dut) {
    contract_play_close(p);
    return NULL;
  }
  p->of->start(p->model, setup, seed);
  return p;
}

void contract_play_close(contract_play_t *p) {
  if (!p) return;
  if (p->dut) p->table->destroy(p->dut);
  free(p->model);
  free(p->out);
  free(p);
}

bool contract_play_cycle(contract_play_t *p, const uint64_t *in) {
  enter(p);
  p->table->comb(p->dut, in, p->out);
  const bool good = p->of->cycle(p->model, in, p->out);
  p->table->edge(p->dut);
  leave(p);
  if (p->cycle++ == 1) p->table->watch(p->dut);
  const char *said = good && !(p->off >> p->of->checks & 1) ? p->table->stopped(p->dut) : NULL;
  if (!said) return good;
  contract_broken_t *b = p->of->broken(p->model);
  b->clause = p->of->checks;
  snprintf(b->text, sizeof b->text, "%.199s", said);
  return false;
}

void *contract_play_model(contract_play_t *p) {
  return p->model;
}

const contract_broken_t *contract_play_broken(contract_play_t *p) {
  return p->of->broken(p->model);
}

const uint64_t *contract_play_out(const contract_play_t *p) {
  return p->out;
}

static void learn(contract_play_t *p, contract_found_t *found) {
  if (!p || !found) return;
  found->broken = *contract_play_broken(p);
  if (found->seen) p->of->seen_add(found->seen, p->of->seen(p->model));
}

int contract_play_random(const contract_setup_t *setup, contract_case_t *c, uint64_t seed,
                         size_t cycles, contract_found_t *found) {
  const contract_t *of = setup->of;
  void *env = calloc(1, of->env_bytes);
  contract_play_t *p = env ? contract_play_open(setup, seed) : NULL;
  bool good = true;
  c->seed = seed;
  c->n = 0;
  if (p) of->env_start(env, seed, cycles);
  while (p && good && c->n < cycles) {
    uint64_t *in = contract_row(of, c, c->n++);
    of->env_next(env, p->model, in);
    good = contract_play_cycle(p, in);
  }
  learn(p, found);
  const int rc = p ? !good : -1;
  contract_play_close(p);
  free(env);
  return rc;
}

int contract_play_case(const contract_setup_t *setup, contract_case_t *c, contract_found_t *found) {
  contract_play_t *p = contract_play_open(setup, c->seed);
  if (!p) return -1;
  bool good = true;
  size_t n = 0;
  while (good && n < c->n) {
    uint64_t *in = contract_row(setup->of, c, n++);
    setup->of->legal(p->model, in);
    good = contract_play_cycle(p, in);
  }
  if (!good) c->n = n;
  learn(p, found);
  contract_play_close(p);
  return !good;
}
