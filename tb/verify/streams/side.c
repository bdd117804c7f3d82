/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/side.h"

#include "base/grow.h"
#include "bits.h"
#include "verify/streams/drive.h"

#include <stdlib.h>
#include <string.h>

static int create(side_t *s, mrpb_err_t *err) {
  if (!s->table) return s->cls->create(&s->self, s->cfg, err);
  s->self = s->table->create(1, SHIM_RANDOM);
  return s->self ? 0 : mrpb_fail(err, "out of memory");
}

static void destroy(side_t *s) {
  if (s->self && s->table) s->table->destroy(s->self);
  if (s->self && !s->table) s->cls->destroy(s->self);
  s->self = NULL;
}

int side_open(side_t *s, mrpb_err_t *err) {
  s->in = calloc(2 * s->cls->in_words + s->cls->out_words + 2, sizeof *s->in);
  if (!s->in) return mrpb_fail(err, "out of memory");
  s->held = s->in + s->cls->in_words;
  s->out = s->held + s->cls->in_words;
  s->names->in = s->in;
  s->names->out = s->out;
  s->reset = -1;
  for (unsigned i = 0; i < s->names->n_ports; i++)
    if (strcmp(s->names->port[i].name, "srst_ni") == 0) s->reset = (int)i;
  return create(s, err);
}

int side_restart(side_t *s, mrpb_err_t *err) {
  destroy(s);
  for (unsigned i = 0; i < s->n; i++) {
    s->stream[i].taken = 0;
    s->latency[i] = (items_range_t){.n = 0};
  }
  return create(s, err);
}

void side_close(side_t *s) {
  destroy(s);
  free(s->in);
  for (unsigned i = 0; i < s->n; i++) {
    free(s->stream[i].served);
    items_list_close(&s->stream[i].asked);
  }
}

void side_reset(side_t *s, const uint64_t next[STREAMS_MOST]) {
  for (unsigned i = 0; i < s->n; i++) {
    side_stream_t *p = &s->stream[i];
    p->next = next[i];
    p->offered = false;
    p->n_served = 0;
    p->n_put = next[i];
    p->asked.n = 0;
  }
}

/* ---- inputs ----------------------------------------------------------------------------------- */

bool side_by_tag(const side_t *s, unsigned i) {
  for (unsigned k = 0; k < s->n; k++)
    if (s->spec[k].of == (int)i && s->spec[k].has_tag) return true;
  return false;
}

static bool outstanding(const side_stream_t *p, uint64_t tag) {
  for (size_t i = 0; i < p->asked.n; i++)
    if (items_list_at(&p->asked, i)->w[0] == tag) return true;
  return false;
}

static bool next_item(side_t *s, unsigned i, const side_t *other, const side_cycle_t *c) {
  side_stream_t *p = &s->stream[i];
  const bool unique = side_by_tag(s, i);
  const uint64_t others = other ? other->stream[i].next : p->next;
  if (c->now.drains ? p->next >= others : p->next >= others + SIDE_WINDOW) return false;
  if (c->script && p->next - c->script->first[i] >= c->script->items[i]) return false;
  if (c->script)
    memcpy(p->w, c->script->item[i][p->next - c->script->first[i]], sizeof p->w);
  else
    drive_item(c->seed, i, &s->spec[i], p->next, unique, p->w);
  return !unique || !outstanding(p, p->w[0]);
}

/* With a tag, those that are due may overtake each other. */
static bool next_served(side_t *s, unsigned i, const side_cycle_t *c) {
  side_stream_t *p = &s->stream[i];
  size_t k = 0;
  while (k < p->n_served && p->served[k].due > c->cycle && s->spec[i].has_tag) k++;
  if (k == p->n_served || p->served[k].due > c->cycle) return false;
  memcpy(p->w, p->served[k].w, sizeof p->w);
  memmove(&p->served[k], &p->served[k + 1], (--p->n_served - k) * sizeof *p->served);
  return true;
}

static void offer(side_t *s, unsigned i, const side_t *other, const side_cycle_t *c) {
  const streams_spec_t *spec = &s->spec[i];
  side_stream_t *p = &s->stream[i];
  uint64_t junk[STREAMS_WORDS], valid;
  if (!p->offered && (c->now.offer >> i & 1))
    p->offered = spec->when ? next_served(s, i, c) : next_item(s, i, other, c);
  valid = p->offered;
  drive_fill(spec, drive_hash(c->seed, DRIVE_IDLE, i, c->cycle), junk);
  const uint64_t *w = p->offered ? p->w : junk;
  streams_put(&spec->valid, &valid, s->in);
  streams_put(&spec->tag, w, s->in);
  streams_put(&spec->payload, w + 1, s->in);
}

static uint64_t ready(const side_cycle_t *c, unsigned i) {
  return c->now.ready >> i & 1;
}

static void put_reset(side_t *s, bool active) {
  if (s->reset >= 0) words_put(s->in, s->names->port[s->reset].bit, 1, !active);
}

