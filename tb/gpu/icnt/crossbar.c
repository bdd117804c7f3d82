/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of both crossbars. `words` is the number of words of a set of SMs. With one, the most
 * frequent case, the compiler makes plain words of the sets. */
#include "gpu/icnt/icnt_state.h"
#include "parts/jitter.h"

/* `n` words are in use: the word of port `i`. */
static inline unsigned in_word(uint32_t i, unsigned n) {
  return n == 1 ? 0 : i / SET_WORD;
}

/* Words of a set of senders, and of one of receivers. */
static inline unsigned senders(bool to_sms, unsigned words) {
  return to_sms ? 1 : words;
}
static inline unsigned receivers(bool to_sms, unsigned words) {
  return to_sms ? words : 1;
}

/* The oldest packet of sender `i`, whose head has arrived, requests its output. */
static inline void ask(crossbar_t *x, uint32_t i, bool to_sms, unsigned words) {
  const packet_t *p = x->in[i].q.head;
  const uint32_t o = to_sms ? p->sm : p->partition;
  x->want[o].word[in_word(i, senders(to_sms, words))] |= icnt_bit(i);
  x->at[in_word(o, receivers(to_sms, words))].wanted |= icnt_bit(o);
}

/* Moves one flit per sender from injection buffer to input buffer. The input buffer's credits
 * return within a cycle, so the sender knows its true occupancy. */
static inline void inject(crossbar_t *x, uint32_t vc_cap, bool to_sms, unsigned words) {
  SET_EACH(i, w, senders(to_sms, words), x->at[w].injecting & ~x->at[w].full) {
    sender_t *s = &x->in[i];
    const uint32_t flits = ++s->vc_flits;
    if (--s->inject_flits == 0) x->at[w].injecting &= ~icnt_bit(i);
    if (flits == vc_cap) x->at[w].full |= icnt_bit(i);
    if (s->out != NO_PORT)
      x->at[in_word(s->out, receivers(to_sms, words))].sending |= icnt_bit(s->out);
    else if (flits == 1)
      ask(x, i, to_sms, words);
  }
}

/* The first member from `from` on, after the last one again from the beginning. */
static inline uint32_t next_round(const set_t *s, uint32_t from, unsigned n) {
  if (n == 1) {
    const uint64_t behind = s->word[0] & UINT64_MAX << from;
    return (uint32_t)__builtin_ctzll(behind ? behind : s->word[0]);
  }
  const uint32_t i = set_next(s, from);
  return i == SET_MEMBERS ? set_next(s, 0) : i;
}

/* Each free output takes the first requester from its grant pointer on, and the pointer moves past
 * the winner: one iteration of iSLIP in which every sender requests only one output. */
static inline void arbitrate(crossbar_t *x, bool to_sms, unsigned words) {
  const unsigned n = senders(to_sms, words);
  SET_EACH(o, w, receivers(to_sms, words), x->at[w].wanted & ~x->at[w].held) {
    receiver_t *r = &x->out[o];
    set_t *want = &x->want[o];
    const uint32_t winner = next_round(want, r->grant, n);
    r->grant = winner + 1 == x->n_in ? 0 : winner + 1;
    x->at[w].held |= icnt_bit(o);
    r->holder = winner;
    x->in[winner].out = o;
    x->at[w].sending |= icnt_bit(o);
    want->word[in_word(winner, n)] &= ~icnt_bit(winner);
    if (n == 1 ? !want->word[0] : set_empty(want)) x->at[w].wanted &= ~icnt_bit(o);
  }
}

/* The tail of a packet frees its output. The head of the next packet, if it has arrived, requests
 * another output from the next cycle on. */
static inline void end_packet(crossbar_t *x, uint32_t i, bool to_sms, unsigned words) {
  sender_t *s = &x->in[i];
  icnt_word_t *at = &x->at[in_word(s->out, receivers(to_sms, words))];
  at->held &= ~icnt_bit(s->out);
  at->sending &= ~icnt_bit(s->out);
  s->out = NO_PORT;
  packet_queue_pop(&s->q);
  if (!s->q.count) return;
  s->head_left = s->q.head->flits;
  s->head_new = true;
  if (s->vc_flits) ask(x, i, to_sms, words);
}

/* Returns those of the outputs of word `w` that are stalled in this cycle. */
static __attribute__((noinline)) uint64_t stalled(const icnt_t *ic, unsigned w, uint64_t outputs,
                                                  bool to_sms) {
  const uint64_t time = ic->net[to_sms ? ICNT_REPLY : ICNT_REQUEST].time;
  const jitter_t j = {ic->cfg.jitter, ic->cfg.jitter_seed};
  uint64_t still = 0;
  for (uint64_t m = outputs; m; m &= m - 1) {
    const uint32_t o = w * SET_WORD + (uint32_t)__builtin_ctzll(m);
    if (jitter_stalls(j, jitter_place(to_sms ? JITTER_REPLIES : JITTER_REQUESTS, o), time))
      still |= m & -m;
  }
  return still;
}

