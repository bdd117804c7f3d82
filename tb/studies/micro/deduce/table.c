/* SPDX-License-Identifier: Apache-2.0 */
/* Decides between MSHRs and a PRT: see table.h. */
#include "studies/micro/deduce/table.h"

#include <inttypes.h>
#include <stdio.h>

enum { WARP = 32 };

static uint32_t divide_up(uint32_t a, uint32_t b) {
  return (a + b - 1) / b;
}

/* The MSHRs in use if each serves at most `merges` lanes. */
static uint32_t mshrs(const deduce_table_curve_t *c, uint32_t threads, uint32_t merges) {
  uint32_t lanes = WARP / c->lines, warps = threads / WARP, rest = threads % WARP;
  uint32_t full = rest / lanes, part = rest % lanes;
  if (c->sharing > 1) {
    uint32_t lines = c->lines * divide_up(divide_up(threads, WARP), c->sharing);
    return c->loads * lines * (merges >= WARP ? 1 : divide_up(lanes * c->sharing, merges));
  }
  if (merges >= WARP || lanes * c->lines != WARP)
    return c->loads * (warps * c->lines + divide_up(rest * c->lines, WARP));
  return c->loads *
         ((warps * c->lines + full) * divide_up(lanes, merges) + divide_up(part, merges));
}

uint32_t deduce_table_lines(const deduce_table_curve_t *c, uint32_t threads) {
  return mshrs(c, threads, WARP);
}

/* Warp loads outstanding. */
static uint32_t loads(const deduce_table_curve_t *c, uint32_t threads) {
  return c->loads * divide_up(threads, WARP);
}

/* Entries in use under a hypothesis: MSHRs that serve `merges` lanes each, or a PRT (0). */
static uint32_t in_use(const deduce_table_curve_t *c, uint32_t threads, uint32_t merges) {
  return merges ? mshrs(c, threads, merges) : loads(c, threads);
}

typedef struct {
  const deduce_table_curve_t *curve;
  size_t n;
  uint32_t slack;
} curves_t;

static deduce_interval_t bounds(const curves_t *s, size_t i, uint32_t merges) {
  const deduce_table_curve_t *c = &s->curve[i];
  if (!c->bad) return (deduce_interval_t){in_use(c, c->good, merges), UINT32_MAX};
  uint32_t good = c->good > s->slack ? c->good - s->slack : 0;
  return (deduce_interval_t){in_use(c, good, merges), in_use(c, c->bad + s->slack, merges) - 1};
}

static bool is_empty(deduce_interval_t i) {
  return i.hi < i.lo;
}

static deduce_interval_t meet(deduce_interval_t a, deduce_interval_t b) {
  return (deduce_interval_t){a.lo > b.lo ? a.lo : b.lo, a.hi < b.hi ? a.hi : b.hi};
}

/* The sizes allowed by those curves of `use` that have a spike. */
static deduce_interval_t spikes_allow(const curves_t *s, uint64_t use, uint32_t merges) {
  deduce_interval_t all = {0, UINT32_MAX};
  for (size_t i = 0; i < s->n; i++)
    if (use >> i & 1 && s->curve[i].bad) all = meet(all, bounds(s, i, merges));
  return all;
}

/* Curves of `use` whose spike has another cause, or that have none, still show that so many entries
 * fit. */
static deduce_interval_t raise(const curves_t *s, uint64_t use, uint32_t merges,
                               deduce_interval_t all, uint64_t *contradicted) {
  for (size_t i = 0; i < s->n; i++) {
    if (!(use >> i & 1)) continue;
    deduce_interval_t least = {bounds(s, i, merges).lo, UINT32_MAX};
    if (is_empty(meet(all, least)))
      *contradicted |= UINT64_C(1) << i;
    else
      all = meet(all, least);
  }
  return all;
}

static uint64_t everything(const curves_t *s) {
  return s->n == 64 ? UINT64_MAX : (UINT64_C(1) << s->n) - 1;
}

/* The numbers of lanes per MSHR that agree with the spikes of `use`; empty if none does. */
static deduce_interval_t merges_of(const curves_t *s, uint64_t use) {
  deduce_interval_t m = {UINT32_MAX, 0};
  for (uint32_t merges = WARP; merges >= 1; merges--) {
    if (is_empty(spikes_allow(s, use, merges))) {
      if (m.hi) break;
      continue;
    }
    m.lo = merges;
    if (!m.hi) m.hi = merges;
  }
  uint32_t widest = 1; /* no load wants more lanes of a line: from here on all are alike */
  for (size_t i = 0; i < s->n; i++) {
    uint32_t lanes = WARP / s->curve[i].lines;
    if (use >> i & 1 && s->curve[i].bad && lanes > widest) widest = lanes;
  }
  if (m.hi && m.lo > widest) m.lo = widest;
  if (m.hi >= widest) m.hi = UINT32_MAX;
  return m;
}

/* Fills in the whole answer except its kind, from the curves of `mshr` and those of `prt`. */
static void fill_in(deduce_table_t *out, const curves_t *s, uint64_t mshr, uint64_t prt) {
  uint64_t ignored = 0;
  deduce_interval_t lines = {0, UINT32_MAX}, loads = lines;
  uint32_t merges = WARP;
  out->merges = (deduce_interval_t){1, UINT32_MAX};
  if (mshr) {
    out->merges = merges_of(s, mshr);
    if (out->merges.hi < WARP) merges = out->merges.hi;
    lines = spikes_allow(s, mshr, merges);
  }
  if (prt) loads = spikes_allow(s, prt, 0);
  out->lines = raise(s, everything(s), merges, lines, mshr ? &out->contradicted : &ignored);
  out->loads = raise(s, everything(s), 0, loads, prt ? &out->contradicted : &ignored);
}

