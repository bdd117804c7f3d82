/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/report.h"

#include "bits.h"
#include <inttypes.h>
#include <string.h>

enum { NAMED = 6, LINE = 1200, TABLE = 24 /* lines */ };

void streams_item_text(char text[STREAMS_ITEM_TEXT], const streams_spec_t *s, const uint64_t *w) {
  const unsigned words = (s->payload.width + 63) / 64;
  size_t n = 0;
  text[0] = '\0';
  if (s->has_tag)
    n += (size_t)snprintf(text, STREAMS_ITEM_TEXT, "tag 0x%" PRIx64 "%s", w[0], words ? ", " : "");
  for (unsigned i = words; i > 0; i--) {
    const unsigned bits = i == words ? (s->payload.width - 1) % 64 + 1 : 64;
    n += (size_t)snprintf(text + n, STREAMS_ITEM_TEXT - n, "%s%0*" PRIx64, i == words ? "0x" : "",
                          (int)(bits + 3) / 4, w[i]);
  }
}

/* The least, the mean and the most. */
static void print_range(FILE *out, const items_range_t *r) {
  fprintf(out, "%" PRId64 " / %.1f / %" PRId64, r->least, (double)r->sum / (double)r->n, r->most);
}

static void print_stream(FILE *out, const pair_t *b, unsigned i) {
  const streams_spec_t *s = &b->side[0].spec[i];
  const items_t *m = &b->match[i];
  fprintf(out, "  %-12s%s: ", "stream", s->name);
  if (s->enters) {
    fprintf(out, "%" PRIu64 " items taken%s\n", b->side[1].stream[i].taken,
            s->when ? ", each an answer" : "");
    return;
  }
  fprintf(out, "%" PRIu64 " items compared %s", m->compared, s->has_tag ? "by tag" : "in order");
  if (s->latency == MAP_LATENCY_MEASURED) {
    fprintf(out, ", later than %s by ", b->side[0].called);
    print_range(out, &m->later);
    fprintf(out, " cycles (least, mean, most)");
  } else if (s->latency != MAP_LATENCY_FREE) {
    fprintf(out, ", each at most %lu cycles late", s->latency);
  }
  fputc('\n', out);
  if (s->of < 0 || s->latency != MAP_LATENCY_MEASURED) return;
  fprintf(out, "  %-12s%s after %s: ", "latency", s->name, b->side[0].spec[s->of].name);
  for (unsigned side = 0; side < 2; side++) {
    fprintf(out, "%s%s ", side ? ", " : "", b->side[side].called);
    print_range(out, &b->side[side].latency[i]);
  }
  fprintf(out, " cycles\n");
}

/* Ports that no stream uses. */
static void print_rest(FILE *out, const side_t *s, bool input) {
  unsigned n = 0;
  for (unsigned i = 0; i < s->names->n_ports; i++) {
    const streams_port_t *p = &s->names->port[i];
    if (p->input != input || (int)i == s->reset || streams_uses(s->spec, s->n, p)) continue;
    const bool zero = input && words_get(s->held, p->bit, p->width < 64 ? p->width : 64) == 0;
    if (input && !zero) continue;
    if (n == 0)
      fprintf(out, "  %-12s%s ", input ? "assuming" : "left out",
              input ? "0 at the inputs" : "outputs");
    if (n < NAMED) fprintf(out, "%s%s", n ? ", " : "", p->name);
    n++;
  }
  if (n > NAMED) fprintf(out, " and %u more", n - NAMED);
  if (n > 0) fputc('\n', out);
}

void streams_report_matched(const streams_report_t *r, const pair_t *b, const char *word) {
  fprintf(r->out,
          "%s %" PRIu64 " cycles, %s and %s, %u streams, %" PRIu64 " episodes, %" PRIu64
          " of them drained, seed %" PRIu64 "\n",
          word, b->cycle, b->side[1].called, b->side[0].called, b->side[0].n, b->episodes,
          b->drained, b->seed);
  for (unsigned i = 0; i < b->side[0].n; i++) print_stream(r->out, b, i);
  print_rest(r->out, &b->side[1], false);
  print_rest(r->out, &b->side[1], true);
  if (b->side[1].reset < 0) fprintf(r->out, "  %-12sno reset: one episode\n", "assuming");
}

static void print_item(FILE *out, const items_t *m, const items_item_t *item) {
  char text[STREAMS_ITEM_TEXT];
  streams_item_text(text, m->spec, item->w);
  fputs(text, out);
}

static uint64_t number(const items_t *m) {
  return m->has_expected ? m->expected.n : m->came.n;
}