/* The packet that holds output `o` sends one flit. */
static inline void send_flit(icnt_t *ic, crossbar_t *x, uint32_t o, bool to_sms, unsigned words) {
  icnt_word_t *at = &x->at[in_word(o, receivers(to_sms, words))];
  receiver_t *r = &x->out[o];
  const uint32_t from = r->holder;
  sender_t *s = &x->in[from];
  x->at[in_word(from, senders(to_sms, words))].full &= ~icnt_bit(from);
  if (s->head_new) {
    r->ring[r->tail] = s->q.head;
    r->tail = (r->tail + 1) & ic->ring_mask;
    s->head_new = false;
  }
  if (++r->eject_flits + r->credits == ic->cfg.eject_flits) at->no_credit |= icnt_bit(o);
  if (--s->vc_flits == 0) at->sending &= ~icnt_bit(o);
  if (--s->head_left == 0) end_packet(x, from, to_sms, words);
  x->stats.flits_moved++;
}

/* Every packet that holds an output sends one flit if there is a credit. */
static inline void forward(icnt_t *ic, crossbar_t *x, bool to_sms, unsigned words) {
  for (unsigned w = 0; w < receivers(to_sms, words); w++) {
    uint64_t outputs = x->at[w].sending & ~x->at[w].no_credit;
    if (ic->cfg.jitter) outputs &= ~stalled(ic, w, outputs, to_sms);
    for (uint64_t m = outputs; m; m &= m - 1)
      send_flit(ic, x, w * SET_WORD + (uint32_t)__builtin_ctzll(m), to_sms, words);
    x->at[w].ejecting |= outputs;
  }
}

/* The packet that enters the boundary buffer is complete there. */
static void complete(const icnt_t *ic, crossbar_t *x, receiver_t *r) {
  uint64_t latency = x->time + 1 - r->ring[r->entering]->t_inject;
  const uint32_t port = (uint32_t)(r - x->out);
  r->entering = (r->entering + 1) & ic->ring_mask;
  r->complete++;
  icnt_word(x, port)->waiting |= icnt_bit(port);
  x->stats.delivered++;
  x->stats.latency_sum += latency;
  if (latency > x->stats.latency_max) x->stats.latency_max = latency;
}

/* Moves one flit per receiver of word `w` from ejection to boundary buffer, if there is one and room
 * for it. */
static __attribute__((noinline)) void move(const icnt_t *ic, crossbar_t *x, unsigned w,
                                           uint64_t moving) {
  const uint32_t cap = ic->cfg.boundary_flits;
  icnt_word_t *at = &x->at[w];
  for (uint64_t m = moving; m; m &= m - 1) {
    const uint64_t one = m & -m;
    receiver_t *r = &x->out[w * SET_WORD + (uint32_t)__builtin_ctzll(m)];
    r->credits++;
    if (--r->eject_flits == 0) at->ejecting &= ~one;
    if (++r->boundary_flits >= cap) at->no_room |= one;
    if (r->to_enter == 0) r->to_enter = r->ring[r->entering]->flits;
    if (--r->to_enter == 0) complete(ic, x, r);
  }
  at->owing |= moving;
}

static inline void drain(const icnt_t *ic, crossbar_t *x, unsigned n) {
  for (unsigned w = 0; w < n; w++) {
    const uint64_t moving = x->at[w].ejecting & ~x->at[w].no_room;
    if (moving) move(ic, x, w, moving);
  }
}

/* Returns one credit per receiver: the crossbar has it in the next cycle. */
static inline void send_credits(crossbar_t *x, unsigned n) {
  for (unsigned w = 0; w < n; w++) {
    icnt_word_t *at = &x->at[w];
    at->no_credit &= ~at->owing;
    for (uint64_t m = at->owing; m; m &= m - 1)
      if (--x->out[w * SET_WORD + (uint32_t)__builtin_ctzll(m)].credits == 0)
        at->owing &= ~(m & -m);
  }
}

/* Without work a cycle has no effect on this network. */
static inline uint64_t work(const crossbar_t *x, unsigned words) {
  uint64_t any = 0;
  for (unsigned w = 0; w < words; w++) {
    const icnt_word_t *at = &x->at[w];
    any |= at->injecting | at->wanted | at->sending | at->ejecting | at->owing;
  }
  return any;
}

static inline __attribute__((always_inline)) void pass(icnt_t *ic, crossbar_t *x, bool to_sms,
                                                       unsigned words) {
  inject(x, ic->cfg.vc_flits, to_sms, words);
  arbitrate(x, to_sms, words);
  forward(ic, x, to_sms, words);
  drain(ic, x, receivers(to_sms, words));
  send_credits(x, receivers(to_sms, words));
}

static __attribute__((noinline)) void step(icnt_t *ic, icnt_direction_t d) {
  crossbar_t *x = &ic->net[d];
  if (ic->words == 1)
    pass(ic, x, d == ICNT_REPLY, 1);
  else
    pass(ic, x, d == ICNT_REPLY, ic->words);
}

/* The release's two networks share the ejection buffers, and each drains one flit per cycle from
 * every node: replies before their own cycle, requests after it. */
void icnt_cycle_one(icnt_t *ic, icnt_direction_t d) {
  crossbar_t *x = &ic->net[d];
  if (ic->cfg.double_drain && d == ICNT_REPLY) drain(ic, x, ic->words);
  if (work(x, ic->words)) step(ic, d);
  if (ic->cfg.double_drain && d == ICNT_REQUEST) drain(ic, x, 1);
  x->time++;
}

void icnt_cycle(icnt_t *ic) {
  icnt_cycle_one(ic, ICNT_REQUEST);
  icnt_cycle_one(ic, ICNT_REPLY);
}

bool icnt_idle(const icnt_t *ic) {
  return !(work(&ic->net[ICNT_REQUEST], ic->words) | work(&ic->net[ICNT_REPLY], ic->words));
}