/* Checks whether loads of up to some number of lines exhaust PRT entries and loads of more lines
 * exhaust MSHRs. Two curves must confirm each. */
static bool both(deduce_table_t *out, const curves_t *s) {
  for (uint32_t most = 1; most < WARP; most++) {
    uint64_t prt = 0, mshr = 0;
    unsigned n_prt = 0, n_mshr = 0;
    for (size_t i = 0; i < s->n; i++) {
      if (!s->curve[i].bad) continue;
      bool few = s->curve[i].lines <= most;
      *(few ? &prt : &mshr) |= UINT64_C(1) << i;
      (few ? &n_prt : &n_mshr)[0]++;
    }
    if (n_prt < 2 || n_mshr < 2) continue;
    if (is_empty(spikes_allow(s, prt, 0)) || is_empty(spikes_allow(s, mshr, WARP))) continue;
    deduce_table_t t = {.kind = DEDUCE_TABLE_BOTH};
    fill_in(&t, s, mshr, prt);
    if (t.contradicted & (prt | mshr)) continue; /* a curve exceeds the size of the others */
    *out = t;
    return true;
  }
  return false;
}

/* Bit i is set if the spike of curve i contradicts what most of the spikes say. */
static uint64_t odd_ones(const curves_t *s) {
  uint64_t best = 0;
  unsigned most = 0;
  for (uint32_t merges = 0; merges <= WARP; merges += WARP)
    for (size_t i = 0; i < s->n; i++) {
      uint64_t agree = 0;
      unsigned n = 0;
      deduce_interval_t all = {0, UINT32_MAX};
      for (size_t k = 0; k < s->n; k++) {
        size_t j = (i + k) % s->n;
        deduce_interval_t with = meet(all, bounds(s, j, merges));
        if (!s->curve[j].bad || is_empty(with)) continue;
        all = with;
        agree |= UINT64_C(1) << j;
        n++;
      }
      if (n > most) {
        most = n;
        best = agree;
      }
    }
  uint64_t odd = 0;
  for (size_t i = 0; i < s->n; i++)
    if (s->curve[i].bad && !(best >> i & 1)) odd |= UINT64_C(1) << i;
  return odd;
}

static int check(const deduce_table_curve_t *curve, size_t n, mrpb_err_t *err) {
  if (n < 1 || n > DEDUCE_TABLE_CURVES)
    return mrpb_fail(err, "table deduction: %zu curves; legal: 1 to %d", n, DEDUCE_TABLE_CURVES);
  for (size_t i = 0; i < n; i++) {
    const deduce_table_curve_t *c = &curve[i];
    if (c->loads < 1 || c->loads > 4096 || c->lines < 1 || c->lines > WARP || c->good > 1u << 16 ||
        c->bad > 1u << 16 || (c->bad && c->bad <= c->good))
      return mrpb_fail(err,
                       "table deduction, curve %zu: %u loads of %u lines, %u to %u threads; legal: "
                       "1 to 4096 loads, 1 to 32 lines, rising threads up to 65536",
                       i, c->loads, c->lines, c->good, c->bad);
  }
  return 0;
}

int deduce_table(deduce_table_t *out, const deduce_table_curve_t *curve, size_t n, uint32_t slack,
                 mrpb_err_t *err) {
  *out = (deduce_table_t){0};
  if (check(curve, n, err) != 0) return -1;
  curves_t s = {curve, n, slack};
  uint64_t all = everything(&s);
  bool spiked = false;
  for (size_t i = 0; i < n; i++) spiked |= curve[i].bad != 0;
  /* MSHRs of one lane each look like a PRT with 32 times fewer entries, so the simple answers are
   * tried first. */
  bool mshr = !is_empty(spikes_allow(&s, all, WARP)), prt = !is_empty(spikes_allow(&s, all, 0));
  if (!mshr && !prt) mshr = !is_empty(merges_of(&s, all));
  if (!spiked) {
    fill_in(out, &s, 0, 0);
  } else if (mshr && prt) {
    fill_in(out, &s, all, all);
    /* A curve without a spike may decide between the two. */
    deduce_table_t m = {0}, p = {0};
    fill_in(&m, &s, all, 0);
    fill_in(&p, &s, 0, all);
    out->kind = !m.contradicted == !p.contradicted ? DEDUCE_TABLE_EITHER
                : p.contradicted                   ? DEDUCE_TABLE_MSHR
                                                   : DEDUCE_TABLE_PRT;
    if (out->kind == DEDUCE_TABLE_MSHR) out->contradicted = m.contradicted;
    if (out->kind == DEDUCE_TABLE_PRT) out->contradicted = p.contradicted;
  } else if (mshr) {
    fill_in(out, &s, all, 0);
    out->kind = DEDUCE_TABLE_MSHR;
  } else if (prt) {
    fill_in(out, &s, 0, all);
    out->kind = DEDUCE_TABLE_PRT;
  } else if (!both(out, &s)) {
    out->kind = DEDUCE_TABLE_NEITHER;
    out->lines = spikes_allow(&s, all, WARP);
    out->loads = spikes_allow(&s, all, 0);
    out->contradicted = odd_ones(&s);
  }
  return 0;
}

const char *deduce_table_name(deduce_table_kind_t kind) {
  static const char *const name[] = {"nothing ran out", "MSHR",         "PRT",
                                     "MSHR or PRT",     "MSHR and PRT", "neither MSHR nor PRT"};
  return name[kind];
}
