#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Writes the map of a cache of this folder at other sizes: those of the contract, and those that only
# the cache has.
#   tests/conform/path/caches/map.sh CACHE [SIZE=N]...
set -u
map=$(cat "$(dirname "$0")/$1.map")
for size in "${@:2}"; do
  name=${size%=*} kind=param
  case $name in WORD | LANES | LINE | BUS | ADDR_W | TAG_W | JOINT) kind=size ;; esac
  map=$(sed "/^size $name = /d" <<< "$map")$'\n'"$kind $name = ${size#*=}"
done
echo "$map"
