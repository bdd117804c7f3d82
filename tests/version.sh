#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# One version everywhere: the newest entry of CHANGELOG.md, the command line, the library, and every
# JSON file that a command writes.
set -u
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
is() { # is NAME COMMAND...: it prints the version and nothing else
  local name=$1 got
  shift
  got=$("$@" 2>&1)
  if [ "$got" = "$version" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAILED: $name: '$got', not '$version'"; fi
}
newest() { sed -nE '/^## \[[0-9]/{s/^## \[([0-9]+\.[0-9]+\.[0-9]+)\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$/\1/p;q}' "$1"; }
in_json() { sed -nE '2s/^ +"mrpb_version": "([^"]*)",$/\1/p' "$1"; } # its first key
library() {
  printf '#include "version.h"\n#include <stdio.h>\nint main(void) { puts(mrpb_version()); }\n' > "$work/v.c"
  "${CC:-cc}" -Icmodel -o "$work/v" "$work/v.c" build/libmrpb.a && "$work/v"
}
# JSON has no other way out (tb/base/json_out.h), except a message that quotes a value.
writers() { git grep -nE '\<json_dump' -- 'tb/*.[ch]' 'cmodel/*.[ch]' | grep -vE '/json_out\.h:|JSON_ENCODE_ANY' | sed 's/$/ goes around json_out.h/'; echo "$version"; }

version=$(build/mrpb --version | sed -nE 's/^mrpb ([0-9]+\.[0-9]+\.[0-9]+)$/\1/p')
[ -n "$version" ] || { echo "FAILED: mrpb --version: $(build/mrpb --version 2>&1)"; exit 1; }
is "CHANGELOG.md's newest entry" newest CHANGELOG.md
is "debian/changelog" sed -nE '1s/^mrpb \(([^)]*)\) .*/\1/p' debian/changelog
is "the command" sh -c 'build/mrpb version | sed "s/^mrpb //"'
is "the library" library
is "writers of JSON" writers

run="build/mrpb run -c configs/base-s-mrpb.conf --kernel micro-chain-l1 --cut 4"
made() { # made NAME FILE COMMAND...: the command writes FILE, which carries the version
  local name=$1 file=$2
  shift 2
  "$@" > "$work/out" 2>&1 || tail -n 3 "$work/out"
  is "$name" in_json "$file"
}
made run "$work/run.json" $run --json "$work/run.json"
made "run, activity" "$work/a/activity.json" $run --activity "$work/a"
made dram "$work/dram.json" build/mrpb dram --pattern mix --requests 10 --json "$work/dram.json"
made micro "$work/micro.json" build/mrpb micro release -c configs/h200.conf -o "$work/m" --json "$work/micro.json"
made "a recorded case" "$work/x.json" build/mrpb cosim fifo_bank --set QUEUES=2 --set DEPTH=2 --cycles 100 --record "$work/x.vec"
made estimate "$work/e/estimate.json" build/mrpb estimate -c configs/base-s.conf --no-logic -o "$work/e"

# Tests the checks themselves: an older entry first, an entry without its day, a file of another
# version.
printf '# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-01-02\n\n## [%s] - 2026-01-01\n' "$version" > "$work/old.md"
printf '## [%s]\n' "$version" > "$work/undated.md"
sed '2s/"[0-9.]*",$/"0.0.1",/' "$work/run.json" > "$work/other.json"
for f in "newest $work/old.md" "newest $work/undated.md" "in_json $work/other.json" "in_json $work/run.json.none"; do
  if [ "$($f 2> /dev/null)" = "$version" ]; then failed=$((failed + 1)); echo "FAILED: not noticed: $f"; else passed=$((passed + 1)); fi
done
echo "version: $passed passed, $failed failed"
[ "$failed" = 0 ]
