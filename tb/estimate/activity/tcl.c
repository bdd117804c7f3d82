/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the bits as Tcl for OpenSTA 2.0.17. In a flattened netlist a register is found by the net
 * that its flip-flop drives. If that net is also a port, or a port of an instance, it has only one
 * of several names. */
#include "estimate/activity/state.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum { NAME = 160 };

static void name_of(char text[NAME], const activity_bit_t *b) {
  int n = snprintf(text, NAME, "%s", b->name);
  if (b->words > 1) n += snprintf(text + n, NAME - (size_t)n, "[%u]", b->word);
  if (b->width > 1) snprintf(text + n, NAME - (size_t)n, "[%u]", b->bit);
}

/* An array with a single word: synthesis keeps the word's index. */
static void name_in_array(char text[NAME], const activity_bit_t *b) {
  int n = snprintf(text, NAME, "%s[0]", b->name);
  if (b->width > 1) snprintf(text + n, NAME - (size_t)n, "[%u]", b->bit);
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
static bool shares(part_t part, const activity_bit_t *b, activity_bit_t *other) {
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

/* Gets another name of a register bit, searching from *next on. Returns false if there are no
 * more. */
static bool alias_of(char text[NAME], const activity_unit_t *u, const activity_bit_t *b,
                     unsigned *next) {
  char vector[NAME];
  activity_bit_t other;
  while (*next < sizeof aliases / sizeof *aliases) {
    const unsigned i = (*next)++;
    if (strcmp(aliases[i].stem, u->cls->stem) != 0 || strcmp(aliases[i].reg, b->name) != 0 ||
        !shares(aliases[i].part, b, &other))
      continue;
    const char *number = strstr(aliases[i].alias, "%u");
    other.name = aliases[i].alias;
    if (number) {
      snprintf(vector, sizeof vector, "%.*s%u%s", (int)(number - other.name), other.name, b->bit,
               number + 2);
      other.name = vector;
    }
    name_of(text, &other);
    return true;
  }
  return false;
}

static void put_bit(const char *command, const char *name, const activity_bit_t *b, uint64_t cycles,
                    FILE *f) {
  fprintf(f, "%s {%s} %.6g %.6g\n", command, name, activity_rate(b->toggles, cycles),
          activity_rate(b->ones, cycles));
}

static void put_bits(const activity_unit_t *u, const activity_signal_t *s, FILE *f) {
  const char *command = s->kind == ACTIVITY_IN ? "mrpb_input" : "mrpb_register";
  char name[NAME], alias[NAME];
  for (unsigned w = 0; w < s->words; w++)
    for (unsigned b = 0; b < s->width; b++) {
      activity_bit_t v = activity_bit(u, s, w, b);
      name_of(name, &v);
      put_bit(command, name, &v, u->cycles, f);
      if (s->kind != ACTIVITY_IN && s->words == 1) { /* may be an array of one word */
        name_in_array(name, &v);
        put_bit(command, name, &v, u->cycles, f);
      }
      for (unsigned i = 0; s->kind != ACTIVITY_IN && alias_of(alias, u, &v, &i);)
        put_bit(command, alias, &v, u->cycles, f);
    }
}

/* Every pin that a flip-flop drives gets the activity of the register bit of its net; a second pin
 * (QN) gets the inverse. Each bit has its own command, because OpenSTA reads a script line by line,
 * and for each line of a long list it starts again from the list's beginning. */
static const char head[] =
    "set mrpb_ports 0\n"
    "array unset mrpb_rate\n"
    "proc mrpb_input {name activity duty} {\n"
    "  set_power_activity -input_ports [get_ports $name] -activity $activity -duty $duty\n"
    "  set ::mrpb_port($name) $duty\n"
    "  incr ::mrpb_ports\n"
    "}\n"
    "proc mrpb_register {name activity duty} {\n"
    "  set ::mrpb_rate($name) [list $activity $duty]\n"
    "}\n"
    "proc mrpb_activity {unit} {\n"
    "  set flops 0\n"
    "  set found 0\n"
    "  set lost {}\n"
    "  set others {}\n"
    "  set cells [all_registers -cells]\n"
    "  set_disable_timing $cells\n"
    "  foreach kind {-data_pins -async_pins} {\n"
    "    foreach pin [all_registers $kind] { sta::set_power_pin_activity $pin 0 0 }\n"
    "  }\n"
    "  foreach pin [all_registers -output_pins] {\n"
    "    set net [lindex [get_nets -of_objects $pin] 0]\n"
    "    if {$net eq \"\" || $net eq \"NULL\"} { continue }\n"
    "    set name [string map {\\\\ {}} [get_full_name $net]]\n"
    "    set cell [file dirname [get_full_name $pin]]\n"
    "    if {![info exists ::mrpb_rate($name)]} {\n"
    "      lappend others $pin $cell $name\n"
    "      continue\n"
    "    }\n"
    "    lassign $::mrpb_rate($name) activity duty\n"
    "    sta::set_power_pin_activity $pin $activity $duty\n"
    "    set known($cell) $::mrpb_rate($name)\n"
    "    incr flops\n"
    "    incr found\n"
    "  }\n"
    "  foreach {pin cell name} $others {\n"
    "    if {![info exists known($cell)]} {\n"
    "      lappend lost $name\n"
    "      incr flops\n"
    "      continue\n"
    "    }\n"
    "    lassign $known($cell) activity duty\n"
    "    sta::set_power_pin_activity $pin $activity [expr {1 - $duty}]\n"
    "  }\n"
    "  sta::design_power [sta::cmd_corner]\n"
    "  unset_disable_timing $cells\n"
    "  puts \"activity of $unit: $::mrpb_ports input bits, $found of $flops flip-flops\"\n"
    "  if {$lost ne {}} { puts \"without activity: [lrange $lost 0 9]\" }\n"
    "}\n"
    /* Nothing toggles any more: with the same duties; or with reset active and all registers 0, so
     * that D = Q everywhere. */
    "proc mrpb_still {unit clear} {\n"
    "  foreach name [array names ::mrpb_port] {\n"
    "    set duty [expr {$clear ? 0 : $::mrpb_port($name)}]\n"
    "    set_power_activity -input_ports [get_ports $name] -activity 0 -duty $duty\n"
    "  }\n"
    "  foreach name [array names ::mrpb_rate] {\n"
    "    set duty [expr {$clear ? 0 : [lindex $::mrpb_rate($name) 1]}]\n"
    "    set ::mrpb_rate($name) [list 0 $duty]\n"
    "  }\n"
    "  mrpb_activity $unit\n"
    "}\n";

void activity_tcl(const activity_unit_t *u, FILE *f) {
  activity_signal_t s;
  fprintf(f,
          "# %s: toggles a cycle and duty of inputs and registers in %" PRIu64 " cycles.\n"
          "# OpenSTA 2.0.17: source it after link_design and create_clock, then report_power.\n%s",
          u->cls->stem, u->cycles, head);
  for (unsigned i = 0; activity_signal(u, activity_side(u), i, &s); i++)
    if (s.kind != ACTIVITY_OUT) put_bits(u, &s, f);
  fprintf(f, "mrpb_activity %s\n", u->cls->stem);
}
