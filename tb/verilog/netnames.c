/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/netnames.h"

#include <stdio.h>
#include <string.h>

static void name_of(char text[NETNAMES_TEXT], const netnames_t *b) {
  int n = snprintf(text, NETNAMES_TEXT, "%s", b->reg);
  if (b->words > 1) n += snprintf(text + n, NETNAMES_TEXT - (size_t)n, "[%u]", b->word);
  if (b->width > 1) snprintf(text + n, NETNAMES_TEXT - (size_t)n, "[%u]", b->bit);
}

/* An array with a single word: synthesis keeps the word's index. */
static void name_in_array(char text[NETNAMES_TEXT], const netnames_t *b) {
  int n = snprintf(text, NETNAMES_TEXT, "%s[0]", b->reg);
  if (b->width > 1) snprintf(text + n, NETNAMES_TEXT - (size_t)n, "[%u]", b->bit);
}

typedef enum {
  SAME,        /* bit for bit */
  FIRST_WORD,  /* element 0 of a memory */
  BIT_OF_WORD, /* bit b of word w is bit w of the b-th vector: the alias has a %u for b */
  LOWEST_BIT,
  HIGHEST_BIT
} part_t;

/* Registers whose nets have a second name, and the part of them that has it. */
static const struct {
  const char *stem, *reg, *alias;
  part_t part;
} aliases[] = {
    {"mrpb", "held_q", "held_o", SAME},
    {"mrpb", "out_valid_q", "out_valid_o", SAME},
    {"mrpb", "out_pass_q", "out_write_o", HIGHEST_BIT},
    {"mrpb", "line_queue_q", "u_drain_selector.add_queue_i", FIRST_WORD},
    {"mrpb", "line_valid_q", "u_drain_selector.add_valid_i", LOWEST_BIT},
    {"mrpb", "u_drain_selector.nonempty_q", "u_drain_selector.nonempty_o", SAME},
    {"mrpb", "u_drain_selector.pick_q", "u_drain_selector.pick_o", SAME},
    {"mrpb", "u_fifo_bank.u_mem.rdata_q", "u_fifo_bank.deq_data_o", SAME},
    {"mrpb", "u_fifo_bank.full_q", "u_fifo_bank.full_o", SAME},
    {"mrpb", "u_fifo_bank.empty_q", "u_fifo_bank.empty_o", SAME},
    /* Yosys 0.52 keeps the name outside the instance. */
    {"mrpb", "u_drain_selector.nonempty_q", "unused_nonempty", SAME},
    {"mrpb", "u_drain_selector.nonempty_q", "sel_valid", SAME}, /* with one queue */
    {"mrpb", "u_drain_selector.pick_q", "pick", SAME},
    {"mrpb", "u_fifo_bank.u_mem.rdata_q", "deq_entry", SAME},
    {"mrpb", "u_fifo_bank.full_q", "full", SAME},
    {"mrpb", "u_fifo_bank.empty_q", "empty", SAME},
    {"mshr", "count_q", "count_o", SAME},
    {"mshr", "drain_q", "u_drain.one_hot_i", SAME},
    {"mshr", "head_q", "gen_drain_head[%u].heads", BIT_OF_WORD},
    {"mshr", "len_q", "gen_drain_len[%u].lens", BIT_OF_WORD},
    {"mshr", "order_q", "gen_next[%u].names", BIT_OF_WORD},
    /* In a table of one entry, the result of a choice is always that entry. */
    {"mshr", "valid_q", "lower", SAME},
    {"mshr", "drain_q", "out_valid_o", SAME},
    {"mshr", "len_q", "full", SAME}, /* and lists of one read */
    {"prt", "count_q", "count_o", SAME},
    {"prt", "next_q", "next_at[1]", SAME}, /* in a table of two entries */
};

/* Gets the bit of the alias with which bit `b` shares its net. Returns false if there is none. */
static bool shares(part_t part, const netnames_t *b, netnames_t *other) {
  *other = *b;
  other->words = 1;
  switch (part) {
  case SAME:
    return true;
  case FIRST_WORD:
    return b->word == 0;
  case BIT_OF_WORD:
    other->bit = b->word;
    other->width = b->words;
    return true;
  case LOWEST_BIT:
    other->width = 1;
    return b->bit == 0;
  case HIGHEST_BIT:
    other->width = 1;
    return b->bit + 1 == b->width;
  }
  return false;
}

/* The name by entry `i` of the table, if it has one for this bit. */
static bool alias_of(char text[NETNAMES_TEXT], const netnames_t *b, unsigned i) {
  char vector[NETNAMES_TEXT];
  netnames_t other;
  if (strcmp(aliases[i].stem, b->stem) != 0 || strcmp(aliases[i].reg, b->reg) != 0 ||
      !shares(aliases[i].part, b, &other))
    return false;
  const char *number = strstr(aliases[i].alias, "%u");
  other.reg = aliases[i].alias;
  if (number) {
    snprintf(vector, sizeof vector, "%.*s%u%s", (int)(number - other.reg), other.reg, b->bit,
             number + 2);
    other.reg = vector;
  }
  name_of(text, &other);
  return true;
}

bool netnames_next(char text[NETNAMES_TEXT], const netnames_t *b, unsigned *next) {
  enum { OWN, IN_ARRAY, ALIASES };
  while (*next < ALIASES + sizeof aliases / sizeof *aliases) {
    const unsigned i = (*next)++;
    if (i == OWN) {
      name_of(text, b);
      return true;
    }
    if (i == IN_ARRAY && b->words == 1) { /* may be an array of one word */
      name_in_array(text, b);
      return true;
    }
    if (i >= ALIASES && alias_of(text, b, i - ALIASES)) return true;
  }
  return false;
}
