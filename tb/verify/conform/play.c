/* SPDX-License-Identifier: Apache-2.0 */
/* Plays cycles of a design beside the abstract model. */
#include "verify/conform/play.h"

#include <stdlib.h>

struct conform_play {
  const shim_table_t *table;
  void *dut;
  hang_t *hang;
  uint64_t cycle;
  conform_model_t model;
  conform_out_t out;
};

static void enter(const conform_play_t *p) {
  if (p->hang) hang_enter(p->hang, "the design");
}

static void leave(const conform_play_t *p) {
  if (p->hang) hang_leave(p->hang);
}

conform_play_t *conform_play_open(const conform_setup_t *setup, uint64_t seed) {
  conform_play_t *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->table = rtl_lib_table(setup->lib);
  p->hang = setup->hang;
  enter(p);
  p->dut = p->table->create(seed, SHIM_RANDOM);
  leave(p);
  if (!p->dut) {
    free(p);
    return NULL;
  }
  conform_model_start(&p->model, &setup->cfg, &setup->has, setup->off);
  return p;
}

void conform_play_close(conform_play_t *p) {
  if (!p) return;
  p->table->destroy(p->dut);
  free(p);
}

bool conform_play_cycle(conform_play_t *p, const conform_in_t *in) {
  enter(p);
  p->table->comb(p->dut, (const uint64_t *)(const void *)in, (uint64_t *)(void *)&p->out);
  const bool good = conform_model_cycle(&p->model, in, &p->out);
  p->table->edge(p->dut);
  leave(p);
  if (p->cycle++ == 1) p->table->watch(p->dut);
  const char *said =
      good && !(p->model.off >> CONFORM_CHECKS & 1) ? p->table->stopped(p->dut) : NULL;
  if (!said) return good;
  p->model.clause = CONFORM_CHECKS;
  snprintf(p->model.text, sizeof p->model.text, "%.199s", said);
  return false;
}

conform_model_t *conform_play_model(conform_play_t *p) {
  return &p->model;
}

const conform_out_t *conform_play_out(const conform_play_t *p) {
  return &p->out;
}

int conform_play_random(const conform_setup_t *setup, conform_case_t *c, uint64_t seed,
                        size_t cycles, conform_model_t *broken) {
  conform_env_t *env = malloc(sizeof *env);
  conform_play_t *p = env ? conform_play_open(setup, seed) : NULL;
  bool good = true;
  c->seed = seed;
  c->n = 0;
  if (p) conform_env_start(env, seed, cycles);
  while (p && good && c->n < cycles) {
    conform_in_t *in = &c->in[c->n++];
    conform_env_next(env, &p->model, in);
    good = conform_play_cycle(p, in);
  }
  if (p && broken) *broken = p->model;
  const int rc = p ? !good : -1;
  conform_play_close(p);
  free(env);
  return rc;
}

int conform_play_case(const conform_setup_t *setup, conform_case_t *c, conform_model_t *broken) {
  conform_play_t *p = conform_play_open(setup, c->seed);
  if (!p) return -1;
  bool good = true;
  size_t n = 0;
  while (good && n < c->n) {
    conform_model_legal(&p->model, &c->in[n]);
    good = conform_play_cycle(p, &c->in[n++]);
  }
  if (!good) c->n = n;
  if (broken) *broken = p->model;
  conform_play_close(p);
  return !good;
}
