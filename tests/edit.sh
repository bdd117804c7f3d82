# SPDX-License-Identifier: Apache-2.0
# Sourced by the tests that deliberately break a copy of the sources.

# replace_once FILE FROM TO: replaces the only FROM of FILE by TO; otherwise says why not, and fails
replace_once() {
  local text rest
  text=$(< "$1")
  rest=${text#*"$2"}
  [ "$rest" != "$text" ] || { echo "$1 no longer has: $2"; return 1; }
  [ "${rest/"$2"/}" = "$rest" ] || { echo "$1 has this twice: $2"; return 1; }
  printf '%s\n' "${text%%"$2"*}$3$rest" > "$1"
}
