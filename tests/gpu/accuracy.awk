# SPDX-License-Identifier: Apache-2.0
# Makes docs/accuracy.md from tests/data/accuracy.csv, for tests/gpu/accuracy.sh. Every figure of
# the page is computed here.

function abs(x) { return x < 0 ? -x : x }

function commas(n,   s) {
  if (n == "-") return "-"
  n = sprintf("%d", n)
  while (match(n, /^[0-9]+[0-9][0-9][0-9]/) && length(n) > 3) {
    s = "," substr(n, length(n) - 2) s
    n = substr(n, 1, length(n) - 3)
  }
  return n s
}

# By how many per cent v is above r; "0" where they are equal.
function percent(r, v) {
  if (r == "-" || v == "-") return "-"
  if (r == v) return "**equal**"
  return sprintf("%+.2f %%", 100 * (v - r) / r)
}

function label(i,   l) {
  l = kernel[i]
  if (size[i] != "-") l = l ", size " size[i]
  if (cut[i] != "-") l = l ", cut to " cut[i]
  if (steps[i] != "-") l = l ", " steps[i] " steps"
  return l
}

function cache(c) {
  return c == "base-s" ? "Base-S" : c == "base-l" ? "Base-L" : c == "fa-s" ? "FA-S" : c == "base-s-mrpb" ? "Base-S with MRPB" : c
}

# Distances of a setting from the reference over the rows of a suite: median, worst, where, and how
# many are equal.
function distances(s, suite,   i, j, n, d, t) {
  n = 0
  equal[s] = 0
  worst[s] = -1
  for (i = 1; i <= rows; i++) {
    if (group[i] !~ suite || ref[i] == "-" || value[i, s] == "-") continue
    t = abs(100 * (value[i, s] - ref[i]) / ref[i])
    equal[s] += value[i, s] == ref[i]
    if (t > worst[s]) {
      worst[s] = t
      where[s] = label(i) " on " cache(config[i])
    }
    for (j = n++; j > 0 && d[j - 1] > t; j--) d[j] = d[j - 1]
    d[j] = t
  }
  runs = n
  median[s] = n % 2 ? d[(n - 1) / 2] : (d[n / 2 - 1] + d[n / 2]) / 2
}

function find(g, c, k, ct, st,   i) {
  for (i = 1; i <= rows; i++)
    if ((g == "" || group[i] == g) && config[i] == c && kernel[i] == k && cut[i] == ct && set[i] == st) return i
  print "accuracy.awk: no row " g " " c " " k " " ct " " st > "/dev/stderr"
  failed = 1
  exit 1
}

function near(s) {
  if (worst[s] == 0) return sprintf("all %d equal", runs)
  return sprintf("%.2f %%, at worst %.1f %% (%s); %d of %d equal", median[s], worst[s], where[s], equal[s], runs)
}

function setting(s, what, options, meaning) {
  distances(s, "clang|text")
  printf "| **%s** | %s | %s | %s |", what, options, meaning, near(s)
  distances(s, "rodinia")
  printf " %s | %d |\n", near(s), seconds[s]
}

function head(what) {
  print "| " what " | reference | defaults | | reference's text | | and its order | | exact clocks | |"
  print "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
}

function row(i, what,   s, line) {
  line = "| " what " | " commas(ref[i]) " |"
  for (s = 1; s <= 4; s++) line = line " " commas(value[i, s]) " | " percent(ref[i], value[i, s]) " |"
  print line
}

function gain(base, mrpb, s) {
  if (value[base, s] == "-" || value[mrpb, s] == "-") return "- |"
  return commas(value[base, s]) " / " commas(value[mrpb, s]) " = **" sprintf("%.2f", value[base, s] / value[mrpb, s]) "x** |"
}

function times(a, b, s) {
  return value[a, s] == "-" || value[b, s] == "-" ? "-" : sprintf("%.3f", value[a, s] / value[b, s])
}

