/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/match_memory.h"

#include "verify/prove/llvm/lanes.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  unsigned words, bits;
  bv_t raddr, word;
  memory_write_t write;
  uint8_t *bit; /* [lane][word][bit] */
} one_t;

struct match_memory {
  netlist_t *netlist;
  bv_ctx_t *x;
  plan_t *addresses;
  uint32_t n;
  one_t memory[];
};

match_memory_t *match_memory_open(netlist_t *n, bv_ctx_t *x) {
  const uint32_t count = netlist_memories(n);
  lit_t *wanted = NULL;
  size_t n_wanted = 0, room = 0;
  match_memory_t *t = prove_alloc(sizeof *t + count * sizeof *t->memory);
  *t = (match_memory_t){.netlist = n, .x = x, .n = count};
  for (uint32_t i = 0; i < count; i++) {
    one_t *m = &t->memory[i];
    *m = (one_t){.words = netlist_memory_words(n, i), .bits = netlist_memory_bits(n, i)};
    const size_t size = (size_t)LANES * m->words * m->bits;
    m->bit = prove_alloc(size);
    memset(m->bit, 0, size);
    m->raddr = netlist_memory_raddr(n, x, i);
    wanted = prove_room(wanted, n_wanted + m->raddr.n, &room, sizeof *wanted);
    memcpy(wanted + n_wanted, m->raddr.b, m->raddr.n * sizeof *wanted);
    n_wanted += m->raddr.n;
  }
  for (uint32_t i = 0; i < count; i++) {
    t->memory[i].word = bv_fresh(x, t->memory[i].bits);
    netlist_memory_show(n, i, t->memory[i].word);
  }
  if (count) t->addresses = plan_net_open(x->g, wanted, n_wanted);
  free(wanted);
  return t;
}

void match_memory_close(match_memory_t *t) {
  if (!t) return;
  for (uint32_t i = 0; i < t->n; i++) free(t->memory[i].bit);
  if (t->addresses) plan_net_close(t->addresses);
  free(t);
}

void match_memory_want(match_memory_t *t, lit_t **wanted, size_t *n, size_t *room) {
  for (uint32_t i = 0; i < t->n; i++) {
    const memory_write_t w = netlist_memory_write(t->netlist, t->x, i);
    t->memory[i].write = w;
    *wanted = prove_room(*wanted, *n + w.enable.n + w.address.n + w.data.n, room, sizeof **wanted);
    memcpy(*wanted + *n, w.enable.b, w.enable.n * sizeof **wanted);
    *n += w.enable.n;
    memcpy(*wanted + *n, w.address.b, w.address.n * sizeof **wanted);
    *n += w.address.n;
    memcpy(*wanted + *n, w.data.b, w.data.n * sizeof **wanted);
    *n += w.data.n;
  }
}

/* The word of an instance under an address; NULL: none. */
static uint8_t *word_at(const one_t *m, const plan_t *plan, bv_t address, unsigned lane) {
  uint64_t at = 0;
  for (uint32_t k = 0; k < address.n; k++) at |= (plan_value(plan, address.b[k]) >> lane & 1) << k;
  return at < m->words ? m->bit + ((size_t)lane * m->words + at) * m->bits : NULL;
}

void match_memory_read(match_memory_t *t, uint64_t *in) {
  if (t->n) plan_run(t->addresses, in);
  for (uint32_t i = 0; i < t->n; i++) {
    const one_t *m = &t->memory[i];
    const uint8_t *word[LANES];
    for (unsigned lane = 0; lane < LANES; lane++)
      word[lane] = word_at(m, t->addresses, m->raddr, lane);
    for (unsigned k = 0; k < m->bits; k++) {
      uint64_t v = 0;
      for (unsigned lane = 0; lane < LANES; lane++)
        v |= (uint64_t)(word[lane] ? word[lane][k] : 0) << lane;
      in[aig_input_number(t->x->g, m->word.b[k])] = v;
    }
  }
}

void match_memory_write(match_memory_t *t, const plan_t *plan) {
  for (uint32_t i = 0; i < t->n; i++) {
    const one_t *m = &t->memory[i];
    for (unsigned lane = 0; lane < LANES; lane++) {
      uint8_t *word = word_at(m, plan, m->write.address, lane);
      for (unsigned k = 0; word && k < m->bits; k++)
        if (plan_value(plan, m->write.enable.b[k / m->write.part]) >> lane & 1)
          word[k] = plan_value(plan, m->write.data.b[k]) >> lane & 1;
    }
  }
}
