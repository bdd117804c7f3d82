# SPDX-License-Identifier: Apache-2.0
# Writes the tables of docs/estimate/place.md from tests/estimate/placed.json without quotes and
# commas; docs/generate.sh calls it.
function flush_module() {
  if (module == "") return
  name = module " " sizes
  if ("placed_um2" in v) {
    placed[++np] = sprintf("| %s | %.4f | %.4f | %.0f %% | %.1f | %.2f | %.3f | %.3f | %+.1f %% | %.3f | %.3f | %.0f + %.0f |", name,
      area / 1e6, v["placed_um2"] / 1e6, 100 * v["cell_um2"] / v["placed_um2"], v["wire_um"] / v["sinks"], v["wire_fF"] / v["sinks"],
      v["a.period_ns"], v["b.period_ns"], 100 * (v["b.period_ns"] / v["a.period_ns"] - 1),
      v["a.register_period_ns"], v["b.register_period_ns"], v["place_cpu_s"], v["route_cpu_s"]) }
  if ("luts" in v)
    ice[++ni] = sprintf("| %s | %d | %d | %d | %d | %d | %s | %s |", name, v["luts"], v["flops"], v["carries"], v["rams"],
      v["i.cells"], v["fits"] == "true" ? "yes" : "no", v["MHz"] == "null" ? "-" : sprintf("%.1f", v["MHz"]))
  split("", v)
}
{ key = $1; sub(/:$/, "", key) }
key == "yosys" || key == "nextpnr" || key == "graywolf" || key == "qrouter" || key == "qflow" { with = with (with ? ", " : "") key " " $2 }
key == "module" { flush_module(); module = $2; part = "" }
key == "sizes" { sizes = $0; sub(/^[^:]*: */, "", sizes) }
key == "cells_um2" { area = $2 }
key == "placed" || key == "ice40" { part = key }
key == "without_wires" { times = "a." }
key == "with_wires" { times = "b." }
key == "period_ns" || key == "register_period_ns" { v[times key] = $2; next }
part == "ice40" && key == "cells" { v["i.cells"] = $2; next }
part && NF == 2 { v[key] = $2 }
END {
  flush_module()
  print "Measured by `make estimate-place-record`, which writes `tests/estimate/placed.json`; `make docs` writes"
  print "the tables from it. A test fails if they were recorded for other Verilog. Made with " with ".\n"
  print "Placed and routed, OSU018, 180 nm, typical corner:\n"
  print "| module | cells mm2 | placed mm2 | utilisation | wire a sink, um | fF | period ns, with the ports | with wires | more | between registers | with wires | CPU-s, graywolf + qrouter |"
  print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
  for (i = 1; i <= np; i++) print placed[i]
  print "\niCE40 HX8K:\n"
  print "| module | LUTs | flip-flops | carry | block RAMs | logic cells of 7680 | fits | MHz |"
  print "| --- | ---: | ---: | ---: | ---: | ---: | --- | ---: |"
  for (i = 1; i <= ni; i++) print ice[i]
}
