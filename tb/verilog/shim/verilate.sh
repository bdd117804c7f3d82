#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Calls Verilator and the C++ compiler, with the one set of flags for all builds. The uses:
#   verilate.sh runtime OUT VERILATOR         run-time library, precompiled header; runs the canary;
#                                             OUT/verilator: the program, its folder, the linker's
#                                             option
#   verilate.sh module OUT RUNTIME RTL_DIR STEM [NAME=VALUE]... [FILE]...
#                                             OUT/dut.so of RTL_DIR/STEM.v and RTL_DIR/FILE.v;
#                                             OUT/public.vlt names its registers. tb/verilog/lint
#                                             handles warnings
#   verilate.sh design ...                    the same for a user's design: with loops of any length
#   verilate.sh cover ...                     the same with line coverage
#   verilate.sh mutants OUT RUNTIME STEM      OUT/dut.so of the netlist OUT/mutants.v
#                                             (tb/verify/mutate)
#   verilate.sh plain module|design ...       as without `plain`, but neither Verilator nor the
#                                             compiler optimises, and registers cannot be read: the
#                                             second opinion of tb/verilog/load/second.c. OUT/flags
#                                             are Verilator's
# OUT must exist. Messages go to stderr; the caller (tb/verilog/build.c) owns the cache and cuts the
# messages to a line. -fno-const-bit-op-tree: Verilator 5.006 computes wrong values without it; see
# docs/cosim.md.
set -eu
here=$(cd "$(dirname "$0")/../../.." && pwd)

VERILATOR_FLAGS=(--cc -Wall -O3 -fno-const-bit-op-tree --x-assign unique --x-initial unique --assert
  --no-timing --flatten --prefix Vdut)
# -fno-if-conversion: Verilator's code is full of writes that rarely happen; without a branch each
# of them is made in every cycle.
CXX_FLAGS=(-std=c++14 -O3 -fno-if-conversion -fPIC -fvisibility=hidden -fno-plt -faligned-new -w
  -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -DVM_TRACE_FST=0 -DVM_TRACE_VCD=0 -DVL_TIME_CONTEXT)

level=O3 # of both; also the name of the precompiled header
if [ "$1" = plain ]; then
  level=O0
  VERILATOR_FLAGS=("${VERILATOR_FLAGS[@]/#-O3/-O0}") CXX_FLAGS=("${CXX_FLAGS[@]/#-O3/-O0}")
  shift
fi

