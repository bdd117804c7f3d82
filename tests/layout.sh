#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The house rules that a script can check: one stem everywhere, file and function sizes, no mutable
# globals.
set -u
cd "$(dirname "$0")/.."
build=${BUILD:-build} # the folder of the libraries that are checked
passed=0 failed=0
check() { # check NAME COMMAND...: silent on success, one line on failure
  local name=$1
  shift
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "layout: $name"; fi
}

stems=$(basename -s .ports.h cmodel/ports/*.ports.h)
for s in $stems; do
  for f in rtl/$s.v cmodel/$s.h cmodel/$s.c tests/cmodel/test_$s.c docs/modules/$s.md \
    tb/cosim/stim/$s.c tb/cosim/cross/$s.c rtl/formal/${s}_props.vh; do
    check "module $s lacks $f" test -f "$f"
  done
  inv=tb/verify/prove/inv/$s.c
  ! grep -qE '^(REG|SRAM)' "cmodel/ports/$s.ports.h" || check "module $s lacks $inv" test -f "$inv"
done

# Includes may go only downwards: tests/storeys.txt lists the folders from the lowest up.
# upwards FILE...: prints each include of a folder above the file's own, or of an unlisted folder
upwards() {
  awk -v roots="cmodel/ tb/" '
    FILENAME == "tests/storeys.txt" { if ($0 !~ /^#/) storey[$1] = ++n; next }
    FNR == 1 { folder = FILENAME; sub("/[^/]*$", "", folder)
               if (!(folder in storey)) { print "layout: " folder " is not in tests/storeys.txt"; bad = 1; storey[folder] = 0 } }
    match($0, /^ *# *include "[^"]+"/) {
      name = $0; sub(/^[^"]*"/, "", name); sub(/".*/, "", name)
      count = split(folder "/ " roots, place, " ")
      for (i = 1; i <= count; i++) {
        target = place[i] name
        if ((getline line < target) >= 0) { close(target); break }
      }
      if (i > count) next # of a library, or made by make
      sub("/[^/]*$", "", target)
      if (storey[target] > storey[folder]) {
        print "layout: " FILENAME ":" FNR ": " name " is of a higher storey"; bad = 1 } }
    END { exit bad }' tests/storeys.txt "$@"
}
check "includes go downwards only" upwards $(git ls-files 'cmodel/*.[ch]' 'tb/*.[ch]' 'tb/*.cpp' 'tb/*.def')
in_sight=$(git ls-files 'cmodel/*.c' 'tb/*.c' | sed -E 's#^(cmodel(/sim)?|tb/[^/]*)/.*#\1#' | sort -u | wc -l)
check "more than 14 rooms in sight: $in_sight" test "$in_sight" -le 14
# Tests the check itself: an include of a higher storey, and an unlisted folder.
planted() { # planted FOLDER INCLUDE PATTERN
  local work
  work=$(mktemp -d)
  mkdir -p "$work/tests" "$work/$1" "$work/tb/gpu"
  cp tests/storeys.txt "$work/tests"
  touch "$work/tb/gpu/gpu.h"
  echo "#include \"$2\"" > "$work/$1/planted.c"
  (cd "$work" && upwards "$1/planted.c") | grep -q "$3"
  local status=$?
  rm -rf "$work"
  return $status
}
check "an include of a higher storey is not noticed" planted tb/base gpu/gpu.h 'tb/base/planted.c:1: gpu/gpu.h is of a higher'
check "a folder that is not listed is not noticed" planted tb/attic gpu/gpu.h 'tb/attic is not in'

check "a study reads what the GPU that it measures is made of: its side alone may" \
  test -z "$(grep -rlE '(\.|->)(given|own)\>' tb/studies/micro --include='*.[ch]' | grep -v /side_)"

