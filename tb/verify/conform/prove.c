/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the monitors need to know of the map as Verilog constants, and starts the job. */
#include "verify/conform/prove.h"

#include "verify/conform/table.h"
#include "verify/contract/verdict.h"
#include "verify/properties/properties.h"

#include <ctype.h>
#include <string.h>

enum { TEXT = 4096, MOST_TAGS_W = 5, MOST_ENTRIES = 16 };

/* The clauses that a single cycle decides. The others need patience, or are the design's own
 * checks. */
static const uint32_t decided = ~(1u << CONFORM_ANSWERED | 1u << CONFORM_FILL_TAKEN |
                                  1u << CONFORM_PROGRESS | 1u << CONFORM_CHECKS);

static void add(char *text, const char *name, unsigned value) {
  const size_t at = strlen(text);
  snprintf(text + at, TEXT - at, "  localparam F_%s = %u;\n", name, value);
}

/* For example ASK_AFTER_FILL for after-fill. */
static void define(char *text, unsigned clause) {
  char name[32];
  snprintf(name, sizeof name, "%s", contract_clause(&conform_contract, clause)->name);
  for (char *c = name; *c; c++) *c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
  const size_t at = strlen(text);
  snprintf(text + at, TEXT - at, "`define ASK_%s\n", name);
}

/* One tag more than the table can hold reads, so that a read too many has a tag as well. */
static unsigned tags(const conform_cfg_t *c) {
  const uint32_t all = c->ENTRIES * c->MERGES;
  const uint32_t n = (c->READS && c->READS < all ? c->READS : all) + 1;
  return n < 1u << c->TAG_W ? n : 1u << c->TAG_W;
}

static unsigned tags_w(const conform_cfg_t *c) {
  return bits_index_w(tags(c));
}

static void constants(const contract_setup_t *s, uint32_t ask, char *text) {
  const conform_has_t *h = conform_has(s);
  const conform_cfg_t *c = conform_sizes(s->cfg);
  const bool tells = conform_undecided_tells(h); /* an entry may then have two slots */
  const unsigned slots = ask >> CONFORM_ENTRIES & 1 ? c->ENTRIES << tells : tags(c) << tells;
  const struct {
    const char *name;
    unsigned value;
  } all[] = {{"TAGS_W", tags_w(c)},
             {"TAGS", tags(c)},
             {"SLOTS", slots},
             {"SLOTS_W", bits_index_w(slots)},
             {"ONE_ENTRY", !(s->off >> CONFORM_ONE_ENTRY & 1)},
             {"MERGE", h->merge},
             {"TELLS", tells},
             {"REFUSE", h->refuse},
             {"TICKET", h->ticket},
             {"LINE", h->line},
             {"LINE_ADDR", h->line_addr},
             {"LINE_TICKET", h->line_ticket},
             {"FILL_READY", h->fill_ready},
             {"ANSWER_ADDR", h->answer_addr},
             {"BUSY", h->busy},
             {"HOLD", h->hold},
             {"ANSWER_READY", h->answer_ready},
             {"LINE_READY", h->line_ready}};
  snprintf(text, TEXT, "%s", tells ? "`define TELLS\n" : "");
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) add(text, all[i].name, all[i].value);
  for (unsigned i = 1; i <= CONFORM_CLAUSES; i++)
    if (ask & decided & 1u << i) define(text, i);
}

static int decide(const conform_prove_t *p, const contract_setup_t *s, const rtl_env_t *env,
                  mrpb_err_t *err) {
  char text[TEXT];
  const conform_cfg_t *c = conform_sizes(s->cfg);
  properties_line_t line = {
      .module = "conform", .depth = p->depth, .induction = 1, .cover = p->depth};
  if (c->ENTRIES > MOST_ENTRIES || tags_w(c) > MOST_TAGS_W) {
    mrpb_fail(err, "a proof of %u entries and reads of %u bits; legal: at most %d, and %d bits",
              c->ENTRIES, tags_w(c), MOST_ENTRIES, MOST_TAGS_W);
    return PROPERTIES_BAD_INPUT;
  }
  contract_report_sizes(s, line.sizes, sizeof line.sizes);
  constants(s, ~(s->off | s->of->unseen(s)), text);
  const properties_setup_t setup = {.root = rtl_env_root(env),
                                    .rtl = "",
                                    .env = env,
                                    .cls = &conform_class,
                                    .constants = text,
                                    .again = p->run->again,
                                    .results = p->results,
                                    .program = "mrpb",
                                    .timeout = p->timeout,
                                    .out = p->run->out};
  return properties_job(&line, &setup, err);
}

static void print_reach(FILE *out, const contract_setup_t *s) {
  fputs("  asked from a reset on, of any inputs that the contract allows", out);
  contract_verdict_off(out, s);
  contract_verdict_not_seen(out, s);
  fputs("; not asked by a proof: answered fill-taken progress checks, and that each entry asks\n",
        out);
  contract_verdict_reach(out, s, NULL);
}

int conform_prove(const conform_prove_t *p, const rtl_env_t *env, mrpb_err_t *err) {
  contract_setup_t s;
  rtl_source_t source = {.made = NULL};
  int rc = contract_run_sizes(p->run, env, &s, err);
  if (rc == RTL_OK) rc = rtl_source_open(&source, env, &conform_class, s.cfg, RTL_TOOLS, err);
  if (rc == RTL_OK && !source.made)
    rc = (mrpb_fail(err, "no file of the design; legal: -f LIST"), RTL_BAD_INPUT);
  if (rc == RTL_OK) {
    s.bind = &source.made->bind;
    s.top = s.bind->top;
    rc = contract_run_events(&s, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
  }
  if (rc == RTL_OK) rc = decide(p, &s, env, err);
  if (rc == RTL_OK) print_reach(p->run->out, &s);
  rtl_source_close(&source);
  return rc;
}