mode=$1 out=$2
case $mode in
runtime)
  verilator=$3 include=$("$3" --getenv VERILATOR_ROOT)/include
  [[ $verilator == */* ]] || [ -f "$include/verilated.h" ] || include=/usr/share/verilator/include
  # linking takes half as long as with the other linker, where gold is installed
  linker=-fuse-ld=gold
  g++ "$linker" -Wl,--version > /dev/null 2>&1 || linker=-fuse-ld=bfd
  printf '%s\n' "$verilator" "$include" "$linker" > "$out/verilator"
  ;;
*) { read -r verilator && read -r include && read -r linker; } < "$3/verilator" ;;
esac
verilate() { # verilate OUT [OPTION]... FILE...
  (ulimit -s unlimited 2> /dev/null || true; exec "$verilator" "${VERILATOR_FLAGS[@]}" --Mdir "$@") && in_order "$1" && in_bounds "$1"
}
# Of two nonblocking assignments to one word the later must win. Verilator 5.032 makes those first
# whose conditions are also those of another array, in a process that it has not split.
in_order() { # in_order DIR
  awk -v version="$("$verilator" --version)" '
    match($0, /= *(vlSelfRef\.)?__VdlyVal__[A-Za-z0-9_]+__v[0-9]+;/) {
      name = substr($0, RSTART, RLENGTH - 1); sub(/.*__VdlyVal__/, "", name)
      n = name; sub(/.*__v/, "", n); sub(/__v[0-9]+$/, "", name)
      if (FILENAME SUBSEP name in last && n + 0 < last[FILENAME, name]) {
        gsub(/__DOT__/, ".", name)
        split(version, word, " ")
        printf "%%Error: %s %s changes the order of two assignments to %s; write an always block of its own for %s, or use another version\n", word[1], word[2], name, name > "/dev/stderr"
        exit wrong = 1 }
      last[FILENAME, name] = n + 0 }
    END { exit wrong }' "$1"/Vdut*.cpp
}
# The header of 5.006 counts a wide constant's upper words that it zeroes from the wrong word on, so it
# writes beyond the constant. That is no error of the design's.
in_bounds() { # in_bounds DIR
  grep -q 'WDataOutP o = obase + VL_WORDS_I(lsb)' "$include/verilated_funcs.h" || return 0
  awk -v version="$("$verilator" --version)" '
    function words(bits) { return int((bits + 31) / 32) }
    { for (rest = $0; match(rest, /VL_CONSTHI_W_[0-9]X\([0-9]+, *[0-9]+,/); rest = substr(rest, RSTART + RLENGTH)) {
        split(substr(rest, RSTART, RLENGTH), part, /[(,]/)
        if (words(part[2]) > words(part[3]) + substr(part[1], 14, 1)) {
          split(version, word, " ")
          printf "error: %s %s writes beyond a constant of %d bits; use another version\n", word[1], word[2], part[2] > "/dev/stderr"
          exit wrong = 1 } } }
    END { exit wrong }' "$1"/Vdut*.cpp
}
objects=() # more to link with

# Everything is one translation unit if the generated files are small: then reading the headers takes
# most of the time. Code that runs only once (Verilator's *Slow.cpp) comes last, without
# optimisation: it is up to half of the compiler's work.
one_unit() { # DIR SOURCE
  {
    echo '#include "rtl_runtime.h"'
    for f in "$1"/Vdut*.cpp; do [[ $f == *Slow.cpp ]] || echo "#include \"${f##*/}\""; done
    echo "#include \"$2\""
    echo '#pragma GCC optimize ("O0")'
    for f in "$1"/Vdut*Slow.cpp; do [ ! -e "$f" ] || echo "#include \"${f##*/}\""; done
  } > "$1/all.cpp"
}

# Large files are units of their own, on all processors: as one they take the compiler four times as
# long.
LARGE=2000000 # bytes
many_units() { # SOURCE
  local f
  mkdir "$out/unit"
  for f in "$1" "$out"/Vdut*.cpp; do
    case $f in
    *Slow.cpp) printf '%s\0%s\0' -O0 "$f" ;;
    *) printf '%s\0%s\0' "-$level" "$f" ;;
    esac
  done | xargs -0 -n 2 -P "$(nproc)" "$BASH" -c 'f=${!#}
    exec g++ "${@:1:$#-2}" -include rtl_runtime.h "${@: -2:1}" -c "$f" -o "$0/unit/$(basename "$f" .cpp).o"' \
    "$out" "${CXX_FLAGS[@]}"
}

# Verilator evaluates all logic behind the inputs in every call. At the clock edge no input has
# changed, so half of that work is wasted: skip it. Not where the clock is used for more than
# clocking registers, nor where the generated text is not as expected.
spare_the_edge() {
  local trigger='__VicoTriggered.at(0U) = (0U == vlSelf->__VicoIterCount)' moved='rtl_runtime_moved(vlSelf->vlSymsp->_vm_contextp__) != RTL_RUNTIME_CLOCK' fast
  mapfile -t fast < <(find "$out" -name 'Vdut___024root__DepSet*.cpp' ! -name '*Slow.cpp')
  [ "$(cat "${fast[@]}" | grep -cF "$trigger;")" = 1 ] || return 0
  ! cat "${fast[@]}" | grep -F 'vlSelf->clk_i' | grep -qvE '__VactTriggered|__Vtrigrprev|& 0xfeU' || return 0
  sed -i "s/$trigger;/$trigger \\&\\& $moved;/" "${fast[@]}"
  cat "${fast[@]}" | tr -d ' \n' | grep -qF "$posedge" || return 0
  ! cat "${fast[@]}" | grep -qF '__VactTriggered.at(1U)' || return 0
  spare_the_inputs "${fast[@]}"
  straight "${fast[@]}"
}
posedge='__VactTriggered.at(0U)=((IData)(vlSelf->clk_i)&(~(IData)(vlSelf->__Vtrigrprev__TOP__clk_i)));'