BEGIN {FS = ","}
FNR == 1 {next}
$1 == "seconds" {for (s = 1; s <= 4; s++) seconds[s] = $(8 + s); next}
{
  rows++
  group[rows] = $1; config[rows] = $2; kernel[rows] = $3; size[rows] = $4; cut[rows] = $5; steps[rows] = $6; set[rows] = $7
  ref[rows] = $8
  for (s = 1; s <= 4; s++) value[rows, s] = $(8 + s)
}
END {
  if (failed) exit 1
  full = find("atax", "base-s", "atax", "-", "-")

  print "# Accuracy\n"
  print "Written by `make accuracy` (`tests/gpu/accuracy.sh`) from `tests/data/accuracy.csv`; do not edit. `make test` fails if the page is not"
  print "that of the file, or if the rows of short runs, measured anew, are not the file's. The reference is GPGPU-Sim 3.2.0 with its"
  print "Tesla C2050 configuration, the simulator and release of the MRPB paper. Nothing in the model is fitted to these figures: it follows"
  print "the release's rules ([sm.md](sm.md), [memory/](memory/icnt.md)). Cycles are those of the SM clock.\n"

  print "## Which setting to take\n"
  print "| setting | options | what it is | PolyBench: median distance | Rodinia, of which there is one text | CPU s for the same rows |"
  print "| --- | --- | --- | --- | --- | ---: |"
  setting(1, "the product's defaults", "none", "the paper's instruction mix (model A), memory that is correct in data terms")
  setting(2, "the reference's text", "`--model C`; `--model B` where the reference ran this project's own text", "instructions as in the reference's runs")
  setting(3, "the reference's order", "and `--set MEMORY_ORDER=reference`", "also its order of memory, which can lose a store ([check.md](check.md))")
  setting(4, "exact clocks", "and `--set CLOCKS=exact`", "as the line above, but clock edges at exact multiples of their periods")
  print ""
  print "The distances are those of the runs of the next two tables. **The defaults' distance is not an error of the memory path**: it is another"
  print "text. Of the last two lines the first shows what the model does with the reference's own input: every run is equal to the cycle. Take\n"
  print "- the **defaults** to compare designs with one another and with the paper, and whenever data must be right;"
  print "- the **reference's text** (`--model C`) to compare with runs of a compiler's code;"
  print "- the **reference's order** to repeat a figure of GPGPU-Sim 3.2.0 to the cycle;"
  print "- **exact clocks** to see how much of a difference is rounding: the reference adds its clock periods as doubles and restarts them at"
  print "  every launch, so that interconnect edges fall just before or just after those of the SMs."
  print "\nCPU seconds are those of the run that wrote this page, of the rows that have figures in all four settings; they depend on the machine and"
  print "are not compared by the test.\n"

  print "## Kernels as the reference's compiler wrote them\n"
  print "clang 14's texts with the sizes as constants (`--model C`, [programs/polybench.md](programs/polybench.md)), which is what the reference ran. The"
  print "second column of each setting is the distance from the reference. Of clang's 2dconv and 3dconv no cycles of the reference are known; with"
  print "the project's own text of them they are, in the next table.\n"
  head("kernel, configuration")
  for (i = 1; i <= rows; i++) if (group[i] == "clang") row(i, label(i) ", " cache(config[i]))
  row(full, "atax, full length, Base-S")

  print "\n## The project's texts on the reference\n"
  print "GPGPU-Sim 3.2.0 was built without CUDA and given the project's own PTX texts (model B, and Rodinia's only ones), launches, arguments"
  print "and addresses, shortened, on three caches (`tests/data/reference.def`; `tests/gpu/test_reference.c`, in `make test`, demands equality in the"
  print "third setting).\n"
  head("kernel, configuration")
  for (i = 1; i <= rows; i++) if (group[i] ~ /text|rodinia/) row(i, label(i) ", " cache(config[i]))

  print "\n## One warp\n"
  print "SM cycles a step of a loop, and mean cycles from an access to the LDST unit's response FIFO. The reference's loops are known by their"
  print "length only, and their instructions are a guess here: rows that are bound by the warp's own issue are a cycle short.\n"
  print "| loop | reference | defaults | | reference's order | |"
  print "| --- | ---: | ---: | ---: | ---: | ---: |"
  what["micro-chain-l1"] = "dependent loads, L1D hit"; what["micro-chain-l2"] = "dependent loads, L2 hit"
  what["micro-chain-dram"] = "dependent loads, DRAM row hit"
  for (i = 1; i <= 32; i *= 2) what["micro-lines-" i] = "32 lanes in " i (i == 1 ? " line" : " lines") ", hits"
  what["micro-stride-1k"] = "stride 1 KB (8 lines in each of 4 sets)"; what["micro-stride-4k"] = "stride 4 KB (32 lines in one set)"
  for (i = 1; i <= rows; i++)
    if (group[i] == "step" || group[i] == "latency")
      printf "| %s`%s`: %s%s | %s | %s | %s | %s | %s |\n", group[i] == "latency" ? "access to response FIFO, " : "", kernel[i],
        what[kernel[i]], config[i] == "fa-s" ? ", fully associative" : group[i] == "latency" && kernel[i] == "micro-chain-l2" ? \
        " (256 steps, 16 of them cold)" : "", ref[i], value[i, 1], percent(ref[i], value[i, 1]), value[i, 3], percent(ref[i], value[i, 3])

  print "\n## atax with the paper's final MRPB\n"
  print "| Base-S / Base-S with the final design, cycles | defaults | reference's text | reference's order |"
  print "| --- | ---: | ---: | ---: |"
  a = find("clang", "base-s", "atax", "128", "-"); b = find("atax", "base-s-mrpb", "atax", "128", "-")
  print "| cut to 128 iterations | " gain(a, b, 1) " " gain(a, b, 2) " " gain(a, b, 3)
  b = find("atax", "base-s-mrpb", "atax", "-", "-")
  print "| full length | " gain(full, b, 1) " " gain(full, b, 2) " " gain(full, b, 3)
  print "\nShort loops understate what the MRPB does, so results to be reported come from full-size runs ([figures.md](figures.md)).\n"

  print "## What a store or a lost line changes\n"
  print "`MEMORY_ORDER = safe` keeps lines that the reference loses to reservations that no fill clears ([check.md](check.md)).\n"
  print "| kernel | safe | reference's order | safe takes |"
  print "| --- | ---: | ---: | ---: |"
  i = find("clang", "base-s", "gemm", "32", "-")
  printf "| gemm, cut to 32, Base-S, `--model C` | %s | %s | %+.2f %% |\n", commas(value[i, 2]), commas(value[i, 3]), 100 * (value[i, 2] / value[i, 3] - 1)
  i = find("atax", "base-s-mrpb", "syrk", "8", "-")
  printf "| syrk, cut to 8, Base-S with MRPB, `--model C` | %s | %s | %+.2f %% |\n", commas(value[i, 2]), commas(value[i, 3]), 100 * (value[i, 2] / value[i, 3] - 1)

  print "\n## Schedulers\n"
  i = find("sched", "base-s", "atax", "-", "SCHEDULER=gto")
  print "`SCHEDULER = gto` over `rr` on Base-S, cycles. The reference with GTO's order takes 22.35 M cycles for atax at full length; here it takes"
  printf "%.2f M with the defaults and %.2f M with the reference's text and order. With loops cut the reference's ratio lies between 0.84 and 1.10,\n", value[i, 1] / 1e6, value[i, 3] / 1e6
  print "for kernels that are not named.\n"
  print "| kernel | defaults | reference's text | reference's order |"
  print "| --- | ---: | ---: | ---: |"
  n = split("atax,128;syrk,32;gesummv,64;syr2k,16;2mm,16;gemm,32", k, ";")
  printf "| atax, full length | %s | %s | %s |\n", times(i, full, 1), times(i, full, 2), times(i, full, 3)
  for (j = 1; j <= n; j++) {
    split(k[j], p, ",")
    a = find("sched", "base-s", p[1], p[2], "SCHEDULER=gto"); b = find("", "base-s", p[1], p[2], "-")
    printf "| %s, cut to %s | %s | %s | %s |\n", p[1], p[2], times(a, b, 1), times(a, b, 2), times(a, b, 3)
  }
  print "\nExact as well, not within a band:\n"
  print "- Recorded L1D accesses of the reference (`build/mrpb replay FILE`): every probe, result, refusal reason and occupancy. An excerpt of a"
  print "  record is `tests/data/l1d-syr2k.txt`; `make test` replays it with the C model and with the Verilog MSHR in its place."
  print "- The DRAM traces of two public DRAM simulators: [memory/dram.md](memory/dram.md)."
}
