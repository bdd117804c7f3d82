/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the sources of transactions from the names of the inputs. */
#include "cosim/stim/sources.h"

#include <assert.h>
#include <string.h>

static bool same_source(const char *a, const char *b) {
  size_t n = strcspn(a, "_");
  return n == strcspn(b, "_") && strncmp(a, b, n) == 0;
}

/* The idle value is 0, with two exceptions. */
static uint64_t idle_value(const char *name) {
  if (strcmp(name, "srst_ni") == 0) return 1;
  if (strcmp(name, "l1_answer_i") == 0) return 3; /* the L1 does not look */
  return 0;
}

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), m = strlen(end);
  return n > m && strcmp(name + n - m, end) == 0;
}

bool sources_strobe(const char *name) {
  return ends_with(name, "_valid_i");
}

bool sources_entry(const char *name) {
  return ends_with(name, "_entry_i");
}

/* Finds the port whose name is the source of `of` followed by `end`, or returns -1. */
static int find(const module_port_t *ports, unsigned n, const char *of, const char *end) {
  for (unsigned i = 0; i < n; i++)
    if (same_source(ports[i].name, of) && strcmp(ports[i].name + strcspn(of, "_"), end) == 0)
      return (int)i;
  return -1;
}

static void find_giver(sources_t *s, const module_port_t *out) {
  for (unsigned i = 0; i < s->cls->n_in && !s->gives; i++) {
    const char *name = s->in[i].name;
    const int ready = find(out, s->cls->n_out, name, "_ready_o");
    const int entry = find(out, s->cls->n_out, name, "_entry_o");
    const int merge = find(out, s->cls->n_out, name, "_merge_o");
    if (!sources_strobe(name) || ready < 0 || entry < 0) continue;
    s->gives = true;
    s->gives_valid = s->in[i].word;
    s->gives_ready = out[ready].word;
    s->gives_entry = out[entry].word;
    s->gives_merge = merge < 0 ? -1 : (int)out[merge].word;
  }
}

bool sources_gives(const sources_t *s, const uint64_t *in, const uint64_t *out, uint64_t *entry) {
  if (!s->gives || !in[s->gives_valid] || !out[s->gives_ready]) return false;
  if (s->gives_merge >= 0 && out[s->gives_merge]) return false;
  if (s->starts_reset && !in[s->reset]) return false;
  *entry = out[s->gives_entry];
  return true;
}

void sources_init(sources_t *s, const module_class_t *cls, const uint32_t *cfg) {
  module_port_t out[MODULE_MAX_PORTS];
  memset(s, 0, sizeof *s);
  assert(cls->in_words <= MODULE_MAX_WORDS);
  s->cls = cls;
  cls->ports(cfg, s->in, out);
  for (unsigned i = 0; i < cls->n_in; i++) {
    unsigned k = 0;
    while (!same_source(s->in[k].name, s->in[i].name)) k++;
    s->source[i] = k == i ? s->n++ : s->source[k];
    s->idle[s->in[i].word] = idle_value(s->in[i].name);
    if (strcmp(s->in[i].name, "srst_ni") == 0) s->starts_reset = true, s->reset = s->in[i].word;
  }
  find_giver(s, out);
}

static unsigned words(const module_port_t *p) {
  return (p->width + 63) / 64;
}

bool sources_port_idle(const sources_t *s, unsigned port, const uint64_t *in) {
  const module_port_t *p = &s->in[port];
  return memcmp(in + p->word, s->idle + p->word, words(p) * sizeof *in) == 0;
}

void sources_port_clear(const sources_t *s, unsigned port, uint64_t *in) {
  const module_port_t *p = &s->in[port];
  memcpy(in + p->word, s->idle + p->word, words(p) * sizeof *in);
}

uint32_t sources_active(const sources_t *s, const uint64_t *in) {
  uint32_t mask = 0;
  if (memcmp(in, s->idle, s->cls->in_words * sizeof *in) == 0) return 0;
  for (unsigned i = 0; i < s->cls->n_in; i++)
    if (!sources_port_idle(s, i, in)) mask |= UINT32_C(1) << s->source[i];
  return mask;
}

void sources_silence(const sources_t *s, uint32_t mask, uint64_t *in) {
  for (unsigned i = 0; i < s->cls->n_in; i++)
    if (mask >> s->source[i] & 1) sources_port_clear(s, i, in);
}
