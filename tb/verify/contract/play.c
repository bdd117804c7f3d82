/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* strsignal */
/* Plays cycles of a design beside the model. */
#include "verify/contract/play.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct contract_play {
  const contract_t *of;
  const contract_setup_t *setup;
  const shim_table_t *table;
  contract_watch_t *watch;
  void *dut, *model;
  uint64_t seed, cycle;
  const uint64_t *in;
  uint64_t *out;
  bool good;
  const char *said; /* by the design's own checks */
};

static void enter(const contract_play_t *p) {
  hang_enter(&p->watch->hang, "the design");
}

static void leave(const contract_play_t *p) {
  hang_leave(&p->watch->hang);
}

static void checks_broke(const contract_play_t *p, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A crash is told even if the design does not promise the clause: nothing can follow it. */
static void checks_broke(const contract_play_t *p, const char *format, ...) {
  contract_broken_t *b = p->of->broken(p->model);
  va_list ap;
  if (b->clause) return;
  va_start(ap, format);
  b->clause = p->of->checks;
  vsnprintf(b->text, sizeof b->text, format, ap);
  va_end(ap);
}

/* Calls the design. After a crash it is not touched again, and the watch goes on: the crash may
 * have left a lock behind. */
static bool try(contract_play_t *p, void (*call)(void *self)) {
  const int sig = crash_try(p->watch->crash, call, p);
  if (sig == 0) return true;
  p->dut = NULL;
  checks_broke(p, "%s crashes (signal %d, %s)", p->watch->hang.doing, sig, strsignal(sig));
  return false;
}

static void create(void *self) {
  contract_play_t *p = self;
  const contract_setup_t *s = p->setup;
  enter(p);
  p->dut = s->create ? s->create(s->ctx, p->seed) : p->table->create(p->seed, SHIM_RANDOM);
  leave(p);
}

contract_play_t *contract_play_open(const contract_setup_t *setup, uint64_t seed) {
  contract_play_t *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  *p = (contract_play_t){
      .of = setup->of, .setup = setup, .table = setup->table, .watch = setup->watch, .seed = seed};
  p->watch->cycle = 0;
  p->model = calloc(1, p->of->model_bytes);
  p->out = calloc(p->of->cls->out_words, sizeof *p->out);
  const bool room = p->model && p->out;
  if (room) p->of->start(p->model, setup, seed);
  if (room && (!try(p, create) || p->dut)) return p;
  contract_play_close(p);
  return NULL;
}

static void destroy(void *self) {
  contract_play_t *p = self;
  enter(p);
  p->table->destroy(p->dut);
  leave(p);
}

/* Destroys the design. Returns false if that breaks the clause of its checks. */
static bool contract_play_finish(contract_play_t *p) {
  const bool good = !p->dut || try(p, destroy);
  p->dut = NULL;
  return good;
}

void contract_play_close(contract_play_t *p) {
  if (!p) return;
  (void)contract_play_finish(p);
  free(p->model);
  free(p->out);
  free(p);
}

static void cycle(void *self) {
  contract_play_t *p = self;
  enter(p);
  p->table->comb(p->dut, p->in, p->out);
  leave(p);
  p->good = p->of->cycle(p->model, p->in, p->out);
  enter(p);
  p->table->edge(p->dut);
  if (p->cycle == 1) p->table->watch(p->dut);
  p->said = p->table->stopped(p->dut);
  leave(p);
}

bool contract_play_cycle(contract_play_t *p, const uint64_t *in) {
  p->in = in;
  p->watch->cycle = p->cycle;
  if (!p->dut || !try(p, cycle)) return false;
  p->cycle++;
  if (!p->good || !p->said || p->setup->off >> p->of->checks & 1) return p->good;
  checks_broke(p, "%.199s", p->said);
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
  if (p && !contract_play_finish(p)) good = false;
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
  if (!contract_play_finish(p)) good = false;
  learn(p, found);
  contract_play_close(p);
  return !good;
}
