/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the monitors need to know of the map as Verilog constants, and starts the job. */
#include "verify/conform/prove.h"

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
  snprintf(name, sizeof name, "%s", conform_clause(clause)->name);
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

static void constants(const conform_prove_t *p, char *text) {
  const conform_has_t *h = &p->setup->has;
  const conform_cfg_t *c = &p->setup->cfg;
  const bool tells = conform_undecided_tells(h); /* an entry may then have two slots */
  const unsigned slots = p->ask >> CONFORM_ENTRIES & 1 ? c->ENTRIES << tells : tags(c) << tells;
  const struct {
    const char *name;
    unsigned value;
  } all[] = {{"TAGS_W", tags_w(c)},
             {"TAGS", tags(c)},
             {"SLOTS", slots},
             {"SLOTS_W", bits_index_w(slots)},
             {"ONE_ENTRY", !(p->setup->off >> CONFORM_ONE_ENTRY & 1)},
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
    if (p->ask & decided & 1u << i) define(text, i);
}

int conform_prove(const conform_prove_t *p, mrpb_err_t *err) {
  char text[TEXT];
  const conform_cfg_t *c = &p->setup->cfg;
  properties_line_t line = {
      .module = "conform", .depth = p->depth, .induction = 1, .cover = p->depth};
  if (c->ENTRIES > MOST_ENTRIES || tags_w(c) > MOST_TAGS_W) {
    mrpb_fail(err, "a proof of %u entries and reads of %u bits; legal: at most %d, and %d bits",
              c->ENTRIES, tags_w(c), MOST_ENTRIES, MOST_TAGS_W);
    return PROPERTIES_BAD_INPUT;
  }
  for (unsigned i = 0; i < CONFORM_PARAMS; i++) {
    const size_t at = strlen(line.sizes);
    snprintf(line.sizes + at, sizeof line.sizes - at, "%s%s=%u", i ? " " : "",
             conform_params[i].name, ((const uint32_t *)c)[i]);
  }
  constants(p, text);
  const properties_setup_t setup = {.root = rtl_env_root(p->env),
                                    .rtl = "",
                                    .env = p->env,
                                    .cls = &conform_class,
                                    .constants = text,
                                    .again = p->again,
                                    .results = p->results,
                                    .program = "mrpb",
                                    .timeout = p->timeout,
                                    .out = p->out};
  return properties_job(&line, &setup, err);
}
