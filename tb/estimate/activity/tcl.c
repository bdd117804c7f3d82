/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the bits as Tcl for OpenSTA 2.0.17. In a flattened netlist a register is found by the net
 * that its flip-flop drives (verilog/netnames.h). */
#include "estimate/activity/state.h"

#include "estimate/sram.h"
#include "verilog/netnames.h"

#include <inttypes.h>

static void put_bit(const char *command, const char *name, const activity_bit_t *b, uint64_t cycles,
                    FILE *f) {
  fprintf(f, "%s {%s} %.6g %.6g\n", command, name, activity_rate(b->toggles, cycles),
          activity_rate(b->ones, cycles));
}

static void put_bits(const activity_unit_t *u, const activity_signal_t *s, FILE *f) {
  const char *command = s->kind == ACTIVITY_IN ? "mrpb_input" : "mrpb_register";
  char name[NETNAMES_TEXT];
  for (unsigned w = 0; w < s->words; w++)
    for (unsigned b = 0; b < s->width; b++) {
      const activity_bit_t v = activity_bit(u, s, w, b);
      const netnames_t net = {u->cls->stem, v.name, v.words, v.word, v.width, v.bit};
      for (unsigned next = 0; netnames_next(name, &net, &next);) {
        put_bit(command, name, &v, u->cycles, f);
        if (s->kind == ACTIVITY_IN) break; /* a port has its own name only */
      }
    }
}

/* Every pin that a flip-flop drives gets the activity of the register bit of its net; a second pin
 * (QN) gets the inverse. If no net is known, the flip-flop's own name is that of its register
 * (`count_q[3]_reg`, as the section on logic names them). Each bit has its own command, because OpenSTA reads a script line by line,
 * and for each line of a long list it starts again from the list's beginning. */
static const char head[] =
    "set mrpb_ports 0\n"
    "array unset mrpb_rate\n"
    "array unset mrpb_after\n"
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
    /* A memory drives the bits of the register that it has taken in. */
    "    set array [string map {\\\\ {}} $cell]\n"
    "    if {[info exists ::mrpb_after($array)]} {\n"
    "      regexp {[0-9]+$} [get_full_name $pin] bit\n"
    "      set name $::mrpb_after($array)\\[$bit\\]\n"
    "    }\n"
    "    if {![info exists ::mrpb_rate($name)]} {\n"
    "      lappend others $pin $cell $name\n"
    "      continue\n"
    "    }\n"
    "    lassign $::mrpb_rate($name) activity duty\n"
    "    sta::set_power_pin_activity $pin $activity $duty\n"
    "    set known($cell) $::mrpb_rate($name)\n"
    "    set by_net($cell) 1\n"
    "    incr flops\n"
    "    incr found\n"
    "  }\n"
    "  foreach {pin cell name} $others {\n"
    "    set inverse 1\n"
    "    if {![info exists known($cell)]} {\n"
    "      set register [regsub {_reg$} [string map {\\\\ {}} $cell] {}]\n"
    "      incr flops\n"
    "      if {![info exists ::mrpb_rate($register)]} {\n"
    "        lappend lost $name\n"
    "        continue\n"
    "      }\n"
    "      set known($cell) $::mrpb_rate($register)\n"
    "      incr found\n"
    "    }\n"
    /* Beside an output with a known net, the other is the inverse. Alone, its name tells. */
    "    if {![info exists by_net($cell)]} {\n"
    "      set inverse [regexp {^(N.*|.*[NB])$} [file tail [get_full_name $pin]]]\n"
    "    }\n"
    "    lassign $known($cell) activity duty\n"
    "    if {$inverse} { set duty [expr {1 - $duty}] }\n"
    "    sta::set_power_pin_activity $pin $activity $duty\n"
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
  sram_t sram[SRAM_MAX];
  const int n = sram_of(u->cls, u->params, sram, NULL);
  for (int i = 0; i < n; i++)
    if (sram[i].bits > 1 && sram[i].after[0])
      fprintf(f, "set mrpb_after(%s) %s\n", sram[i].array, sram[i].after);
  fprintf(f, "mrpb_activity %s\n", u->cls->stem);
}
