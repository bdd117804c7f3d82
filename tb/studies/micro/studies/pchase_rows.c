/* SPDX-License-Identifier: Apache-2.0 */
/* See pchase_rows.h. */
#include "studies/micro/studies/pchase_rows.h"
#include "studies/micro/deduce/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void pchase_row_value(study_t *s, const char *cache, const char *what, const char *unit,
                      micro_value_t deduced, double configured, micro_rule_t rule,
                      const char *note) {
  char name[64];
  snprintf(name, sizeof name, "%s %s", cache, what);
  study_row_value(s, name, unit, deduced, configured, rule, note);
}

void pchase_row(study_t *s, const char *cache, const char *what, const char *unit, double deduced,
                double configured, micro_rule_t rule, const char *note) {
  char name[64];
  snprintf(name, sizeof name, "%s %s", cache, what);
  study_row(s, name, unit, deduced, configured, rule, note);
}

static void row_words(study_t *s, const char *cache, const char *what, const char *deduced,
                      const char *configured, const char *note) {
  char name[64];
  snprintf(name, sizeof name, "%s %s", cache, what);
  study_row_words(s, name, deduced, configured, note);
}

/* Adds a row of words that were not decided. */
static void row_open(study_t *s, const char *cache, const char *what, const char *configured,
                     const char *why) {
  char name[64];
  snprintf(name, sizeof name, "%s %s", cache, what);
  study_row_open(s, name, configured, why);
}

/* The ways as "1 x 17, 6 x 8": sets x ways, the largest first. */
static void describe_ways(const deduce_cache_t *d, char *text, size_t size, uint32_t *order) {
  size_t n = 0;
  memcpy(order, d->ways, d->sets * sizeof *order);
  numbers_sort32(order, d->sets);
  for (uint32_t left = d->sets, same; left && n < size; left -= same) {
    for (same = 1; same < left && order[left - 1 - same] == order[left - 1];) same++;
    const char *comma = left < d->sets ? ", " : "";
    n += (size_t)snprintf(text + n, size - n, "%s%u x %u", comma, same, order[left - 1]);
  }
}

static void configured_ways(const pchase_known_t *k, char *text, size_t size) {
  if (k->extra && k->sets > 1)
    snprintf(text, size, "1 x %u, %u x %u", k->ways + k->extra, k->sets - 1, k->ways);
  else
    snprintf(text, size, "%u x %u", k->sets, k->ways + k->extra);
}

static int rows_of_sets(study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                        mrpb_err_t *err) {
  char deduced[96] = "", configured[96];
  uint32_t *order = calloc(d->sets, sizeof *order);
  if (!order) return mrpb_fail(err, "micro: out of memory");
  describe_ways(d, deduced, sizeof deduced, order);
  configured_ways(k, configured, sizeof configured);
  pchase_row(s, k->name, "sets", "sets", d->sets, k->sets, MICRO_EXACT, NULL);
  row_words(s, k->name, "sets x ways", deduced, configured, NULL);
  free(order);
  if (!d->selects || !k->numbers || d->sets < 2) return 0;
  snprintf(deduced, sizeof deduced, "0x%" PRIx64, d->address_bits);
  snprintf(configured, sizeof configured, "0x%" PRIx64, k->bits);
  row_words(s, k->name, "address bits", deduced, configured, NULL);
  return 0;
}

/* The policy's name. A cache of one way has no policy; with two ways the victim alternates. */
static const char *configured_policy(const pchase_known_t *k) {
  static const char *const name[] = {"LRU", "FIFO", "neither LRU nor FIFO"};
  uint32_t ways = k->ways + k->extra;
  if (ways == 1) return "direct mapped";
  return name[ways == 2 && k->replacement == TAGS_FERMI ? TAGS_FIFO : k->replacement];
}

static void rows_of_policy(study_t *s, const pchase_known_t *k, const deduce_cache_t *d) {
  bool fermi = k->replacement == TAGS_FERMI;
  if (d->policy == DEDUCE_CACHE_UNKNOWN)
    row_open(s, k->name, "replacement", configured_policy(k),
             "too few words of a line to watch it");
  else
    row_words(s, k->name, "replacement", deduce_cache_policy_name(d->policy), configured_policy(k),
              NULL);
  if (d->policy != DEDUCE_CACHE_OTHER) return;
  char note[64] = "they never repeat";
  if (d->repeats) snprintf(note, sizeof note, "they repeat after %u passes", d->repeats);
  row_words(s, k->name, "misses alike in each pass", d->repeats == 1 ? "yes" : "no", NULL, note);
  for (unsigned i = 0; i < d->n_shares; i++) {
    char what[64];
    micro_row_t r = {.rule = MICRO_WITHIN, .within = 0.02, .deduced = micro_number(d->share[i])};
    double share = i == 0 ? 1.0 / 2 : 1.0 / 2 / (k->ways - 1);
    snprintf(what, sizeof what, "share of way %u", i + 1);
    snprintf(r.what, sizeof r.what, "%s %s", k->name, what);
    snprintf(note, sizeof note, "of %" PRIu64 " victims, the largest first", d->victims);
    snprintf(r.note, sizeof r.note, "%s", note);
    if (fermi) r.configured = micro_number(share);
    study_add(s, &r);
  }
}

