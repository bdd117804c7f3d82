/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `mrpb streams` as JSON. */
#include "base/json_out.h"
#include "verify/streams/report.h"

static json_t *range(const items_range_t *r) {
  json_t *o = json_object();
  json_out_set(&o, "least", json_integer(r->least));
  json_out_set(&o, "mean", json_real((double)r->sum / (double)r->n));
  json_out_set(&o, "most", json_integer(r->most));
  return o;
}

static json_t *stream(const pair_t *b, unsigned i) {
  static const char *const names[] = {"reference", "design"};
  const streams_spec_t *s = &b->side[0].spec[i];
  json_t *o = json_object();
  json_out_set(&o, "name", json_string(s->name));
  json_out_set(&o, "enters", json_boolean(s->enters));
  json_out_set(
      &o, "items",
      json_integer((json_int_t)(s->enters ? b->side[1].stream[i].taken : b->match[i].compared)));
  if (s->enters) return o;
  json_out_set(&o, "by_tag", json_boolean(s->has_tag));
  if (b->match[i].later.n > 0) json_out_set(&o, "later", range(&b->match[i].later));
  for (unsigned k = 0; k < 2 && s->of >= 0; k++) {
    if (b->side[k].latency[i].n == 0) continue;
    json_t *latency = json_object_get(o, "latency");
    if (!latency) {
      json_out_set(&o, "latency", json_object());
      latency = json_object_get(o, "latency");
    }
    if (json_object_set_new(latency, names[k], range(&b->side[k].latency[i])) != 0) {
      json_decref(o);
      return NULL;
    }
  }
  return o;
}

json_t *streams_json(const pair_t *b) {
  json_t *o = json_object(), *list = json_array();
  json_out_set(&o, "matched", json_boolean(!pair_broken(b)));
  json_out_set(&o, "design", json_string(b->side[1].called));
  json_out_set(&o, "reference", json_string(b->side[0].called));
  json_out_set(&o, "cycles", json_integer((json_int_t)b->cycle));
  json_out_set(&o, "episodes", json_integer((json_int_t)b->episodes));
  json_out_set(&o, "drained", json_integer((json_int_t)b->drained));
  json_out_set(&o, "seed", json_integer((json_int_t)b->seed));
  for (unsigned i = 0; i < b->side[0].n; i++) json_out_append(&list, stream(b, i));
  json_out_set(&o, "streams", list);
  return o;
}

static void set_item(json_t **o, const char *name, const char *cycle, const items_t *m,
                     const items_item_t *item) {
  char text[STREAMS_ITEM_TEXT];
  streams_item_text(text, m->spec, item->w);
  json_out_set(o, name, json_string(text));
  json_out_set(o, cycle, json_integer((json_int_t)item->cycle));
}

json_t *streams_json_mismatch(const pair_t *b) {
  json_t *o = json_object();
  json_out_set(&o, "side", json_string(b->side[pair_verdict(b).side].called));
  if (b->stopped) {
    json_out_set(&o, "kind", json_string("check"));
    json_out_set(&o, "check", json_string(b->stopped));
    json_out_set(&o, "came_cycle", json_integer((json_int_t)b->cycle - 1));
    return o;
  }
  const items_t *m = &b->match[b->broken];
  json_out_set(&o, "kind", json_string(items_kind(m->kind)));
  json_out_set(&o, "stream", json_string(m->spec->name));
  json_out_set(&o, "item", json_integer((json_int_t)(m->has_expected ? m->expected.n : m->came.n)));
  if (m->has_expected) set_item(&o, "expected", "expected_cycle", m, &m->expected);
  if (m->has_came) set_item(&o, "came", "came_cycle", m, &m->came);
  return o;
}

json_t *streams_json_shorter(const pair_t *b, const shorter_t *s) {
  json_t *o = json_object();
  json_out_set(&o, "items_before", json_integer((json_int_t)s->items_before));
  json_out_set(&o, "cycles_before", json_integer((json_int_t)s->cycles_before));
  json_out_set(&o, "items", json_integer((json_int_t)script_items(&s->script)));
  json_out_set(&o, "cycles", json_integer((json_int_t)s->script.n));
  json_out_set(&o, "runs", json_integer((json_int_t)s->tried));
  json_out_set(&o, "complete", json_boolean(!s->bounded));
  json_out_set(&o, "mismatch", streams_json_mismatch(b));
  return o;
}