# The SM's parts (docs/sm.md): members of part P are touched only in tb/gpu/pipeline/P.[ch] and P_*.c.
foreign() { # foreign STATE_H FILE...: prints each access to a member of another part
  awk 'FNR == NR { if (match($0, /sm_[a-z_]+_t [a-z_]+;/)) { split(substr($0, RSTART, RLENGTH - 1), d, " ")
                     if (d[1] == "sm_" d[2] "_t" && d[2] != "stats") part[d[2]] = 1 }
                   next }
       FNR == 1 { file = FILENAME; sub(".*/", "", file); sub(/\.[ch]$/, "", file); split("", other) }
       { for (p in part) {
           if (file == p || index(file, p "_") == 1) continue
           if (match($0, "sm_" p "_t \\*[a-z]+")) { v = substr($0, RSTART, RLENGTH); sub(/.*\*/, "", v); other[v] = p }
           if ($0 ~ "sm->" p "\\.") { print "layout: " FILENAME ":" FNR ": a member of part " p; bad = 1 } }
         for (v in other) if ($0 ~ "(^|[^a-z_>.])" v "->") {
           print "layout: " FILENAME ":" FNR ": a member of part " other[v]; bad = 1 }
         if (/^}/) split("", other) }
       END { exit bad }' "$@"
}
check "a part of the SM that looks into another" foreign tb/gpu/pipeline/sm_state.h $(git ls-files 'tb/gpu/pipeline/*.[ch]')
looked_into() { # looked_into LINE: noticed in a file of another part
  local work status
  work=$(mktemp -d)
  printf 'void f(sm_t *sm) {\n%s\n}\n' "$1" > "$work/alu.c"
  foreign tb/gpu/pipeline/sm_state.h "$work/alu.c" | grep -q 'alu.c:[0-9]*: a member of part ldst'
  status=$?
  rm -rf "$work"
  return $status
}
check "a member of another part is not noticed" looked_into '  sm->ldst.turn++;'
check "one through a pointer is not noticed" looked_into '  sm_ldst_t *l = &sm->ldst; l->turn++;'

