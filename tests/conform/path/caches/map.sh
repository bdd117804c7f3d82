#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the map of a cache of this folder at other sizes: those of the contract and those that only
# the cache has.
#   tests/conform/path/caches/map.sh CACHE [SIZE=N]...
set -u
map=$(dirname "$0")/$1.map
for size in "${@:2}"; do
  case $size in
    WORD=* | LANES=* | LINE=* | BUS=* | ADDR_W=* | TAG_W=* | JOINT=*) echo "size ${size%=*} = ${size#*=}" ;;
    *) echo "param ${size%=*} = ${size#*=}" ;;
  esac
done | awk '$1 == "size" { own[$2] = $0 } { line[n++] = $0 }
  END { while ((getline l < "'"$map"'") > 0) { split(l, w, " "); if (!(w[1] == "size" && w[2] in own)) print l }
        for (i = 0; i < n; i++) print line[i] }'