# What a change of the inputs and the rising edge evaluate is known: nothing is asked, and nothing is
# repeated. Not where something is evaluated before the registers.
straight() { # FILE...
  ! cat "$@" | grep -qE '__V(ico|nba)Triggered.at\(1U\)' || return 0
  ! cat "$@" | sed -n '/^void Vdut___024root___eval_act(/,/^}/p' | grep -qF '// Body' || return 0
  sed -i '/^void Vdut___024root___eval(Vdut___024root\* vlSelf) {/,/^}/ s|^ *// Body|&\
    const rtl_runtime_moved_t moved = rtl_runtime_moved(vlSelf->vlSymsp->_vm_contextp__);\
    if (moved == RTL_RUNTIME_INPUTS) {\
        vlSelf->__VicoTriggered.at(0U) = 1U;\
        vlSelf->__Vtrigrprev__TOP__clk_i = vlSelf->clk_i;\
        return Vdut___024root___eval_ico(vlSelf);\
    }\
    if (moved == RTL_RUNTIME_CLOCK \&\& !vlSelf->__Vtrigrprev__TOP__clk_i) {\
        vlSelf->__VnbaTriggered.at(0U) = 1U;\
        vlSelf->__Vtrigrprev__TOP__clk_i = vlSelf->clk_i;\
        return Vdut___024root___eval_nba(vlSelf);\
    }|' "$@"
}

# After the registers have changed, Verilator evaluates all logic behind them, also what inputs reach,
# although the next shim_comb evaluates that again. Drop a statement of the edge if the part for
# changed inputs has the same one, and no later statement of the edge reads what it assigns.
spare_the_inputs() { # FILE...
  awk -v stem="$stem" -v shown="$out/regs.h" '
    function depth(s,  up) {
      gsub(/"([^"\\]|\\.)*"/, "", s)
      up = gsub(/[({]/, "", s)
      return up - gsub(/[)}]/, "", s)
    }
    # Whether the statement does nothing but assign, and only to what is not needed.
    function is_spare(s,  all, n, name) {
      if (all_needed || s ~ /VL_|Verilated|vlSymsp|\(vlSelf[,)]/) return 0
      all = gsub(/[^=!<>]=[^=]/, "&", s)
      for (; match(s, /[A-Za-z_][A-Za-z_0-9]*(\[[A-Za-z_0-9>-]*\])?=[^=]/); n++) {
        split(substr(s, RSTART, RLENGTH), name, /[=[]/)
        if (name[1] in needed) return 0
        s = substr(s, RSTART + RLENGTH)
      }
      return n == all
    }
    function need(s,  n, i, name) {
      n = split(s, name, /[^A-Za-z_0-9]+/)
      for (i = 1; i <= n; i++) needed[name[i]]
      if (s ~ /\(vlSelf[,)]/) all_needed = 1
    }
    BEGIN {
      while ((getline line < shown) > 0)
        if (match(line, /, [A-Za-z_0-9]+\)/)) needed[stem "__DOT__" substr(line, RSTART + 2, RLENGTH - 3)]
      n = n_calls = 0
    }
    FNR == 1 { file[++n_files] = FILENAME; name = "" }
    /^(VL_INLINE_OPT )?void Vdut___024root___.*\(Vdut___024root\* vlSelf.*\{$/ {
      match($0, /Vdut___024root___[A-Za-z_0-9]+/)
      name = substr($0, RSTART, RLENGTH); first[name] = n; body = level = 0
    }
    /^}/ { name = "" }
    name ~ /_eval_(ico|nba)$/ && match($0, /Vdut___024root___(ico|nba)_[A-Za-z_0-9]+\(vlSelf\);/) {
      call[n_calls++] = substr($0, RSTART, RLENGTH - 9)
    }
    { # one statement of a body, or one other line
      text[n] = text[n] $0 "\n"; of[n] = n_files; last[name] = n
      level += name != "" && body ? depth($0) : 0
      if (name == "" || !body || (level == 0 && /[;}]$/)) {
        if (name != "" && body) { bare[n] = text[n]; gsub(/[ \t\n]/, "", bare[n]) }
        n++
      }
      if (/\/\/ Body$/) body = 1
    }
    END {
      for (c = 0; c < n_calls; c++) {
        if (!(call[c] in first)) exit
        for (i = first[call[c]]; call[c] ~ /___ico_/ && i <= last[call[c]]; i++) if (i in bare) ico[bare[i]]
      }
      for (c = n_calls - 1; c >= 0; c--)
        for (i = last[call[c]]; call[c] ~ /___nba_/ && i >= first[call[c]]; i--)
          if (!(i in bare)) continue
          else if (bare[i] in ico && is_spare(bare[i])) text[i] = ""
          else need(bare[i])
      ORS = ""
      for (i = 0; i < n; i++) print text[i] > file[of[i]]
    }' "$@"
}