# Every key of tb/config/keys.def has a reader: the part that gets it, in its own files, or any code
# of the cores or the memory that it belongs to. (A Verilog parameter is read by its module, a note by
# people; CORE and MEMORY are read where the parts are put together.)
members() { git ls-files "$@" | xargs grep -hoE '(->|\.)[a-zA-Z_][a-zA-Z0-9_]*' | sed -E 's/^(->|\.)//' | sort -u; }
unread() { # unread KEYS_DEF: prints each key that its part does not read
  local place
  {
    for place in icnt l2 dram; do members "tb/gpu/$place/*.[ch]" | sed "s/^/$place /"; done
    members 'tb/gpu/pipeline/*.[ch]' | sed 's/^/l1d /'
    members 'tb/gpu/*.[ch]' 'tb/gpu/pipeline/*.[ch]' 'tb/gpu/flits/*.[ch]' 'tb/estimate/*.[ch]' | sed 's/^/pipeline /'
    members 'tb/gpu/*.[ch]' 'tb/gpu/flits/*.[ch]' | sed 's/^/flits /'
    members 'tb/gpu/inorder/*.[ch]' tb/gpu/blocks.c tb/gpu/clocks.c tb/gpu/due.c 'tb/studies/micro/*.[ch]' | sed 's/^/in_order /'
    members 'tb/gpu/ports/*.[ch]' | sed 's/^/ports /'
  } | awk '
    BEGIN { where["ICNT"] = "icnt"; where["L2"] = "l2"; where["DRAM"] = "dram"; where["L1D"] = "l1d" }
    function look(place, member) {
      if (!((place " " member) in read)) { print "layout: " name ": nobody in " place " reads " member; bad = 1 } }
    FILENAME == "-" { read[$0]; next }
    match($0, /^(KEY|WORD)\(/) {
      kind = substr($0, 1, RLENGTH - 1)
      split(substr($0, RLENGTH + 1), column, /, */)
      has = column[1]; name = column[2]; field = column[3]
      at = kind == "KEY" ? 8 : 6
      part = column[at]; to = column[at + 1]
      if (name == "CORE" || name == "MEMORY" || part == "NOTE" || part == "MRPB" || part == "MSHR" || part == "PRT") next
      if (part in where) look(where[part], to)
      else if (has == "ANY") look("pipeline", field)
      else if (has != "IN_ORDER_OR_PORTS") look(tolower(has), field)
      if (has == "ANY" || has == "IN_ORDER_OR_PORTS") if (name != "L2_WAYS") look("in_order", field)
      if (has == "IN_ORDER_OR_PORTS" || name == "L2_WAYS") look("ports", field) }
    END { exit bad }' - "$1"
}
check "a key that nobody reads" unread tb/config/keys.def
unread_noticed() { # unread_noticed ROW PATTERN: with this additional row
  unread <(cat tb/config/keys.def; echo "$1") | grep -q "$2"
}
check "a key that nobody reads is not noticed" unread_noticed \
  'KEY(PIPELINE, A_KEY, a_key, 0, 1, 0, "", NONE, -, "of nobody")' 'A_KEY: nobody in pipeline reads a_key'
check "a part's key that the part does not read is not noticed" unread_noticed \
  'KEY(FLITS, A_KEY, sms, 0, 1, 0, "", DRAM, a_key, "of nobody, a comma")' 'A_KEY: nobody in dram reads a_key'
check "a key that its cores do not read is not noticed" unread_noticed \
  'WORD(IN_ORDER, A_KEY, memory_order, ORDER, 0, NONE, -, "of pipeline cores")' 'A_KEY: nobody in in_order reads memory_order'

short_enough() { [ "$(wc -l < "$1")" -le "$2" ]; }
for f in $(git ls-files '*.c' '*.h' '*.cpp' | grep -v ^cmodel/libmrpb.h$); do check "$f has more than 500 lines" short_enough "$f" 500; done
short_code() { [ "$(grep -cv '^ *//\|^ *\.[a-z]\| : gen_bad_\| ERROR_' "$1")" -le "$2" ]; }
for f in rtl/*.v; do check "$f has more than 400 lines besides comments, connections and checks of sizes" short_code "$f" 400; done

# A function extends from the first line of its head, which may have several, to its closing brace.
# In C++ it may be inside a struct.
long_functions() { # long_functions FILE...
  awk 'function ends(from) {
         if (FNR - from + 1 > 50) { print "layout: " FILENAME ":" from ": function of " FNR - from + 1 " lines"; bad = 1 }
         return 0 }
       FNR == 1 || /^$/ || /;$/ && !start { if (!start) head = 0 }
       FNR == 1 { start = head = inner = 0 }
       !start && !head && /^[A-Za-z_]/ { head = FNR }
       FILENAME ~ /cpp$/ && !start && !inner && /^  [A-Za-z_].*\) .*\{$/ { inner = FNR }
       !start && !inner && head && /\) (const )?\{$/ { start = head }
       /^  \}/ && inner { inner = ends(inner) }
       /^\}/ { if (start) ends(start); start = head = 0 }
       END { exit bad }' "$@"
}
check "functions of more than 50 lines" long_functions $(git ls-files '*.c' '*.h' '*.cpp')
# Tests the check itself: 51 lines are one too many, 50 are not, for any head and language.
measured() { # measured HEAD SUFFIX: a function of 51 lines is noticed, one of 50 is not
  local work status
  work=$(mktemp -d)
  for lines in 50 51; do
    { printf 'int x;\n\n'
      [ "$2" != cpp ] || printf 'struct s {\n'
      printf "$1"
      yes '    f();' | head -n $((lines - $(printf "$1" | wc -l) - 1))
      if [ "$2" = cpp ]; then printf '  }\n};\n'; else echo '}'; fi; } > "$work/$lines.$2"
  done
  long_functions "$work/50.$2" > /dev/null && ! long_functions "$work/51.$2" > /dev/null
  status=$?
  rm -rf "$work"
  return $status
}
check "a long function is not measured" measured 'static void f(void) {\n' c
check "a long function with a head of three lines is not measured" measured 'static void f(int a,\n              int b,\n    int c) {\n' c
check "a long inline function is not measured" measured 'static inline int *f(int a) {\n' h
check "a long test case is not measured" measured 'START_TEST(x) {\n' c
check "a long method is not measured" measured '  void f(int a) {\n' cpp

# clang-format 14 is Debian 12's; other versions format differently.
formatted() { # formatted FILE...
  local found
  found=$(printf '%s\n' "$@" | xargs -n 60 -P "${JOBS:-$(nproc)}" clang-format-14 --dry-run -Werror 2>&1) ||
    { echo "$found" | grep -m 10 'error:'; echo "clang-format-14 -i FILE mends it"; return 1; }
}
unformatted() {
  local work status
  work=$(mktemp -d)
  cp .clang-format "$work"
  printf 'int f(void) {\n   return 0;\n}\n' > "$work/f.c"
  ! formatted "$work/f.c" > /dev/null
  status=$?
  rm -rf "$work"
  return $status
}
. tests/recorded.sh
if recorded_ "how C is written" "clang-format version 14" clang-format-14 --version; then
  check "not as clang-format-14 writes it" formatted $(git ls-files '*.c' '*.h' '*.cpp')
  check "three blanks where two belong are not noticed" unformatted
fi

# Missing libraries must not pass the checks of their symbols.
check "$build/libmrpb.a or $build/libtb.a is not there; type: make build" test -s "$build/libmrpb.a" -a -s "$build/libtb.a"

# Symbols in .data or .bss would be state outside an instance (.data.rel.ro is constant once
# loaded).
no_globals() {
  local found
  found=$(objdump -t "$build/libmrpb.a" "$build/libtb.a" | grep -E ' O (\.data|\.bss|\.tbss|\.tdata|\*COM\*)' | grep -v '\.data\.rel\.ro')
  [ -z "$found" ] || { echo "$found"; return 1; }
}
check "mutable globals in the library" no_globals

# An exported name begins with the name of its file, of a file beside it or of a folder around it,
# so that a reader knows where to look. Two folders use another word: tb/verilog uses rtl, studies
# uses study.
# misnamed FOLDER SOURCES: prints each exported function without such a name, of the objects in
# FOLDER that come from the C in SOURCES/tb
misnamed() {
  local c
  (cd "$2" && find tb -name '*.c') | while read -r c; do [ ! -f "$1/${c%.c}.o" ] || echo "${c%.c}.o"; done |
    (cd "$1" && xargs nm -A -g --defined-only) | awk '
    $2 != "T" && NF < 3 { next }
    { object = $1; sub(/\.o:.*/, "", object); name = $NF
      if ($(NF - 1) != "T" || name == "main") next
      n = split(object, part, "/")
      folder = object; sub("/[^/]*$", "", folder)
      stem = part[n]; sub(/_.*/, "", stem); around[folder] = around[folder] " " part[n] " " stem
      for (i = 2; i < n; i++) around[folder] = around[folder] " " part[i]
      at[name] = folder; where[name] = object }
    END {
      for (name in at) {
        good = 0
        m = split(around[at[name]] (at[name] ~ "^tb/verilog" ? " rtl" : at[name] ~ "^tb/studies" ? " study" : ""), word, " ")
        for (i = 1; i <= m && !good; i++) good = name == word[i] || index(name, word[i] "_") == 1
        if (!good) { print "layout: " where[name] ".c: " name " has neither its file'"'"'s nor its folder'"'"'s name"; bad = 1 } }
      exit bad }'
}
check "names without their place" misnamed "$build" .
misnamed_noticed() {
  local work status
  work=$(mktemp -d)
  mkdir -p "$work/tb/parts"
  echo 'void attic_open(void) {}' | gcc -w -x c -c -o "$work/tb/parts/unit.o" -
  touch "$work/tb/parts/unit.c"
  misnamed "$work" "$work" | grep -q 'tb/parts/unit.c: attic_open'
  status=$?
  rm -rf "$work"
  return $status
}
check "a name without its place is not noticed" misnamed_noticed

