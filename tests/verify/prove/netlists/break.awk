# SPDX-License-Identifier: Apache-2.0
# awk -v kind=KIND -v pick=N -f break.awk NET.v: the netlist with one fault of that kind, at the Nth
# place where it can be (counted modulo their number). Exits 1 if there is none. The netlist is as
# Yosys writes it: a cell's head, a line for each pin, and its end.
function value(l) { return substr(line[l], index(line[l], "(") + 1, length(line[l]) - index(line[l], "(") - length(tail[l]) - 1) }
function put(l, text) { line[l] = "    ." name[l] "(" text ")" tail[l] }
function place(c) { at[places++] = c }
function chosen() { if (!places) exit failed = 1; return at[pick % places] }
function pin(c, wanted,  l) { for (l = first[c]; l <= last[c]; l++) if (name[l] ~ ("^(" wanted ")$")) return l; return 0 }
function flop(c) { return pin(c, "D") && pin(c, "CLK|CK|CP|CLK_N|CLKN") && pin(c, "Q|QN|Q_N") }
function output(l) { return name[l] ~ /^(Y|Z|ZN|X|Q|QN|Q_N|CO|S_OUT)$/ || name[l] ~ /^rdata_/ }
function inputs(c,  l, n) { delete in_pin; for (l = first[c]; l <= last[c]; l++) if (!output(l)) in_pin[n++] = l; return n }
function gate(c) { return !flop(c) && type[c] !~ /^sram_/ && pin(c, "Y|Z|ZN|X") }
function drop(c,  l) { for (l = head[c]; l <= last[c] + 1; l++) line[l] = "" }
function swap(a, b,  v) { v = value(a); put(a, value(b)); put(b, v) }
{ line[NR] = $0 }
/^  [A-Za-z0-9_]+ [^=]+ \($/ && $1 != "module" { cell = ++cells; head[cell] = NR; type[cell] = $1; first[cell] = NR + 1; next }
cell && /^    \./ { name[NR] = $1; sub(/^\./, "", name[NR]); sub(/\(.*/, "", name[NR]); tail[NR] = /,$/ ? ")," : ")"; tail[NR] = substr(tail[NR], 2); last[cell] = NR; next }
/^  \);/ { cell = 0 }
/^  assign [^ ]+_o = \{/ { concat[concats++] = NR }
END {
  for (c = 1; c <= cells; c++) {
    n = inputs(c)
    if (kind == "pins" && type[c] ~ /^(AOI|OAI|MUX|sky130_fd_sc_hd__(a|o)[0-9]|sky130_fd_sc_hd__mux)/) place(c)
    if (kind ~ /^stuck/ && gate(c)) place(c)
    if (kind == "function" && type[c] !~ /X[NO]/ && type[c] ~ /(NAND2|NOR2|AND2|OR2)/) place(c)
    if (kind == "inverter" && type[c] ~ /(INV|inv)/) place(c)
    if (kind ~ /^(undriven|twice|corner|loop|late)$/ && gate(c)) place(c)
    if (kind ~ /^(lost|invert|high|low|clock-.*|reset-value|repeat|flipped|d-self|exchange.*)$/ && flop(c)) place(c)
    if (kind ~ /^(no-reset|bad-reset)$/) for (i = 0; i < n; i++) if (value(in_pin[i]) == "srst_ni") { place(c); break }
    if (kind ~ /^macro-(we|raddr|waddr|wdata)$/ && type[c] ~ /^sram_/) place(c)
    if (kind == "macro-part" && type[c] ~ /^sram_[0-9]+x[0-9]+w/) place(c)
    if (kind ~ /^macro-(re|form)$/ && type[c] ~ /^sram_.*_sync$/) place(c)
  }
  if (kind == "outputs") {
    if (!concats) exit failed = 1
    l = concat[pick % concats]; from = index(line[l], "{ ") + 2; to = index(line[l], "}")
    n = split(substr(line[l], from, to - from), part, ",")
    text = part[2] ", " part[1]; for (i = 3; i <= n; i++) text = text ", " part[i]
    line[l] = substr(line[l], 1, from - 1) text "};"
  }
  else {
    c = chosen(); n = inputs(c); d = pin(c, "D"); q = pin(c, "Q|QN|Q_N"); y = pin(c, "Y|Z|ZN|X"); k = pin(c, "CLK|CK|CP|CLKN|CLK_N")
    if (kind == "pins") swap(in_pin[0], in_pin[n - 1])
    if (kind == "stuck-0") put(in_pin[pick % n], "1'b0")
    if (kind == "stuck-1") put(in_pin[pick % n], "1'b1")
    if (kind == "function") { old = type[c]; new = old
      if (!sub(/NAND2/, "NOR2", new)) if (!sub(/NOR2/, "NAND2", new)) if (!sub(/AND2/, "OR2", new)) sub(/OR2/, "AND2", new)
      if (new ~ /X1$/ && new ~ /^(AND2|OR2)X1/) sub(/X1$/, "X2", new)
      sub(old, new, line[head[c]]) }
    if (kind == "inverter") { add = "  assign " value(y) " = " value(in_pin[0]) ";"; drop(c); line[head[c]] = add }
    if (kind == "undriven") drop(c)
    if (kind == "twice") line[last[c] + 1] = line[last[c] + 1] "\n  assign " value(y) " = srst_ni;"
    if (kind == "corner") put(in_pin[0], "(" value(in_pin[0]) ") ^ (&{" corner "})")
    if (kind == "loop") put(in_pin[0], "(" value(in_pin[0]) ") & " value(y))
    if (kind == "late") { line[head[c]] = "  reg late_q;\n  wire soon;\n  always @(posedge clk_i) late_q <= soon;\n  assign " value(y) " = late_q;\n" line[head[c]]; put(y, "soon") }
    if (kind == "lost") { add = "  assign " value(q) " = " value(d) ";"; drop(c); line[head[c]] = add }
    if (kind == "invert") put(d, "~(" value(d) ")")
    if (kind == "high") put(d, "1'b1")
    if (kind == "low") put(d, "1'b0")
    if (kind == "reset-value") put(d, "(" value(d) ") ^ ~srst_ni")
    if (kind == "clock-falling") put(k, "~clk_i")
    if (kind == "clock-gated") put(k, "clk_i & " value(d))
    if (kind == "clock-reset") put(k, "srst_ni")
    if (kind == "d-self") put(d, value(q))
    if (kind == "exchange") { e = at[(pick + 1) % places]; swap(d, pin(e, "D")) }
    if (kind == "exchange-q") { e = at[(pick + 1) % places]; swap(q, pin(e, "Q|QN|Q_N")) }
    if (kind == "no-reset") for (i = 0; i < n; i++) if (value(in_pin[i]) == "srst_ni") put(in_pin[i], "1'b1")
    if (kind == "bad-reset") for (i = 0; i < n; i++) if (value(in_pin[i]) == "srst_ni") put(in_pin[i], "~srst_ni")
    if (kind == "macro-we") put(pin(c, "we|we_0"), "1'b1")
    if (kind == "macro-part") swap(pin(c, "we_0"), pin(c, "we_1"))
    if (kind == "macro-re") put(pin(c, "re"), "1'b1")
    if (kind == "macro-raddr") swap(pin(c, "raddr_0"), pin(c, "raddr_1"))
    if (kind == "macro-waddr") swap(pin(c, "waddr_0"), pin(c, "waddr_1"))
    if (kind == "macro-wdata") swap(pin(c, "wdata_0"), pin(c, "wdata_1"))
    if (kind == "macro-form") { old = type[c]; sub(/_sync/, "", line[head[c]]); put(pin(c, "re"), ""); line[pin(c, "re")] = "" }
    # Equal to the good one.
    if (kind == "flipped") { v = value(q); put(d, "~(" value(d) ")"); put(q, "turned"); line[head[c]] = "  wire turned;\n  assign " v " = ~turned;\n" line[head[c]] }
    if (kind == "repeat") { v = value(q); line[last[c] + 1] = line[last[c] + 1] "\n  reg more_q, less_q;\n  always @(posedge clk_i) begin more_q <= " value(d) "; less_q <= ~(" value(d) "); end"
      for (l = 1; l <= NR; l++) if (name[l] && l != q && value(l) == v && done++ % 2) put(l, done % 4 ? "more_q" : "~less_q") }
  }
  for (l = 1; l <= NR; l++) if (line[l] != "") print line[l]
}
END { if (failed) exit 1 }