# Loops that Verilator has unrolled bit by bit.
reroll() {
  local file
  find "$out" -name 'Vdut___024root__DepSet*.cpp' ! -name '*Slow.cpp' | while read -r file; do
    LC_ALL=C awk -f "$here/tb/verilog/shim/reroll.awk" "$file" > "$file.rerolled"
    mv "$file.rerolled" "$file"
  done
}

# Most of the branches of an unrolled loop test one bit of many, or whether a word was written: they
# are rarely taken. What they guard is moved out of the way of the rest, which then fits the
# instruction cache.
rare_last() {
  find "$out" -name 'Vdut___024root__DepSet*.cpp' ! -name '*Slow.cpp' -print0 | xargs -0 -r sed -i -z -E \
    's/if \((__Vdlyvset__[A-Za-z0-9_]+|\(1U[ \n]*&[^{};]*\))\) \{/if (VL_UNLIKELY(\1)) {/g'
}

# The generated code speaks to threads in every call. There are none.
spare_the_threads() {
  sed -i -E '/^ +Verilated::(mtaskId\(0\)|endOfThreadMTask\(vlSymsp->__Vm_evalMsgQp\)|endOfEval\(vlSymsp->__Vm_evalMsgQp\));$/d' "$out/Vdut.cpp"
}

