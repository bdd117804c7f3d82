/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/conform/table.h"

#include "verilog/twice/stimulus.h"

#include <inttypes.h>
#include <string.h>

/* ---- the model and the environment ---- */

_Static_assert(sizeof(conform_has_t) <= CONTRACT_HAS, "room for what a map shows");

static void start(void *model, const contract_setup_t *s, uint64_t seed) {
  (void)seed;
  conform_model_start(model, conform_sizes(s->cfg), conform_has(s), s->off);
}

static void legal(void *model, uint64_t *in) {
  conform_model_legal(model, (conform_in_t *)(void *)in);
}

static bool cycle(void *model, const uint64_t *in, const uint64_t *out) {
  return conform_model_cycle(model, (const conform_in_t *)(const void *)in,
                             (const conform_out_t *)(const void *)out);
}

static contract_broken_t *broken(void *model) {
  return &((conform_model_t *)model)->broken;
}

static const void *seen_of(const void *model) {
  return &((const conform_model_t *)model)->seen;
}

static void seen_add(void *to, const void *more) {
  conform_seen_add(to, more);
}

static void env_start(void *env, uint64_t seed, size_t cycles) {
  conform_env_start(env, seed, cycles);
}

static void env_next(void *env, void *model, uint64_t *in) {
  conform_env_next(env, model, (conform_in_t *)(void *)in);
}

/* ---- what counts ---- */

/* Whether the contract looks at this output: the signals of a request or an acceptance count only
 * while there is one. */
static bool looks_at(const char *name, const conform_in_t *in, const conform_out_t *out) {
  const struct {
    const char *name;
    bool when;
  } rule[] = {{"read_ready_o", in->read_valid_i},
              {"read_merge_o", in->read_valid_i && out->read_ready_o},
              {"read_ticket_o", in->read_valid_i && out->read_ready_o},
              {"read_refuse_o", in->read_valid_i && !out->read_ready_o},
              {"line_addr_o", out->line_valid_o},
              {"line_ticket_o", out->line_valid_o},
              {"fill_ready_o", in->fill_valid_i}};
  for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
    if (strcmp(rule[i].name, name) == 0) return in->srst_ni && rule[i].when;
  return in->srst_ni;
}

/* Of the tags and lines of answers, those of the valid ways count. */
static void count_ways(uint64_t *counts, const module_port_t *port, uint64_t valid, unsigned ways) {
  const unsigned each = port->width / ways;
  for (unsigned bit = 0; bit < port->width; bit++)
    if (valid >> bit / each & 1) counts[port->word + bit / 64] |= UINT64_C(1) << bit % 64;
}

static void counts(const contract_setup_t *s, const uint64_t *in_row, const uint64_t *out_row,
                   uint64_t *to) {
  const conform_in_t *in = (const conform_in_t *)(const void *)in_row;
  const conform_out_t *out = (const conform_out_t *)(const void *)out_row;
  module_port_t ins[CONFORM_INS], port[CONFORM_OUTS];
  conform_ports(conform_sizes(s->cfg), ins, port);
  for (unsigned i = 0; i < CONFORM_OUTS; i++) {
    const bool ways =
        strcmp(port[i].name, "answer_tag_o") == 0 || strcmp(port[i].name, "answer_addr_o") == 0;
    if (!s->bind->output[i].there) continue;
    if (ways && in->srst_ni)
      count_ways(to, &port[i], out->answer_valid_o, conform_sizes(s->cfg)->WAYS);
    else if (!ways && looks_at(port[i].name, in, out))
      twice_stimulus_count(to, &port[i]);
  }
}

/* ---- the verdict ---- */

static uint32_t unseen(const contract_setup_t *setup) {
  const conform_has_t *h = conform_has(setup);
  return (h->answer_addr ? 0 : 1u << CONFORM_ADDRESS) | (h->refuse ? 0 : 1u << CONFORM_REFUSAL) |
         (h->busy ? 0 : 1u << CONFORM_LEAK) | (h->line ? 0 : 1u << CONFORM_REQUESTED) |
         (h->answer_ready || h->line ? 0 : 1u << CONFORM_HELD) |
         (h->merge || h->ticket ? 0 : 1u << CONFORM_ONE_ENTRY) |
         (h->fill_ready ? 0 : 1u << CONFORM_FILL_TAKEN);
}

static void print_seen(FILE *out, const contract_setup_t *setup, const void *seen) {
  const conform_seen_t *s = seen;
  (void)setup;
  fprintf(out,
          "  %-12s%" PRIu64 " offered, %" PRIu64 " accepted; of a line that arrives in that cycle "
          "%" PRIu64 ", %" PRIu64 "; of one that leaves %" PRIu64 ", %" PRIu64 "\n",
          "reads", s->offered[CONFORM_ANY], s->accepted[CONFORM_ANY], s->offered[CONFORM_ARRIVING],
          s->accepted[CONFORM_ARRIVING], s->offered[CONFORM_LEAVING], s->accepted[CONFORM_LEAVING]);
  fprintf(out,
          "  %-12s%" PRIu64 " fills, %" PRIu64 " resets; %" PRIu64
          " cycles at most without a reset\n",
          "others", s->fills, s->resets, s->longest);
}

