#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Needs a machine with a GPU: makes the records of docs/atlas/, one per study, small enough for git
# (docs/silicon.md). BOARD: a or b, of two boards of a kind.
#   tests/silicon/record.sh OUT BOARD [FOLDER OF PROGRAMS [STUDY:LAUNCHES A POINT ...]]
# The default folder is build.
set -eu
cd "$(dirname "$0")/../.."
out=$1 board=$2 mrpb=${3:-build}/mrpb
shift $(($# < 3 ? $# : 3))
mkdir -p "$out"
# Where each launch gives a thousand words, three launches per point, or one, must suffice.
[ $# != 0 ] || set -- thread-latency:9 release:9 saturation:9 latency:9 shared:9 acceptance:3 lines:3 kinds:1
for study; do
  "$mrpb" micro "${study%:*}" --gpu --repeats "${study#*:}" --save "$out/record" -o "$out/plots" > "$out/${study%:*}.txt"
  name=$(sed -n 's/^name //p' "$out/record")
  xz -9e "$out/record"
  mv "$out/record.xz" "$out/$name$board-${study%:*}.rec.xz"
done
ls -l "$out"
