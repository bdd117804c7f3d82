/* SPDX-License-Identifier: Apache-2.0 */
/* See pchase_rows.h. */
#include "studies/micro/studies/pchase_rows.h"
#include "studies/micro/deduce/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* By how much the share of a way may be off; the least bytes of a page. */
static const double off_share = 0.02;
enum { LEAST_PAGE = 4096 };

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

static void rows_of_sets(study_t *s, const pchase_known_t *k, const deduce_cache_t *d) {
  char deduced[96] = "", configured[96];
  uint32_t *order = calloc(d->sets, sizeof *order);
  if (!order) mrpb_fail(s->on.err, "micro: out of memory");
  if (!order) return;
  describe_ways(d, deduced, sizeof deduced, order);
  configured_ways(k, configured, sizeof configured);
  study_row(s, ROW_CHASE_SETS, d->sets, k->sets, NULL);
  study_row_words(s, ROW_CHASE_WAYS, deduced, configured, NULL);
  free(order);
  if (!d->selects || !k->numbers || d->sets < 2) return;
  snprintf(deduced, sizeof deduced, "0x%" PRIx64, d->address_bits);
  snprintf(configured, sizeof configured, "0x%" PRIx64, k->bits);
  study_row_words(s, ROW_CHASE_BITS, deduced, configured, NULL);
}

/* The policy's name. A cache of one way has no policy; with two ways the victim alternates. */
static const char *configured_policy(const pchase_known_t *k) {
  static const char *const name[] = {"LRU", "FIFO", "neither LRU nor FIFO"};
  uint32_t ways = k->ways + k->extra;
  if (ways == 1) return "direct mapped";
  return name[ways == 2 && k->replacement == TAGS_FERMI ? TAGS_FIFO : k->replacement];
}

static void rows_of_policy(study_t *s, const pchase_known_t *k, const deduce_cache_t *d) {
  study_row_words_unless(
      s, d->policy == DEDUCE_CACHE_UNKNOWN ? "too few words of a line to watch it" : NULL,
      ROW_CHASE_POLICY, deduce_cache_policy_name(d->policy), configured_policy(k), NULL);
  if (d->policy != DEDUCE_CACHE_OTHER) return;
  char note[64] = "they never repeat";
  if (d->repeats) snprintf(note, sizeof note, "they repeat after %u passes", d->repeats);
  study_row_words(s, ROW_CHASE_ALIKE, d->repeats == 1 ? "yes" : "no", NULL, note);
  for (unsigned i = 0; i < d->n_shares; i++) {
    const double share = i == 0 ? 1.0 / 2 : 1.0 / 2 / (k->ways - 1);
    study_of(s, "%s|%u", k->name, i + 1);
    snprintf(note, sizeof note, "of %" PRIu64 " victims, the largest first", d->victims);
    study_row_within(s, ROW_CHASE_SHARE, d->share[i], study_if(k->replacement == TAGS_FERMI, share),
                     off_share, note);
  }
}

static bool is_page(const deduce_cache_t *d) {
  return d->line >= LEAST_PAGE;
}

static void rows_of_line(study_t *s, const pchase_known_t *k, const deduce_cache_t *d) {
  bool page = is_page(d);
  double unit = page ? 1024 : 1;
  study_row(s, page ? ROW_CHASE_PAGE : ROW_CHASE_LINE, (double)d->line / unit,
            (double)k->line / unit, NULL);
  if (d->fill != d->line) study_row(s, ROW_CHASE_SECTOR, (double)d->fill, (double)k->sector, NULL);
}

/* Adds the same rows without an answer. A data cache does hold the data that it was seen to hold
 * without a miss. */
static void rows_of_doubt(study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                          const char *why) {
  bool page = k->line >= LEAST_PAGE;
  double unit = page ? 1024 : 1, lines = (double)k->sets * k->ways + k->extra;
  char ways[96];
  configured_ways(k, ways, sizeof ways);
  study_row_value(s, ROW_CHASE_LINES, micro_undecided(), lines, why);
  study_row_value(s, page ? ROW_CHASE_PAGE : ROW_CHASE_LINE, micro_undecided(),
                  (double)k->line / unit, why);
  study_row_value(s, ROW_CHASE_CAPACITY,
                  page || !d->complete ? micro_undecided()
                                       : micro_at_least((double)d->capacity / 1024),
                  lines * (double)k->line / 1024, why);
  study_row_value(s, ROW_CHASE_SETS, micro_undecided(), k->sets, why);
  study_row_open(s, ROW_CHASE_WAYS, ways, why);
  study_row_open(s, ROW_CHASE_POLICY, configured_policy(k), why);
}

void pchase_rows_of_cache(study_t *s, const pchase_known_t *k, const deduce_cache_t *d,
                          const char *doubt) {
  uint64_t lines = (uint64_t)k->sets * k->ways + k->extra;
  study_of(s, "%s", k->name);
  if (doubt) {
    rows_of_doubt(s, k, d, doubt);
    return;
  }
  study_row(s, ROW_CHASE_LINES, (double)d->lines, (double)lines, NULL);
  rows_of_line(s, k, d);
  study_row(s, ROW_CHASE_CAPACITY, (double)(d->lines * d->line) / 1024,
            (double)(lines * k->line) / 1024, NULL);
  rows_of_sets(s, k, d);
  rows_of_policy(s, k, d);
  study_of(s, "%s", k->name);
}

void pchase_row_of_failure(study_t *s, const pchase_known_t *k, const char *why) {
  study_of(s, "%s", k->name);
  study_row_open(s, ROW_CHASE_CACHE, k->sets ? "one" : "none", why);
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
  study_of(s, "%s", k->name);
  if (k->sets == 0)
    study_row_words(s, ROW_CHASE_CACHE, "none", "none", NULL);
  else if (hidden || beyond || k->unseen)
    study_row_words(s, ROW_CHASE_CACHE, "none", NULL, s->cfg ? note : NULL);
  else
    study_row_words(s, ROW_CHASE_CACHE, "none", "one", NULL);
}

/* If two rows give different page sizes, neither is decided, and what was counted in pages is not
 * known in bytes. */
void pchase_rows_agree(study_t *s) {
  static const struct {
    const char *of;
    study_row_t page;
  } of[] = {{"", ROW_PAGE}, {"L1 TLB", ROW_CHASE_PAGE}, {"L2 TLB", ROW_CHASE_PAGE}};
  const micro_row_t *first = NULL;
  bool agree = true;
  for (unsigned i = 0; i < 3; i++) {
    study_of(s, "%s", of[i].of);
    const micro_row_t *r = study_find_row(s, of[i].page);
    if (!r || r->deduced.kind != MICRO_NUMBER) continue;
    if (first) agree = agree && !(fabs(first->deduced.number - r->deduced.number) > 0);
    if (!first) first = r;
  }
  for (unsigned i = 0; !agree && i < 3; i++) {
    study_of(s, "%s", of[i].of);
    study_doubt(s, of[i].page, "rows contradict each other");
    if (i) study_doubt(s, ROW_CHASE_CAPACITY, "pages of two sizes");
  }
}