void side_drive(side_t *s, const side_t *other, const side_cycle_t *c) {
  memcpy(s->in, s->held, s->cls->in_words * sizeof *s->in);
  put_reset(s, c->now.resets);
  for (unsigned i = 0; i < s->n; i++) {
    const streams_spec_t *spec = &s->spec[i];
    const uint64_t no = 0, now = c->now.resets ? 0 : ready(c, i);
    if (!spec->enters && spec->has_ready) streams_put(&spec->ready, &now, s->in);
    if (spec->enters && c->now.resets) streams_put(&spec->valid, &no, s->in);
    if (spec->enters && !c->now.resets) offer(s, i, other, c);
  }
  if (s->table)
    s->table->comb(s->self, s->in, s->out);
  else
    s->cls->comb(s->self, s->in, s->out);
}

/* ---- what has passed -------------------------------------------------------------------------- */

static bool entered(side_t *s, unsigned i, const side_cycle_t *c) {
  const streams_spec_t *spec = &s->spec[i];
  side_stream_t *p = &s->stream[i];
  if (!p->offered || (spec->has_ready && !streams_is(&spec->ready, s->names))) return false;
  p->offered = false;
  p->next++;
  p->taken++;
  if (s->passes) s->passes(s->ctx, s, i, p->w);
  for (unsigned k = 0; k < s->n; k++) {
    if (s->spec[k].of != (int)i) continue;
    items_item_t asked = {.cycle = c->cycle};
    memcpy(asked.w, p->w, sizeof asked.w);
    if (!items_list_push(&p->asked, &asked)) s->out_of_memory = true;
    break;
  }
  return true;
}

/* The request that an item answers: its place in the list, or its length. */
static size_t request(const streams_spec_t *spec, const items_list_t *asked, const uint64_t *w) {
  size_t i = 0;
  while (spec->has_tag && i < asked->n && items_list_at(asked, i)->w[0] != w[0]) i++;
  return i;
}

static bool left(side_t *s, unsigned i, items_t *match, const side_cycle_t *c) {
  const streams_spec_t *spec = &s->spec[i];
  const bool now = !spec->has_ready || ready(c, i);
  uint64_t w[STREAMS_WORDS] = {0};
  if (match) match->ready[s->number] += now;
  if (!now || !streams_is(&spec->valid, s->names)) return false;
  streams_get(&spec->tag, s->names, w);
  streams_get(&spec->payload, s->names, w + 1);
  if (s->passes) s->passes(s->ctx, s, i, w);
  items_list_t *asked = spec->of >= 0 ? &s->stream[spec->of].asked : NULL;
  const size_t k = asked ? request(spec, asked, w) : 0;
  const bool awaited = !asked || k < asked->n;
  if (asked && awaited) {
    items_range_add(&s->latency[i], (int64_t)(c->cycle - items_list_at(asked, k)->cycle));
    items_list_remove(asked, k);
  }
  if (match && awaited) items_item(match, s->number, c->cycle, w);
  if (match && !awaited) items_unasked(match, s->number, c->cycle, w);
  s->stream[i].taken++;
  return true;
}

static bool put_aside(side_t *s, unsigned i, const side_cycle_t *c) {
  const streams_spec_t *spec = &s->spec[i];
  side_stream_t *p = &s->stream[i];
  const scope_t scope = streams_scope(s->names);
  uint64_t value[STREAMS_GIVES], key = c->seed;
  if (expr_eval(spec->when, &scope) == 0) return false;
  side_served_t *to = grow(p->served, p->n_served + 1, &p->room_served, sizeof *to);
  if (!to) return s->out_of_memory = true;
  p->served = to;
  side_served_t *put = &p->served[p->n_served++];
  put->due = c->cycle + drive_delay(c->seed, i, p->n_put++);
  for (unsigned k = 0; k < spec->n_gives; k++) {
    value[k] = expr_eval(spec->give[k].from, &scope);
    key = drive_hash(key, DRIVE_ITEM, k, value[k]);
  }
  drive_fill(spec, key, put->w);
  for (unsigned k = 0; k < spec->n_gives; k++)
    words_put(put->w, spec->give[k].at, spec->give[k].width, value[k]);
  return true;
}

bool side_look(side_t *s, items_t *match, const side_cycle_t *c) {
  bool any = false;
  if (c->now.resets) return false;
  for (unsigned i = 0; i < s->n; i++)
    if (s->spec[i].enters) any |= entered(s, i, c);
  for (unsigned i = 0; i < s->n; i++)
    if (!s->spec[i].enters) any |= left(s, i, match ? &match[i] : NULL, c);
  for (unsigned i = 0; i < s->n; i++)
    if (s->spec[i].when) any |= put_aside(s, i, c);
  return any;
}

void side_edge(side_t *s) {
  if (s->table)
    s->table->edge(s->self);
  else
    s->cls->edge(s->self, s->in);
}
