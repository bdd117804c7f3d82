#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Study `rates` reads back the keys of stores, L2 and DRAM that a small GPU was given, none of which a
# configuration has: the column `configured` is worked out here, and each row is within a tenth of it.
#   tests/studies/rates.sh MRPB
set -u
cd "$(dirname "$0")/../.." || exit 2
mrpb=${1:-build/mrpb} failed=0 work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sets=()
for set in SMS=2 CLUSTER=2 TLB1_SETS=0 STORE_PORT=2600 L2_PORTS=2 L2_SLICE_PORT=4500 L2_REQUEST=250 L2_WRITE=250 \
  DRAM_CHANNELS=2 DRAM_PORT=4000 DRAM_REQUEST=500; do
  sets+=(--set "$set")
done
"$mrpb" micro rates -c configs/h200.conf "${sets[@]}" > "$work/out" || exit 1
reads_back() { # reads_back ROW UNIT CONFIGURED
  grep -Eq "^$1 +$2 +[0-9.]+ +$3 +(equal|within) " "$work/out" && return
  echo "rates.sh: $1: not within a tenth of $3 $2" >&2
  grep "^$1 " "$work/out" >&2
  failed=1
}
reads_back "stores of an SM" bytes/cycle 26
reads_back "L2, all SMs" bytes/cycle 90            # 2 slices of 45
reads_back "L2, sectors at random" sectors/cycle '0\.8' # 2 in 2.5 cycles
reads_back "L2, stores of all SMs" bytes/cycle 36  # 90 / 2.5
reads_back "DRAM, all SMs" bytes/cycle 40
reads_back "DRAM, sectors at random" sectors/cycle '0\.4' # 2 in 5 cycles
[ "$failed" = 0 ] && echo "rates.sh: six keys read back"
exit "$failed"
