# SPDX-License-Identifier: Apache-2.0
# For scripts that run every module at a small size.

# small_sizes MODULE: "NAME=VALUE ..." of its first row in tests/verify/prove/short.txt or, for a module
# that is not proved as a whole, in tests/cosim/quick.txt
small_sizes() {
  local stem row
  while read -r stem row; do
    [ "$stem" != "$1" ] || { grep -oE '\<[A-Z][A-Z0-9_]*=[0-9]+' <<< "$row" | xargs; return; }
  done < <(cat tests/verify/prove/short.txt tests/cosim/quick.txt)
  echo "$1: no row in tests/verify/prove/short.txt or tests/cosim/quick.txt" >&2
  return 1
}
