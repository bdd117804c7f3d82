#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes a library's public header to stdout: a template (libmrpb.h.in), with the headers that it
# names and each module's types in their places. Text between "not in libmrpb.h: begin" and "end" is
# internal to the project.
# usage: cmodel/header/header.sh STRUCTS [TEMPLATE]     (build/header-structs:
# cmodel/header/structs.c)
set -eu
structs=$(realpath "$1")
template=${2:-cmodel/header/libmrpb.h.in}
cd "$(dirname "$0")/../.."

# A header without its guard, its includes and its internal parts.
inside() { # inside FILE
  awk '/^\/\* not in libmrpb.h: begin/ {skip = 1}
       !skip && !/^#(ifndef|define) [A-Z_]*_H$/ && !/^#include/ && !/^\/\* SPDX/ {line[++n] = $0}
       /^\/\* not in libmrpb.h: end/ {skip = 0}
       END {while (n && (line[n] == "" || line[n] == "#endif")) {if (line[n] == "#endif" && closed++) break; n--}
            for (i = 1; i <= n; i++) {if (line[i] == "" && (i == 1 || last == "")) continue; print last = line[i]}
            print ""}' "$1"
}

# The head comment of a module's own header, and what the header has besides the functions common to
# all.
head_of() { awk '/^\/\* SPDX/ {next} /^#/ {exit} {print}' "$1"; }
rest_of() {
  awk '/^\/\* not in libmrpb.h: begin/ {skip = 1} on && !skip && !/^#endif/ {print}
       /^\/\* not in libmrpb.h: end/ {skip = 0} /^#include "ports\/declare.h"/ {on = 1}' "$1" | sed '/./,$!d' | cat -s
}

modules() {
  local stem
  for stem in $("$structs"); do
    printf '/* ---- %s %s */\n\n' "$stem" "$(printf '%*s' $((87 - ${#stem})) '' | tr ' ' -)"
    head_of "cmodel/$stem.h"
    "$structs" "$stem"
    rest_of "cmodel/$stem.h"
  done
}

# The named numbers on ports and in parameters; numbers.h makes them in the project.
numbers() {
  awk 'FILENAME ~ /numbers.def$/ {
         if (match($0, /^NUMBER\([^"]*/)) {
           split(substr($0, 8, RLENGTH - 7), f, /, */); name[++n] = "MRPB_" f[1] "_" f[2] " = " f[3]
           text = $0; sub(/^[^"]*"/, "", text); sub(/"\)$/, "", text); meaning[n] = text }
         next }
       /^#define NUMBER/ {for (i = 1; i <= n; i++) printf "  %-37s /* %s */\n", name[i] (i < n ? "," : ""), meaning[i]; next}
       {print}' cmodel/ports/numbers.def cmodel/numbers.h > "$1"
}

work=$(mktemp)
trap 'rm -f "$work"' EXIT
while IFS= read -r line; do
  case $line in
  "@header "*) [ ! -e "${line#@header }" ] || inside "${line#@header }" ;;
  @numbers) numbers "$work"; inside "$work" ;;
  @modules) modules ;;
  *) printf '%s\n' "$line" ;;
  esac
done < "$template"
