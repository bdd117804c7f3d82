/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of a crossbar. A packet that gets an output whose receiver is sure to take all of its flits
 * without a stop passes at once: one flit in each cycle, so that only the first and the last one need
 * work (docs/memory/icnt.md, "In one step"). Other packets are moved flit by flit. */
#include "gpu/icnt/icnt_state.h"
#include "parts/jitter.h"

/* The tail of a packet frees its output. The next packet of its sender, if there is one, requests
 * another output from the next cycle on. */
static packet_t *end_packet(crossbar_t *x, uint32_t o, bool to_sms) {
  const uint32_t i = x->out[o].holder;
  sender_t *s = &x->in[i];
  icnt_word(x, o)->held &= ~icnt_bit(o);
  s->out = NO_PORT;
  packet_t *p = packet_queue_pop(&s->q);
  if (s->q.count) icnt_ask(x, i, to_sms);
  return p;
}

/* The packet that enters the boundary buffer is complete there. */
static void complete(const icnt_t *ic, crossbar_t *x, uint32_t o) {
  receiver_t *r = &x->out[o];
  const uint64_t latency = x->time + 1 - r->ring[r->entering]->t_inject;
  r->entering = (r->entering + 1) & ic->ring_mask;
  r->complete++;
  icnt_word(x, o)->waiting |= icnt_bit(o);
  x->stats.delivered++;
  x->stats.latency_sum += latency;
  if (latency > x->stats.latency_max) x->stats.latency_max = latency;
}

/* ---- at once ------------------------------------------------------------------- */

/* Nothing is in the ejection buffer, and the boundary buffer has room for the whole packet. Requests to
 * pop it can only make more. */
static inline bool may_pass(const icnt_t *ic, const crossbar_t *x, uint32_t o, uint32_t flits) {
  if (ic->cfg.jitter || ic->cfg.by_flit) return false;
  if (x->at[o / SET_WORD].by_flit & icnt_bit(o)) return false;
  return x->out[o].boundary_flits + flits <= ic->cfg.boundary_flits;
}

static void end_pass(const icnt_t *ic, crossbar_t *x, uint32_t o, bool to_sms) {
  receiver_t *r = &x->out[o];
  icnt_settle(&x->in[r->holder], x->cycles + 1, ic->cfg.vc_flits);
  r->boundary_flits += end_packet(x, o, to_sms)->flits;
  complete(ic, x, o);
  icnt_word(x, o)->passing &= ~icnt_bit(o);
  x->passing--;
}

/* Ends those that pass their last flit. Returns the first cycle in which another one does, UINT64_MAX if
 * there is none. */
static inline uint64_t end_passes(const icnt_t *ic, crossbar_t *x, bool to_sms, unsigned words) {
  uint64_t last = UINT64_MAX;
  SET_EACH(o, w, words, x->at[w].passing) {
    if (x->out[o].last == x->cycles)
      end_pass(ic, x, o, to_sms);
    else if (x->out[o].last < last)
      last = x->out[o].last;
  }
  return last;
}

/* ---- arbitration --------------------------------------------------------------- */

/* The first member from `from` on, after the last one again from the beginning. */
static inline uint32_t next_round(const set_t *s, uint32_t from, unsigned words) {
  if (words == 1) {
    const uint64_t behind = s->word[0] & UINT64_MAX << from;
    return (uint32_t)__builtin_ctzll(behind ? behind : s->word[0]);
  }
  const uint32_t i = set_next(s, from);
  return i == SET_MEMBERS ? set_next(s, 0) : i;
}

/* Output `o` is given to the oldest packet of sender `i`. */
static void grant(const icnt_t *ic, crossbar_t *x, uint32_t o, uint32_t i) {
  receiver_t *r = &x->out[o];
  sender_t *s = &x->in[i];
  packet_t *p = s->q.head;
  icnt_settle(s, x->cycles, ic->cfg.vc_flits);
  s->out = o;
  r->holder = i;
  r->ring[r->tail] = p;
  r->tail = (r->tail + 1) & ic->ring_mask;
  icnt_word(x, o)->held |= icnt_bit(o);
  if (!may_pass(ic, x, o, p->flits)) {
    r->left = p->flits;
    icnt_word(x, o)->by_flit |= icnt_bit(o);
    return;
  }
  r->last = x->cycles + p->flits - 1;
  icnt_word(x, o)->passing |= icnt_bit(o);
  x->passing++;
}

/* Each free output takes the first requester from its grant pointer on, and the pointer moves past
 * the winner: one iteration of iSLIP in which every sender requests only one output. */
static inline void arbitrate(const icnt_t *ic, crossbar_t *x, bool to_sms, unsigned words) {
  const unsigned in_words = to_sms ? 1 : ic->words;
  SET_EACH(o, w, words, x->at[w].wanted & ~x->at[w].held) {
    receiver_t *r = &x->out[o];
    set_t *want = &x->want[o];
    const uint32_t winner = next_round(want, r->grant, in_words);
    r->grant = winner + 1 == x->n_in ? 0 : winner + 1;
    set_remove(want, winner);
    if (in_words == 1 ? !want->word[0] : set_empty(want)) x->at[w].wanted &= ~icnt_bit(o);
    grant(ic, x, o, winner);
  }
}

