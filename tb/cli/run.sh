#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `make run`: runs atax, 128 iterations, on the paper's Base-S without and with MRPB. SM 1 runs its
# MRPB, MSHR and PRT in lockstep with the Verilog; the waves show a window of that SM.
set -eu
cd "$(dirname "$0")/../.."
out=build/run
mkdir -p "$out" build/waves
common=(--kernel atax --cut 128 --impl-sm 1)
echo "atax (2048 x 2048, inner loop cut to 128), SM 1 in lockstep with the Verilog"
build/mrpb run -c configs/base-s.conf "${common[@]}" --impl mshr=both --json "$out/base-s.json"
build/mrpb run -c configs/base-s-mrpb.conf "${common[@]}" --impl mrpb=both,mshr=both,prt=both \
  --json "$out/base-s-mrpb.json" --vcd build/waves/run.vcd --from 20000 --to 22000
build/mrpb compare "$out/base-s.json" "$out/base-s-mrpb.json"
echo "waves: cycles 20000 to 22000 of SM 1; open them with: gtkwave build/waves/run.vcd build/waves/run.gtkw"