static bool is_page(const deduce_cache_t *d) {
  return d->line >= 4096;
}

static void rows_of_line(study_t *s, const pchase_known_t *k, const deduce_cache_t *d) {
  bool page = is_page(d);
  double unit = page ? 1024 : 1;
  pchase_row(s, k->name, page ? "page" : "line", page ? "KB" : "bytes", (double)d->line / unit,
             (double)k->line / unit, MICRO_EXACT, NULL);
  if (d->fill != d->line)
    pchase_row(s, k->name, "sector", "bytes", (double)d->fill, (double)k->sector, MICRO_EXACT,
               NULL);
}

/* Adds the same rows without an answer. A data cache does hold the data that it was seen to hold
 * without a miss. */
static void rows_of_doubt(study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                          const char *why) {
  bool page = k->line >= 4096;
  double unit = page ? 1024 : 1, lines = (double)k->sets * k->ways + k->extra;
  char ways[96];
  configured_ways(k, ways, sizeof ways);
  pchase_row_value(s, k->name, "lines", "lines", micro_undecided(), lines, MICRO_EXACT, why);
  pchase_row_value(s, k->name, page ? "page" : "line", page ? "KB" : "bytes", micro_undecided(),
                   (double)k->line / unit, MICRO_EXACT, why);
  pchase_row_value(s, k->name, "capacity", "KB",
                   page || !d->complete ? micro_undecided()
                                        : micro_at_least((double)d->capacity / 1024),
                   lines * (double)k->line / 1024, MICRO_EXACT, why);
  pchase_row_value(s, k->name, "sets", "sets", micro_undecided(), k->sets, MICRO_EXACT, why);
  row_open(s, k->name, "sets x ways", ways, why);
  row_open(s, k->name, "replacement", configured_policy(k), why);
}

int pchase_rows_of_cache(study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                         const char *doubt, mrpb_err_t *err) {
  uint64_t lines = (uint64_t)k->sets * k->ways + k->extra;
  if (doubt) {
    rows_of_doubt(s, k, d, doubt);
    return 0;
  }
  pchase_row(s, k->name, "lines", "lines", (double)d->lines, (double)lines, MICRO_EXACT, NULL);
  rows_of_line(s, k, d);
  pchase_row(s, k->name, "capacity", "KB", (double)(d->lines * d->line) / 1024,
             (double)(lines * k->line) / 1024, MICRO_EXACT, NULL);
  if (rows_of_sets(s, k, d, err) != 0) return -1;
  rows_of_policy(s, k, d);
  return 0;
}

void pchase_row_of_failure(study_t *s, const pchase_known_t *k, const char *why) {
  study_row_open(s, k->name, k->sets ? "one" : "none", why);
}

void pchase_row_of_none(study_t *s, const pchase_known_t *k, uint64_t reach) {
  char note[96] = "a miss would cost no more than a hit, so it cannot be seen";
  uint64_t lines = (uint64_t)k->sets * k->ways + k->extra, bytes = lines * k->line;
  bool hidden = lines <= k->front, beyond = bytes >= reach;
  if (s->cfg && hidden)
    snprintf(note, sizeof note, "no larger than the one in front, so it cannot be seen");
  if (s->cfg && beyond)
    snprintf(note, sizeof note, "%" PRIu64 " KB; only %" PRIu64 " KB can be read", bytes / 1024,
             reach / 1024);
  if (k->sets == 0)
    study_row_words(s, k->name, "none", "none", NULL);
  else if (hidden || beyond || k->unseen)
    study_row_words(s, k->name, "none", NULL, s->cfg ? note : NULL);
  else
    study_row_words(s, k->name, "none", "one", NULL);
}

/* If two rows give different page sizes, neither is decided, and what was counted in pages is not
 * known in bytes. */
void pchase_rows_agree(study_t *s) {
  static const char *const pages[] = {"page", "L1 TLB page", "L2 TLB page"}, *const sizes[] = {
                                                                                 "L1 TLB capacity",
                                                                                 "L2 TLB capacity"};
  const micro_row_t *first = NULL;
  bool agree = true;
  for (unsigned i = 0; i < 3; i++) {
    const micro_row_t *r = study_find_row(s, pages[i]);
    if (!r || r->deduced.kind != MICRO_NUMBER) continue;
    if (first) agree = agree && !(fabs(first->deduced.number - r->deduced.number) > 0);
    if (!first) first = r;
  }
  for (unsigned i = 0; !agree && i < 3; i++) study_doubt(s, pages[i], "rows contradict each other");
  for (unsigned i = 0; !agree && i < 2; i++) study_doubt(s, sizes[i], "pages of two sizes");
}
