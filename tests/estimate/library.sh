# SPDX-License-Identifier: Apache-2.0
# Sourced: $library is Debian's OSU018 where it is installed, else a library of a dozen cells made
# here in $work. The latter suffices for the flow, but its figures mean nothing. $liberty is the
# option that names it, empty for the default.
library=/usr/share/qflow/tech/osu018/osu018_stdcells.lib liberty=

library_make() { # delays and powers rise with the load, alike for all cells
  awk '
    function table(name, low) { # ABC takes no smaller table
      printf "    %s (t) { values (\"%g, %g, %g\"", name, low, low * 1.2, low * 1.4
      printf ", \"%g, %g, %g\", \"%g, %g, %g\"); }\n", low * 2, low * 2.2, low * 2.4, low * 4, low * 4.5, low * 5 }
    function output(pin, text, from, type) {
      printf "  pin (%s) { direction : output; function : \"%s\"; max_capacitance : 2;\n", pin, text
      n = split(from, of, " ")
      for (i = 1; i <= n; i++) {
        printf "   timing () { related_pin : \"%s\"; %s\n", of[i], type
        table("cell_rise", 0.05); table("cell_fall", 0.05); table("rise_transition", 0.06); table("fall_transition", 0.06)
        printf "   }\n   internal_power () { related_pin : \"%s\";\n", of[i]
        table("rise_power", 0.02); table("fall_power", 0.02)
        print "   }"
      }
      print "  }" }
    function input(pin) { printf "  pin (%s) { direction : input; capacitance : 0.009; rise_capacitance : 0.009; fall_capacitance : 0.009; }\n", pin }
    BEGIN {
      print "library (small) {\n delay_model : table_lookup; time_unit : \"1ns\"; voltage_unit : \"1V\"; current_unit : \"1uA\";"
      print " pulling_resistance_unit : \"1kohm\"; leakage_power_unit : \"1nW\"; capacitive_load_unit (1, pf);"
      for (k = split("rise fall", edge, " "); k; k--) {
        printf " slew_lower_threshold_pct_%s : 20; slew_upper_threshold_pct_%s : 80;", edge[k], edge[k]
        printf " input_threshold_pct_%s : 50; output_threshold_pct_%s : 50;\n", edge[k], edge[k] }
      print " nom_process : 1; nom_voltage : 1.8; nom_temperature : 25; default_max_transition : 5;"
      print " operating_conditions (typical) { process : 1; voltage : 1.8; temperature : 25; }\n default_operating_conditions : typical;"
      print " lu_table_template (t) { variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;"
      print "  index_1 (\"0.01, 0.2, 0.5\"); index_2 (\"0.05, 0.5, 1\"); }"
      print " power_lut_template (t) { variable_1 : total_output_net_capacitance; variable_2 : input_transition_time;"
      print "  index_1 (\"0.01, 0.2, 0.5\"); index_2 (\"0.05, 0.5, 1\"); }"
      print " lu_table_template (s) { variable_1 : related_pin_transition; variable_2 : constrained_pin_transition;"
      print "  index_1 (\"0.05, 1\"); index_2 (\"0.05, 1\"); }" }
    { sub(/#.*/, "") }
    NF { split($0, part, "|"); printf " cell (%s) { area : %d; cell_leakage_power : 0.1;\n", part[1], part[2]
      n_in = split(part[3], pin, " "); for (k = 1; k <= n_in; k++) input(pin[k])
      output("Y", part[4], part[3], "timing_sense : " (part[4] ~ /'"'"'/ ? "non" : part[4] ~ /^!/ ? "negative" : "positive") "_unate;"); print " }" }
    END {
      print " cell (DFFPOSX1) { area : 96; cell_leakage_power : 0.2; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"CLK\"; }"
      print "  pin (CLK) { direction : input; clock : true; capacitance : 0.02; }\n  pin (D) { direction : input; capacitance : 0.009;"
      split("setup_rising hold_rising", type, " ")
      for (k = 1; k <= 2; k++) {
        printf "   timing () { related_pin : \"CLK\"; timing_type : %s;\n", type[k]
        for (e = 0; e < 2; e++)
          printf "    %s (s) { values (\"%g, %g\", \"%g, %g\"); }\n", e ? "fall_constraint" : "rise_constraint", 0.2 - 0.2 * (k - 1), 0.3 - 0.3 * (k - 1), 0.2 - 0.2 * (k - 1), 0.3 - 0.3 * (k - 1)
        print "   }" }
      print "  }"; output("Q", "IQ", "CLK", "timing_type : rising_edge; timing_sense : non_unate;"); print " }\n}" }' << 'END'
INVX1|16|A|!A
BUFX2|24|A|A
BUFX4|32|A|(A)
NAND2X1|24|A B|!(A B)
NAND3X1|36|A B C|!(A B C)
NOR2X1|24|A B|!(A+B)
AND2X2|32|A B|A B
OR2X2|32|A B|A+B
XOR2X1|56|A B|(A B') + (A' B)
AOI21X1|32|A B C|!((A B)+C)
OAI21X1|32|A B C|!((A+B) C)
MUX2X1|48|A B S|!((S A) + (S' B))
END
}
if [ ! -e "$library" ]; then
  echo "skipped: figures of OSU018, which is not here: the flow alone, on cells of the test's own"
  library=$work/small.lib liberty="--liberty $work/small.lib"
  library_make > "$library"
fi
library_name=$(sed -n 's/^library *(\(.*\)) *{.*/\1/p' "$library")