# nm does not see an inline function or a type of a header that has the name of another folder;
# ctags does. A folder below the header's own does not count as another one.
# borrowed SOURCES: prints each name in a header of SOURCES/tb whose first word is a folder
# elsewhere
borrowed() {
  (cd "$1" && find tb -name '*.h' | sort > "$1/headers" &&
    ctags --langmap=C:.c.h --languages=C --c-kinds=ft --fields=k --sort=no -f - -L "$1/headers") | awk -F'\t' '
    FILENAME != "-" { if ($0 ~ /^tb\//) { n = split($0, part, "/"); for (i = 2; i <= n; i++) at[part[i]] = at[part[i]] " " $0 }; next }
    /^!/ { next }
    { word = $1; sub(/_.*/, "", word); file = $2; folder = file; sub("/[^/]*$", "", folder)
      if (word == $1 || !(word in at) || ("/" file) ~ ("/" word "[/._]") || index(at[word], " " folder "/")) next
      print "layout: " file ": " $1 " has the name of " substr(at[word], 2); bad = 1 }
    END { exit bad }' tests/storeys.txt -
}
borrowed_here() {
  local work status
  work=$(mktemp -d)
  git ls-files -z 'tb/*.h' | xargs -0 cp --parents -t "$work"
  borrowed "$work"
  status=$?
  rm -rf "$work"
  return $status
}
borrowed_noticed() { # borrowed_noticed LINE NAME: noticed in a header of tb/workload/ptx
  local work status
  work=$(mktemp -d)
  mkdir -p "$work/tb/workload/ptx"
  echo "$1" > "$work/tb/workload/ptx/parse.h"
  borrowed "$work" | grep -q "tb/workload/ptx/parse.h: $2 has the name of tb/verilog"
  status=$?
  rm -rf "$work"
  return $status
}
# A reader who looks for a function must find exactly one: no two headers declare the same name, and
# no static function has a header's name. cmodel/libmrpb.h is made from the other headers; the
# definitions in cmodel/ports/ are templates; some words of C look like functions.
once_given() { # once_given SOURCES: prints each such name in the C of SOURCES/cmodel and SOURCES/tb
  (cd "$1" && find cmodel tb -name '*.[ch]' -not -path 'cmodel/ports/*' -not -name libmrpb.h | LC_ALL=C sort |
    ctags --langmap=C:.c.h --languages=C --c-kinds=fp --fields=kf --sort=no -f - -L -) | awk -F'\t' '
    /^!/ || $1 ~ /^(_[A-Z]|offsetof$)/ { next }
    $2 ~ /h$/ {
      if (($1 in at) && at[$1] != $2) { print "layout: " $2 ": " $1 " is given by " at[$1] ", too"; bad = 1 }
      at[$1] = $2 }
    $2 ~ /c$/ && /\tfile:/ { kept[$1 FS $2] }
    END {
      for (one in kept) {
        split(one, f, FS)
        if (f[1] in at) { print "layout: " f[2] ": static " f[1] " has the name that " at[f[1]] " gives"; bad = 1 } }
      exit bad }'
}
# twice_noticed LINE FILE LINE FILE: two files that are refused together, but not alone
twice_noticed() {
  local work status
  work=$(mktemp -d)
  mkdir -p "$work/cmodel" "$work/tb/base" "$work/tb/parts"
  echo "$1" > "$work/$2"
  once_given "$work" && echo "$3" > "$work/$4" && once_given "$work" | grep -q "layout: $4: .*$2"
  status=$?
  rm -rf "$work"
  return $status
}
if command -v ctags > /dev/null; then
  check "a name of a header that is another folder's" borrowed_here
  check "such an inline function is not noticed" borrowed_noticed 'static inline int verilog_token_is(int a) { return a; }' verilog_token_is
  check "such a type is not noticed" borrowed_noticed 'typedef struct { int a; } verilog_token_t;' verilog_token_t
  check "a function that two headers give, or a static one that has the name of a header's" once_given .
  check "a function given twice is not noticed" twice_noticed 'int attic_open(void);' tb/base/attic.h 'int attic_open(void);' tb/parts/attic.h
  check "an inline one is not noticed" twice_noticed 'static inline int attic(int a) { return a; }' tb/base/attic.h 'int attic(int a);' tb/parts/unit.h
  check "a static one that shadows is not noticed" twice_noticed 'int attic_open(void);' tb/base/attic.h \
    'static int attic_open(void) { return 1; }' tb/parts/unit.c
  check "a static one that shadows an inline one is not noticed" twice_noticed 'static inline int attic(int a) { return a; }' tb/base/attic.h \
    'static int attic(int a) { return -a; }' tb/parts/unit.c
else
  echo "layout: skipped: names of other folders in headers, and names given twice, for ctags is not here"
fi

# Named numbers: a localparam with such a name has the table's value, and no port with such a number
# is compared with a literal.
numbers() { # numbers VERILOG...: prints localparams that differ from cmodel/ports/numbers.def
  awk '
    FILENAME ~ /numbers\.def$/ { if (split($0, f, /[(,] */) > 4 && f[1] == "NUMBER") { value[f[2] "_" f[3]] = f[4] } next }
    match($0, /localparam +(integer +|\[[^]]*\] +)?[A-Z0-9_]+ *= *[^;]+;/) {
      line = $0; sub(/.*localparam +(integer +|\[[^]]*\] +)?/, "", line); name = line; sub(/ *=.*/, "", name)
      v = line; sub(/[^=]*= */, "", v); sub(/;.*/, "", v); sub(/.*'"'"'d/, "", v)
      if ((name in value) && value[name] != v) { print "layout: " FILENAME ":" FNR ": " name " is not as in numbers.def"; bad = 1 } }
    /(l1_answer_i|POLICY|SIGNATURE|BYPASS) *[!=]= *([0-9]+'"'"'d)?[0-9]/ { print "layout: " FILENAME ":" FNR ": a bare number"; bad = 1 }
    END { exit bad }' cmodel/ports/numbers.def "$@"
}
check "numbers of the Verilog" numbers rtl/*.v
numbers_noticed() { # numbers_noticed LINE PATTERN
  numbers <(echo "$1") | grep -q "$2"
}
check "a number of another value is not noticed" numbers_noticed "  localparam [1:0] L1_ACCEPTED = 2'd1;" 'L1_ACCEPTED is not as'
check "a bare number is not noticed" numbers_noticed "  assign a = (POLICY == 2);" 'a bare number'

# One model, not two (docs/verify/one_model.md): a function that a module exports is comb, edge,
# regs or one of the functions around them (cycle calls each), or its class lists it as a
# module_fast_t, which lockstep and proof compare with comb and edge.
unheld() { # unheld LIBRARY SOURCES: prints functions that nothing compares
  nm -g --defined-only "$1" | awk -v stems="$(echo $stems)" '
    BEGIN { n = split(stems, list); for (i = 1; i <= n; i++) module[list[i] ".o:"] = list[i] }
    /:$/ { object = $1; stem = module[object]; next }
    NF < 3 || object ~ /^(module|module_list|version|vcd|sim_[a-z]+|[a-z0-9_]+_parts)\.o:$/ { next }
    { suffix = substr($3, length(stem) + 2) }
    stem != "" && index($3, stem "_") == 1 && suffix ~ /^(check|class|comb|create|cycle|destroy|edge|legal|regs)$/ { next }
    { print stem == "" ? object : stem, $3 }' |
    while read -r stem name; do
      awk -v name="$name" -v wrapper="fast_${name#"$stem"_}" '
        index($0, ".name = \"" name "\"") && index($0, "{") == 5 { listed = 1 }
        $0 ~ "^static void " wrapper "\\(" { inside = 1 }
        inside && index($0, " " name "(") { called = 1 }
        /^}/ { inside = 0 }
        END { exit !(listed && called) }' "$2/$stem.c" 2> /dev/null ||
        echo "layout: $stem: $name is called by nobody who compares it: a module_fast_t, fast_${name#"$stem"_}"
    done
  for s in $stems; do grep -Hn 'static inline' "$2/$s.h"; done
}
none_unheld() {
  local found
  found=$(unheld "$build/libmrpb.a" cmodel)
  [ -z "$found" ] || { echo "$found"; return 1; }
}
check "an exported function of a module that nothing compares with the Verilog" none_unheld
# Tests the check itself: an additional function, one that is no longer listed, one whose wrapper
# calls something else.
refuses() { # refuses NAME PATTERN SED_COMMAND STEM: the change makes it complain
  local work
  work=$(mktemp -d)
  cp cmodel/*.c cmodel/*.h "$work"
  sed -i "$3" "$work/$4.c"
  (cd "$work" && ln -s "$OLDPWD/cmodel/ports" ports && gcc -std=c11 -O1 -w -I. -c "$4.c" && ar rcs lib.a "$4.o")
  unheld "$work/lib.a" "$work" | grep -q "$2"
  local status=$?
  rm -rf "$work"
  return $status
}
check "a new function is not noticed" refuses new 'mshr: mshr_peek is' '$avoid mshr_peek(void *s);void mshr_peek(void *s) {(void)s;}' mshr
check "a function taken off the list is not noticed" refuses gone 'mrpb: mrpb_front is' 's/{.name = "mrpb_front"/{.name = "mrpb_fronts"/' mrpb
check "a wrapper that calls another function is not noticed" refuses other 'prt: prt_control is' 's/^  prt_control(self/  prt_comb(self/' prt

# Lists of sizes, bugs and reasons, which grow at their ends: a merge doubles a block without a
# conflict. A row may be in a list once, whatever its blanks; a bug is known by its name, a reason by
# its line of C and its change.
doubled() { # doubled LIST...: prints each entry that its list has twice
  awk '
    FNR == 1 { split("", at); bugs = 0 }
    /^bug / { bugs = 1 }
    bugs && !/^bug / { next } # a bug has further lines
    { row = $0; sub(/ +# .*/, "", row) }
    /^#/ || row ~ /^ *$/ { next }
    /^bug / { sub(/:.*/, "", row) }
    FILENAME ~ /reasons\.txt$/ && !/^ / { of = row; next }
    FILENAME ~ /reasons\.txt$/ { sub(/: .*/, "", row); row = of " " row }
    { gsub(/[ \t]+/, " ", row)
      if (row in at) { print "layout: " FILENAME ":" FNR ": as in line " at[row] ": " row; bad = 1 }
      else at[row] = FNR }
    END { exit bad }' "$@"
}
lists=$(git ls-files 'tests/cosim/*.txt' 'tests/verify/bugs/*.txt' 'tests/verify/mutate/*.txt' 'tests/verify/prove/*.txt' \
  'tests/verify/prove/*.list' 'tests/verify/prove/netlists/*.txt' 'tests/verify/streams/*.txt' 'tests/conform/*.txt' \
  'tests/conform/path/bugs.txt' 'tests/gpu/*.txt' 'tests/question/*.list' | grep -v '/unequal/')
