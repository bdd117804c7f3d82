#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Prints the stems of all modules, one in a line: those with a ports table in cmodel/ports. A module
# comes after those that it contains, whose headers its own files include; otherwise the order is
# alphabetical.
set -eu
export LC_ALL=C
cd "$(dirname "$0")"
stems=$(basename -s .ports.h ports/*.ports.h)
awk -v stems="$stems" '
  BEGIN { n = split(stems, stem, "\n")
          for (i = 1; i <= n; i++) known[stem[i]]
          for (i = 1; i <= n; i++) put(stem[i]) }
  # a module includes its own header first, so it counts as done before its parts are looked for
  function put(name,   part, parts, k) {
    if (name in done) return
    done[name]
    split("", part)
    parts = includes(name ".h", includes(name ".c", 0, part), part)
    for (k = 1; k <= parts; k++) put(part[k])
    print name }
  function includes(file, parts, part,   line, words) {
    while ((getline line < file) > 0)
      if (line ~ /^#include "[a-z0-9_]+\.h"/) {
        split(line, words, /[".]/)
        if (words[2] in known) part[++parts] = words[2] }
    close(file)
    return parts }'