shared_object() { # RUNTIME STEM [DEFINE]...
  local runtime=$1 stem=$2
  shift 2
  spare_the_threads
  [ "$level" = O0 ] || reroll
  rare_last
  local header=$stem.h ports=ports/$stem.ports.h # of the C side; the contract has no model
  [ -e "$here/cmodel/$header" ] || header=verify/$stem/iface.h ports=verify/$stem/iface.ports.h
  CXX_FLAGS+=("$@" "-DSHIM_STEM=$stem" "-DSHIM_HEADER=\"$header\"" "-DSHIM_PORTS=\"$ports\""
    -I"$runtime" -I"$out" -I"$include" -I"$include/vltstd" -I"$here/cmodel" -I"$here/tb")
  local units=("$out/all.cpp")
  if [ "$(cat "$out"/Vdut*.cpp | wc -c)" -gt "$LARGE" ]; then
    many_units "$here/tb/verilog/shim/shim.cpp"
    units=("$out"/unit/*.o)
  else
    one_unit "$out" "$here/tb/verilog/shim/shim.cpp"
  fi
  g++ "${CXX_FLAGS[@]}" "$linker" -shared -Wl,-Bsymbolic -Wl,-z,defs -o "$out/dut.so" "${units[@]}" \
    "$runtime/verilated.o" "$runtime/verilated_threads.o" "${objects[@]}" -lpthread
}

case $1 in
runtime)
  cp "$here/tb/verilog/shim/rtl_runtime.h" "$out/"
  for source in verilated verilated_threads verilated_cov; do
    g++ "${CXX_FLAGS[@]}" -DRTL_RUNTIME_LIBRARY -I"$include" -I"$include/vltstd" -include "$out/rtl_runtime.h" \
      -c "$include/$source.cpp" -o "$out/$source.o" &
    jobs="${jobs:-} $!"
  done
  mkdir "$out/rtl_runtime.h.gch" # the compiler picks the one with its own flags
  for level in O0 O3; do
    g++ "${CXX_FLAGS[@]/#-O3/-$level}" -I"$include" -I"$include/vltstd" -x c++-header "$out/rtl_runtime.h" \
      -o "$out/rtl_runtime.h.gch/$level" &
    jobs="$jobs $!"
  done
  for job in $jobs; do wait "$job"; done
  # The canary: a simulator that evaluates expressions wrongly is not used (exit 3).
  canary=$out/canary
  mkdir "$canary"
  verilate "$canary" -Wno-UNUSED --top-module canary "$here/tb/verilog/canary/canary.v"
  one_unit "$canary" "$here/tb/verilog/canary/canary.cpp"
  g++ "${CXX_FLAGS[@]}" -I"$out" -I"$canary" -I"$include" -I"$include/vltstd" "$linker" -o "$canary/canary" \
    "$canary/all.cpp" "$out/verilated.o" "$out/verilated_threads.o" -lpthread
  "$canary/canary" || exit 3
  rm -r "$canary"
  ;;
module | design | cover)
  runtime=$3 rtl=$4 stem=$5
  [ "$1" != design ] || VERILATOR_FLAGS+=(--unroll-count 4096 --unroll-stmts 100000)
  [ "$1" != cover ] || {
    VERILATOR_FLAGS+=(--coverage-line)
    CXX_FLAGS+=(-UVM_COVERAGE -DVM_COVERAGE=1)
    objects+=("$runtime/verilated_cov.o")
  }
  shift 5
  parameters=() files=()
  for word; do
    case $word in
    *=*) parameters+=("-G$word") ;;
    *) files+=("$rtl/$word.v") ;;
    esac
  done
  design=(-Wno-fatal --top-module "$stem" "${parameters[@]}" "-I$rtl" "$out/public.vlt" "$rtl/$stem.v" "${files[@]}")
  if [ "$level" = O3 ]; then
    verilate "$out" "${design[@]}"
  else # with processes split, where the order of assignments needs it
    echo -O0 > "$out/flags"
    verilate "$out" "${design[@]}" 2> "$out/said" || {
      rm -f "$out"/Vdut*
      echo -O0 -fsplit > "$out/flags"
      VERILATOR_FLAGS+=(-fsplit)
      verilate "$out" "${design[@]}"
    }
  fi
  [ "$mode" = design ] || [ "$level" = O0 ] || spare_the_edge
  [ "$level" = O3 ] || set -- -DSHIM_OUTPUTS
  [ "$level" = O0 ] || set --
  [ ! -e "$out/theirs.h" ] || set -- "$@" -DSHIM_THEIRS
  shared_object "$runtime" "$stem" "$@"
  ;;
mutants)
  verilate "$out" -Wno-fatal -Wno-lint -Wno-style -Wno-UNOPTFLAT --top-module "$4" "$out/mutants.v"
  shared_object "$3" "$4" -DSHIM_MUTANTS
  ;;
esac
