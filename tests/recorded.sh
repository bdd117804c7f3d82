# SPDX-License-Identifier: Apache-2.0
# Sourced by tests that compare bytes with a copy in git made by a tool: another version of the tool
# writes other bytes. The comparison is then left out and named, in a line that `make test` repeats
# at its end.

# recorded_ WHAT VERSION COMMAND...: whether the first line that the command prints contains VERSION
recorded_() {
  local what=$1 version=$2 said
  said=$("${@:3}" 2> /dev/null | head -n 1) || true
  [[ $said != *"$version"* ]] || return 0
  echo "skipped: $what: as $version made it; here is ${said:-no $3}"
  return 1
}