static void print_both(FILE *out, const pair_t *b, const items_t *m) {
  if (m->has_expected) {
    fprintf(out, "  %-12s", "expected");
    print_item(out, m, &m->expected);
    fprintf(out, ", as %s in cycle %" PRIu64 "\n", b->side[0].called, m->expected.cycle);
  }
  fprintf(out, "  %-12s", "came");
  if (m->has_came) {
    print_item(out, m, &m->came);
    fprintf(out, " from %s in cycle %" PRIu64, b->side[m->side].called, m->came.cycle);
    if (m->kind == ITEMS_DOUBLED)
      fprintf(out, ", which is item %" PRIu64 " again (cycle %" PRIu64 ")", m->twin.n,
              m->twin.cycle);
  } else {
    const uint64_t waited = m->ready[1] - m->expected.ready;
    fprintf(out,
            "nothing from %s up to cycle %" PRIu64
            "; since then its consumer has been ready in %" PRIu64 " cycles",
            b->side[1].called, b->cycle - 1, waited);
  }
  fputc('\n', out);
  if (m->unasked)
    fprintf(out, "  %-12snothing: nobody asked for it\n", "expected");
  else if (!m->has_expected)
    fprintf(out, "  %-12snothing, as %s\n", "expected", b->side[0].called);
}

void streams_report_mismatch(const streams_report_t *r, const pair_t *b) {
  if (b->stopped) {
    fprintf(r->out, "MISMATCH %s, cycle %" PRIu64 "\n  %-12s%s\n", b->side[b->stopper].called,
            b->cycle - 1, "RTL check", b->stopped);
  } else {
    const items_t *m = &b->match[b->broken];
    fprintf(r->out, "MISMATCH %s, stream %s, item %" PRIu64 ": %s\n", b->side[m->side].called,
            m->spec->name, number(m), items_kind(m->kind));
    print_both(r->out, b, m);
  }
}

void streams_report_repeat(const streams_report_t *r, const pair_t *b) {
  fprintf(r->out, "  %-12s%s --cycles %" PRIu64 "\n", "repeat", r->repeat, b->cycles);
}

/* ---- the shortest case ------------------------------------------------------------------------ */

/* Prints a line for each cycle in which something passes: first all are counted, then the ones in
 * the middle are left out. */
typedef struct {
  FILE *out; /* NULL: they are counted */
  size_t lines, line;
  char text[2][LINE]; /* of each side */
  bool broken;
} table_t;

static void passes(void *ctx, const side_t *s, unsigned i, const uint64_t *w) {
  table_t *t = ctx;
  char *text = t->text[s->number], item[STREAMS_ITEM_TEXT];
  const size_t n = strlen(text);
  streams_item_text(item, &s->spec[i], w);
  snprintf(text + n, LINE - n, "%s%s %s", n ? ", " : "", s->spec[i].name, item);
}

static void look(void *ctx, const pair_t *b) {
  table_t *t = ctx;
  const bool breaks = !t->broken && pair_broken(b), any = *t->text[0] || *t->text[1] || breaks;
  const bool hidden = t->lines > TABLE && t->line >= TABLE / 2 && t->line + TABLE / 2 < t->lines;
  if (any && hidden && t->line == TABLE / 2 && t->out)
    fprintf(t->out, "                (%zu cycles more)\n", t->lines - TABLE / 2 * 2);
  if (any && t->out && !hidden) {
    fprintf(t->out, "  %s%12" PRIu64 "  ", breaks ? "->" : "  ", b->cycle);
    for (unsigned s = 0; s < 2; s++)
      fprintf(t->out, "%s%s: %s", s ? " | " : "", b->side[s].called,
              *t->text[s] ? t->text[s] : "-");
    fputc('\n', t->out);
  }
  t->line += any;
  t->broken |= breaks;
  *t->text[0] = *t->text[1] = '\0';
}

static int tabulate(table_t *t, pair_t *b, const script_t *script, mrpb_err_t *err) {
  for (unsigned s = 0; s < 2; s++) {
    b->side[s].passes = passes;
    b->side[s].ctx = t;
  }
  b->look = look;
  b->ctx = t;
  const int rc = pair_play(b, script, err);
  b->look = NULL;
  b->side[0].passes = b->side[1].passes = NULL;
  return rc;
}

int streams_report_shorter(const streams_report_t *r, pair_t *b, const shorter_t *s,
                           mrpb_err_t *err) {
  table_t count = {.out = NULL};
  fprintf(r->out, "  %-12s%zu items in %zu cycles to %zu in %zu, in %" PRIu64 " runs%s\n",
          "shortened", s->items_before, s->cycles_before, script_items(&s->script), s->script.n,
          s->tried, s->bounded ? "; the time was up" : "");
  if (tabulate(&count, b, &s->script, err) != 0) return -1;
  table_t table = {.out = r->out, .lines = count.line};
  if (tabulate(&table, b, &s->script, err) != 0) return -1;
  if (b->stopped)
    fprintf(r->out, "  ->%12" PRIu64 "  %s: %s\n", b->cycle - 1, b->side[b->stopper].called,
            b->stopped);
  else
    print_both(r->out, b, &b->match[b->broken]);
  return 0;
}