check "an entry that a list has twice" doubled $lists
doubled_noticed() { # doubled_noticed LIST TEXT PATTERN: of the text, one line is refused
  local work status
  work=$(mktemp -d)
  mkdir -p "$work/${1%/*}"
  printf "$2" > "$work/$1"
  (cd "$work" && doubled "$1" | tr '\n' '|') | grep -qx "layout: $1:$3|"
  status=$?
  rm -rf "$work"
  return $status
}
check "a size that is in a list twice is not noticed" doubled_noticed cosim/matrix.txt \
  'mshr A=1  B=2\nmshr A=1 B=3\n\n# mshr A=1 B=3\nmshr  A=1 B=2 # again\n' '5: as in line 1: mshr A=1 B=2'
check "a bug of the same name is not noticed" doubled_noticed verify/bugs/bugs.txt \
  'bug   one: a text\nfile  a\nbug   two: a text\nfile  a\nbug   one: another\n' '5: as in line 1: bug one'
check "a reason given twice is not noticed" doubled_noticed mutate/reasons.txt \
  "a.c: x\n  '0' '1': why\nb.c: x\n  '0' '1': why\na.c: x\n  '0' '1': because\n" "6: as in line 2: a.c: x '0' '1'"

# The case of a bug, and what says how it was found, are kept in tests/cosim/regress.
kept() { # kept LIST...: prints each case that is not there
  awk '$1 == "case" { print $2 }' "$@" | while read -r vec; do
    [ -f "tests/cosim/regress/$vec" ] && [ -f "tests/cosim/regress/${vec%.vec}.json" ] || echo "layout: tests/cosim/regress: no $vec with its .json"
  done | grep . && return 1
  return 0
}
check "a case that is not kept" kept tests/verify/bugs/*.txt
kept_noticed() { ! kept <(echo "case  none.vec") > /dev/null; }
check "a case that is not kept is not noticed" kept_noticed

# A tool that makes its output executable or rewrites it would do so to a device as well, if it may.
check "a tool writes to a device" test -z "$(git grep -nE -e '-o *"?/dev/' -- '*.sh' '*.c' '*.py' Makefile)"

check "a generated file is in git" test -z "$(git ls-files | grep -v '^tests/fuzz/corpus/' | grep -E '\.(vcd|fst|o|so|a|vvp)$|^build/')"
echo "layout: $passed passed, $failed failed"
[ "$failed" = 0 ]
