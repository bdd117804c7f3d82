#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# On a machine with a GPU: the records of docs/atlas/, one a study, small enough for git (docs/silicon.md).
#   tests/silicon/record.sh OUT [FOLDER OF PROGRAMS, build unless told]
set -eu
cd "$(dirname "$0")/../.."
out=$1 mrpb=${2:-build}/mrpb
mkdir -p "$out"
# Where each launch gives a thousand words one launch a point has to do.
for study in thread-latency:9 release:9 saturation:9 latency:9 shared:9 acceptance:1 kinds:1; do
  "$mrpb" micro "${study%:*}" --gpu --repeats "${study#*:}" --save "$out/${study%:*}.rec" -o "$out/plots" > "$out/${study%:*}.txt"
  name=$(sed -n 's/^name //p' "$out/${study%:*}.rec")
  xz -9e "$out/${study%:*}.rec"
  mv "$out/${study%:*}.rec.xz" "$out/$name-${study%:*}.rec.xz"
done
ls -l "$out"