/* ---- flit by flit -------------------------------------------------------------- */

static bool stalls(const icnt_t *ic, const crossbar_t *x, uint32_t o, bool to_sms) {
  const jitter_t j = {ic->cfg.jitter, ic->cfg.jitter_seed};
  return j.percent &&
         jitter_stalls(j, jitter_place(to_sms ? JITTER_REPLIES : JITTER_REQUESTS, o), x->time);
}

/* The packet that holds the output: one flit from injection to input buffer, whose credits return
 * within a cycle; one through the crossbar, if the ejection buffer has a credit. */
static void send_flit(const icnt_t *ic, crossbar_t *x, uint32_t o, bool to_sms) {
  receiver_t *r = &x->out[o];
  sender_t *s = &x->in[r->holder];
  s->at = x->cycles + 1;
  if (s->inject_flits > 0 && s->vc_flits < ic->cfg.vc_flits) {
    s->inject_flits--;
    s->vc_flits++;
  }
  if (s->vc_flits == 0 || r->eject_flits + r->credits == ic->cfg.eject_flits) return;
  if (stalls(ic, x, o, to_sms)) return;
  s->vc_flits--;
  r->eject_flits++;
  x->stats.flits_moved++;
  if (--r->left == 0) (void)end_packet(x, o, to_sms);
}

/* Moves one flit from ejection to boundary buffer, if there is one and room for it. */
static void drain(const icnt_t *ic, crossbar_t *x, uint32_t o) {
  receiver_t *r = &x->out[o];
  if (r->eject_flits == 0 || r->boundary_flits >= ic->cfg.boundary_flits) return;
  r->eject_flits--;
  r->credits++;
  r->boundary_flits++;
  if (r->to_enter == 0) r->to_enter = r->ring[r->entering]->flits;
  if (--r->to_enter == 0) complete(ic, x, o);
}

static inline void drain_all(const icnt_t *ic, crossbar_t *x, unsigned words) {
  SET_EACH(o, w, words, x->at[w].by_flit) drain(ic, x, o);
}

/* At the end of each, one credit is returned: the crossbar has it in the next cycle. */
static inline void step_flits(const icnt_t *ic, crossbar_t *x, bool to_sms, unsigned words) {
  SET_EACH(o, w, words, x->at[w].by_flit) {
    receiver_t *r = &x->out[o];
    if (x->at[w].held & icnt_bit(o)) send_flit(ic, x, o, to_sms);
    drain(ic, x, o);
    if (r->credits > 0) r->credits--;
    if (!(x->at[w].held & icnt_bit(o)) && r->eject_flits + r->credits == 0)
      x->at[w].by_flit &= ~icnt_bit(o);
  }
}

/* ---- a cycle ------------------------------------------------------------------- */

/* True if a step is needed in the next cycle for more than packets that pass. */
static inline bool restless(const crossbar_t *x, unsigned words) {
  uint64_t any = 0;
  for (unsigned w = 0; w < words; w++) any |= (x->at[w].wanted & ~x->at[w].held) | x->at[w].by_flit;
  return any;
}

/* The release's two networks share the ejection buffers, and each drains one flit per cycle from
 * every node: replies before their own cycle, requests after it. */
static inline __attribute__((always_inline)) void pass(const icnt_t *ic, crossbar_t *x, bool to_sms,
                                                       unsigned words) {
  const bool twice = ic->cfg.double_drain;
  if (twice && to_sms) drain_all(ic, x, words);
  arbitrate(ic, x, to_sms, words);
  x->stats.flits_moved += x->passing;
  const uint64_t last = end_passes(ic, x, to_sms, words);
  step_flits(ic, x, to_sms, words);
  if (twice && !to_sms) drain_all(ic, x, words);
  x->due = restless(x, words) ? 0 : last;
}

static __attribute__((noinline)) void step(const icnt_t *ic, crossbar_t *x, bool to_sms) {
  if (!to_sms || ic->words == 1)
    pass(ic, x, to_sms, 1);
  else
    pass(ic, x, true, ic->words);
}

void icnt_cycle_one(icnt_t *ic, icnt_direction_t d) {
  crossbar_t *x = &ic->net[d];
  if (x->cycles >= x->due)
    step(ic, x, d == ICNT_REPLY);
  else
    x->stats.flits_moved += x->passing;
  x->time++;
  x->cycles++;
}

void icnt_cycle(icnt_t *ic) {
  icnt_cycle_one(ic, ICNT_REQUEST);
  icnt_cycle_one(ic, ICNT_REPLY);
}

bool icnt_idle(const icnt_t *ic) {
  const crossbar_t *request = &ic->net[ICNT_REQUEST], *reply = &ic->net[ICNT_REPLY];
  return !request->passing && !reply->passing && !restless(request, 1) &&
         !restless(reply, ic->words);
}
