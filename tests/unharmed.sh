#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks that a run of the tests changed nothing outside build/. tests/all.sh records before and
# compares after.
#   tests/unharmed.sh record STATE    device nodes, the tree, the folders HOME, TMPDIR and
#                                     build/tmp, into the folder STATE
#   tests/unharmed.sh compare STATE   exit 1 and a line for each thing that has changed
#   tests/unharmed.sh                 the test of this check: each planted change must be reported
# Any user may read all of it, so that the result is the same for root and for everybody else.
set -u
cd "$(dirname "$0")/.." || exit 2

# As a user sees them: type, mode, owner, device numbers. Terminals and what is mounted there are
# ignored: they come and go.
devices() {
  find "${UNHARMED_DEV:-/dev}" -maxdepth 1 ! -name 'tty?*' ! -name 'vcs*' ! -name shm ! -name pts -printf '%p %y %m %U:%G ' \
    \( \( -type c -o -type b \) -exec stat -c '%t,%T' {} \; -o -printf '%l\n' \) | sort
}
# Files that git would commit, files that it ignores outside build/, and the contents of all that
# differ from the last commit.
tree() {
  cd "${UNHARMED_TREE:-.}" || return
  git status --porcelain --ignored | grep -vE '^!! build(-[^/]*)?/'
  { git rev-parse HEAD; git diff HEAD; git ls-files -z --others --exclude-standard | xargs -0r sha256sum; } | sha256sum | sed 's/^/contents /'
}
# Where programs leave files: the run's own HOME and TMPDIR (made by all.sh) must be empty, except
# for the caches of fonts and of GTK's settings, and so must build/tmp. /tmp itself is shared:
# tests/hygiene.sh checks that no program writes there by name.
leftovers() {
  find "$HOME" "$TMPDIR" "${UNHARMED_TMP:-build/tmp}" -mindepth 1 ! -path '*/.cache' ! -path '*/.cache/fontconfig*' ! -path '*/.cache/dconf*' -printf 'left %p\n'
}
state() { mkdir -p "$1" && devices > "$1/devices" && (tree > "$1/tree") && leftovers | sort > "$1/leftovers"; }

compare() { # compare STATE
  local before=$1 now bad=0
  now=$(mktemp -d "$before.XXXXXX")
  state "$now"
  for what in devices tree leftovers; do
    diff "$before/$what" "$now/$what" > "$now/diff" && continue
    bad=1
    echo "changed by the tests, outside build/ ($what):"
    sed -n 's/^</  before/p; s/^>/  now   /p' "$now/diff" | head -20
  done
  rm -r "$now"
  return $bad
}

planted() { # planted NAME COMMAND: the change is reported; without it nothing is
  local before=$work/state
  rm -rf "$before"
  state "$before"
  compare "$before" > "$work/out" || { failed=$((failed + 1)); echo "FAILED: before $1: $(cat "$work/out")"; }
  eval "$2"
  if ! compare "$before" > "$work/out" && [ "$(wc -l < "$work/out")" -ge 2 ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1 is not reported: $(cat "$work/out")"
  fi
}
self_test() {
  work=$(mktemp -d) passed=0 failed=0
  trap 'rm -rf "$work"' EXIT
  mkdir "$work/dev" "$work/tree" "$work/home" "$work/tmp" "$work/own"
  touch "$work/dev/null" "$work/dev/zero"
  chmod 666 "$work/dev/null"
  git -C "$work/tree" init -q
  echo 'build/
*.vcd' > "$work/tree/.gitignore"
  echo text > "$work/tree/file"
  git -C "$work/tree" add . && git -C "$work/tree" -c user.name=a -c user.email=a@b commit -qm a
  export UNHARMED_DEV=$work/dev UNHARMED_TREE=$work/tree UNHARMED_TMP=$work/tmp HOME=$work/home TMPDIR=$work/own
  planted "a mode of a device" 'chmod 755 "$work/dev/null"'
  planted "a device that became a file" 'rm "$work/dev/zero"; mkdir "$work/dev/zero"'
  planted "a new name among the devices" 'touch "$work/dev/null.part"'
  planted "a device that is gone" 'rm "$work/dev/null"'
  planted "a changed file" 'echo more >> "$work/tree/file"'
  planted "a file that changes once more" 'echo more >> "$work/tree/file"'
  planted "a new file" 'echo new > "$work/tree/new"'
  planted "a new file that changes" 'echo new >> "$work/tree/new"'
  planted "an ignored file" 'touch "$work/tree/run.vcd"'
  planted "a commit" 'git -C "$work/tree" add new && git -C "$work/tree" -c user.name=a -c user.email=a@b commit -qm b'
  planted "a file in the home folder" 'touch "$work/home/.history"'
  planted "a file in the temporary folder" 'mkdir "$work/own/tmp.x"'
  planted "a folder of a test" 'mkdir "$work/tmp/mrpb-prove-x"'
  mkdir "$work/tree/build" && touch "$work/tree/build/file"
  state "$work/now"
  touch "$work/tree/build/more"
  if compare "$work/now"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "unharmed: $passed passed, $failed failed"
  [ "$failed" = 0 ]
}

case "${1:-}" in
record) rm -rf "$2" && state "$2" ;;
compare) compare "$2" ;;
'') self_test ;;
*) echo "unharmed.sh: record STATE, compare STATE, or nothing" >&2; exit 2 ;;
esac
