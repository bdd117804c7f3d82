#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the packages of a list that are missing here, for the Makefile.
#   configs/packages.sh LIST...    their names on one line; nothing if all are there
#   configs/packages.sh --llvm     the version of clang and LLVM that this system has, or can install
# A line of a list is a package, or alternatives in order of preference: "berkeley-abc | yosys-abc".
# The first one that is installed suffices; otherwise the first one that apt knows is requested.
# Nothing after the last | means that the project works without it. @ stands for the version of
# LLVM; LLVM=19 in the environment chooses that version. Before the first `apt-get update` apt knows
# nothing: the release then decides which alternatives exist, the first ones in Debian 12, the last
# ones in later releases.
set -u
versions="14 19 18 17 16 15"

installed() { [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]; }
release=$(. /etc/os-release 2> /dev/null && echo "${VERSION_ID:-12}")
listed() { apt-cache policy "$1" 2> /dev/null | grep -q '^     *500 '; } # in a list, not only installed
fresh='' # "yes" or "no", asked once
is_fresh() {
  [ -n "$fresh" ] || { listed libc6 && fresh=no || fresh=yes; }
  [ "$fresh" = yes ]
}
known() { # known NAME NUMBER OF: whether alternative NUMBER of OF exists
  if is_fresh; then
    [ "${release%%.*}" -le 12 ] && [ "$2" = 1 ] || { [ "${release%%.*}" -gt 12 ] && [ "$2" = "$3" ]; }
  else
    apt-cache policy "$1" 2> /dev/null | grep -q '^  Candidate: [0-9]'
  fi
}

llvm() {
  local v
  [ -z "${LLVM:-}" ] || { echo "$LLVM"; return; }
  for v in $versions; do [ -x "/usr/bin/clang-$v" ] && [ -d "/usr/lib/llvm-$v/include" ] && echo "$v" && return; done
  is_fresh && [ "${release%%.*}" -gt 12 ] && echo 19 && return
  is_fresh || for v in $versions; do known "llvm-$v-dev" && echo "$v" && return; done
  echo "${versions%% *}"
}

need() { # need ALTERNATIVE...: the package that is missing from a line
  local p wished='' n=0 of=$#
  [ -z "$optional" ] || of=$((of + 1))
  for p in "$@"; do installed "$p" && return; done
  for p in "$@"; do n=$((n + 1)) && known "$p" "$n" "$of" && wished=$p && break; done
  [ -n "$wished" ] || [ -n "$optional" ] || wished=$1 # apt reports what is wrong with it
  [ -z "$wished" ] || echo "$wished"
}

if [ "${1:-}" = --llvm ]; then llvm; exit; fi
version=$(llvm)
for list in "$@"; do
  while IFS= read -r line; do
    line=${line%%#*} line=${line//@/$version} optional=''
    [[ $line =~ \|[[:space:]]*$ ]] && optional=yes
    # shellcheck disable=SC2086
    [ -z "${line//[[:space:]]/}" ] || need ${line//|/ }
  done < "$list"
done | tr '\n' ' ' | sed 's/ $//'