static void print_withheld(FILE *out, const contract_setup_t *s, const void *all) {
  const conform_seen_t *seen = all;
  for (unsigned i = 0; i < CONFORM_WITHHELD; i++) {
    const conform_withheld_t kind = (conform_withheld_t)i;
    if (seen ? seen->withheld[i] == 0
             : !conform_withheld_may(kind, conform_sizes(s->cfg), conform_has(s)))
      continue;
    fprintf(out, "  %-12s%s", "not offered", conform_withheld_text(kind));
    if (seen) fprintf(out, " (%" PRIu64 " cycles)", seen->withheld[i]);
    fputc('\n', out);
  }
}

/* ---- the map ---- */

static bool gives(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < CONFORM_OUTS; i++)
    if (strcmp(b->out[i].name, name) == 0) return b->output[i].there;
  return false;
}

/* Finds out which events of the contract are visible through the map. */
static int find_events(const bind_t *b, bool hold, void *to, mrpb_err_t *err) {
  conform_has_t *has = to;
  static const char *const outs[] = {"read_ready_o", "answer_valid_o", "answer_tag_o"};
  static const char *const ins[] = {"srst_ni", "read_valid_i", "read_addr_i", "read_tag_i",
                                    "fill_valid_i"};
  for (unsigned i = 0; i < sizeof outs / sizeof *outs; i++)
    if (!gives(b, outs[i]))
      return mrpb_fail(err, "%s: no %s, which the contract needs; legal: out %s = EXPR",
                       b->map->file, outs[i], outs[i]);
  for (unsigned i = 0; i < sizeof ins / sizeof *ins; i++)
    if (!bind_uses(b, ins[i]))
      return mrpb_fail(err, "%s: nothing takes %s; legal: in THEIRS = an expression of it",
                       b->map->file, ins[i]);
  *has = (conform_has_t){.merge = gives(b, "read_merge_o"),
                         .refuse = gives(b, "read_refuse_o"),
                         .ticket = gives(b, "read_ticket_o"),
                         .line = gives(b, "line_valid_o"),
                         .line_addr = gives(b, "line_addr_o"),
                         .line_ticket = gives(b, "line_ticket_o"),
                         .fill_ready = gives(b, "fill_ready_o"),
                         .answer_addr = gives(b, "answer_addr_o"),
                         .busy = gives(b, "busy_o"),
                         .answer_ready = bind_uses(b, "answer_ready_i"),
                         .line_ready = bind_uses(b, "line_ready_i"),
                         .hold = hold};
  if (has->line && !has->line_addr && !has->line_ticket)
    return mrpb_fail(err, "%s: a request (line_valid_o) without line_addr_o and line_ticket_o",
                     b->map->file);
  if (bind_uses(b, "fill_ticket_i") && !has->ticket && !(has->line && has->line_ticket))
    return mrpb_fail(err,
                     "%s: fill_ticket_i is taken, but nothing gives an entry's number; legal: out "
                     "read_ticket_o or line_ticket_o = EXPR",
                     b->map->file);
  return 0;
}

static const contract_clause_t clauses[] = {
#define CLAUSE(number, id, name, text) {name, text},
#include "verify/conform/clauses.def"
#undef CLAUSE
};

const contract_t conform_contract = {
    .cls = &conform_class,
    .what = "mrpb-conform",
    .clause = clauses,
    .n_clauses = CONFORM_CLAUSES,
    .checks = CONFORM_CHECKS,
    .hold = "read",
    .most = 60,
    .episode = {CONFORM_EPISODE, CONFORM_EPISODE, CONFORM_LONGEST, CONFORM_EPISODE, CONFORM_EPISODE,
                2 * CONFORM_EPISODE, 4 * CONFORM_EPISODE, CONFORM_EPISODE},
    .model_bytes = sizeof(conform_model_t),
    .seen_bytes = sizeof(conform_seen_t),
    .start = start,
    .legal = legal,
    .cycle = cycle,
    .broken = broken,
    .seen = seen_of,
    .seen_add = seen_add,
    .env_bytes = sizeof(conform_env_t),
    .env_start = env_start,
    .env_next = env_next,
    .sources = CONFORM_SOURCES,
    .has = conform_shorter_has,
    .silence = conform_shorter_silence,
    .goes_with = conform_shorter_goes_with,
    .simpler = conform_shorter_simpler,
    .compare = conform_shorter_compare,
    .say = conform_say,
    .counts = counts,
    .unseen = unseen,
    .print_seen = print_seen,
    .print_withheld = print_withheld,
    .find_events = find_events,
};
