/* The bits as Tcl for OpenSTA 2.0.17. In a flattened netlist a register is found by the net that
 * its flip-flop drives; where that net is a port, or a port of an instance, as well, it has one
 * name of several. */
#include "estimate/activity_state.h"

#include <inttypes.h>
#include <string.h>

enum { NAME = 160, ID_W = 6 };

static void name_of(char text[NAME], const activity_bit_t *b) {
  int n = snprintf(text, NAME, "%s", b->name);
  if (b->words > 1) n += snprintf(text + n, NAME - (size_t)n, "[%u]", b->word);
  if (b->width > 1) snprintf(text + n, NAME - (size_t)n, "[%u]", b->bit);
}

/* out_entry_q is {write, warp, block, payload}, each of them a port. */
static void entry_port(char text[NAME], unsigned bit, unsigned data_w) {
  static const char *const ports[] = {"out_block_o", "out_warp_o"};
  unsigned id = bit < data_w ? 0 : (bit - data_w) / ID_W;
  if (bit < data_w)
    snprintf(text, NAME, data_w > 1 ? "out_data_o[%u]" : "out_data_o", bit);
  else if (id < 2)
    snprintf(text, NAME, "%s[%u]", ports[id], (bit - data_w) % ID_W);
  else
    snprintf(text, NAME, "out_write_o");
}

/* The other name of a register bit; empty: none. */
static void alias_of(char text[NAME], const activity_unit_t *u, const activity_bit_t *b) {
  static const struct {
    const char *stem, *reg, *alias;
    bool first_word; /* element 0 of a memory, else a register */
  } table[] = {
      {"mrpb", "held_q", "held_o", false},
      {"mrpb", "out_valid_q", "out_valid_o", false},
      {"mrpb", "line_queue_q", "u_drain_selector.add_queue_i", true},
      {"mshr", "count_q", "count_o", false},
      {"prt", "count_q", "count_o", false},
  };
  text[0] = '\0';
  if (strcmp(b->name, "out_entry_q") == 0) {
    entry_port(text, b->bit, b->width - 2 * ID_W - 1);
    return;
  }
  if (strcmp(b->name, "line_valid_q") == 0 && b->bit == 0)
    snprintf(text, NAME, "u_drain_selector.add_valid_i");
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
    if (strcmp(table[i].stem, u->cls->stem) != 0 || strcmp(table[i].reg, b->name) != 0 ||
        (table[i].first_word && b->word != 0))
      continue;
    activity_bit_t other = *b;
    other.name = table[i].alias;
    other.words = 1;
    name_of(text, &other);
  }
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
      if (s->kind != ACTIVITY_IN) alias_of(alias, u, &v);
      if (s->kind != ACTIVITY_IN && alias[0]) put_bit(command, alias, &v, u->cycles, f);
    }
}

/* Every pin that a flip-flop drives gets what the register bit of its net has. A command a bit:
 * OpenSTA reads a script line by line, and again from its beginning for each line of a long list.
 */
static const char head[] =
    "set mrpb_ports 0\n"
    "array unset mrpb_rate\n"
    "proc mrpb_input {name activity duty} {\n"
    "  set_power_activity -input_ports [get_ports $name] -activity $activity -duty $duty\n"
    "  incr ::mrpb_ports\n"
    "}\n"
    "proc mrpb_register {name activity duty} {\n"
    "  set ::mrpb_rate($name) [list $activity $duty]\n"
    "}\n"
    "proc mrpb_activity {unit} {\n"
    "  set flops 0\n"
    "  set found 0\n"
    "  set lost {}\n"
    "  set cells [all_registers -cells]\n"
    "  set_disable_timing $cells\n"
    "  foreach kind {-data_pins -async_pins} {\n"
    "    foreach pin [all_registers $kind] { sta::set_power_pin_activity $pin 0 0 }\n"
    "  }\n"
    "  foreach pin [all_registers -output_pins] {\n"
    "    set net [lindex [get_nets -of_objects $pin] 0]\n"
    "    if {$net eq \"\" || $net eq \"NULL\"} { continue }\n"
    "    set name [string map {\\\\ {}} [get_full_name $net]]\n"
    "    incr flops\n"
    "    if {![info exists ::mrpb_rate($name)]} {\n"
    "      lappend lost $name\n"
    "      continue\n"
    "    }\n"
    "    lassign $::mrpb_rate($name) activity duty\n"
    "    sta::set_power_pin_activity $pin $activity $duty\n"
    "    incr found\n"
    "  }\n"
    "  sta::design_power [sta::cmd_corner]\n"
    "  unset_disable_timing $cells\n"
    "  puts \"activity of $unit: $::mrpb_ports input bits, $found of $flops flip-flops\"\n"
    "  if {$lost ne {}} { puts \"without activity: [lrange $lost 0 9]\" }\n"
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
