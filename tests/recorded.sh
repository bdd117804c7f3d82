# SPDX-License-Identifier: Apache-2.0
# Sourced by what compares bytes with a copy in git that a tool has made: another version of the tool writes others. Then the
# comparison is left out and named, in a line that `make test` repeats at its end.

recorded_() { # recorded_ WHAT VERSION COMMAND...: whether the first line that the command prints has VERSION in it
  local what=$1 version=$2 said
  said=$("${@:3}" 2> /dev/null | head -n 1) || true
  [[ $said != *"$version"* ]] || return 0
  echo "skipped: $what: as $version made it; here is ${said:-no $3}"
  return 1
}
