#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs all modules, and tables from elsewhere, in lockstep with the Verilator that VERILATOR
# names (docs/verify/simulators.md).
#   make simulators VERILATOR=PATH
set -eu
cd "$(dirname "$0")/../.."
[ -n "${VERILATOR:-}" ] || { echo "simulators.sh: VERILATOR is not set; legal: VERILATOR=PATH of a Verilator" >&2; exit 2; }
"$VERILATOR" --version
export VERILATOR
build/mrpb cosim all --cycles 100000 | grep -v '^  \|: bin '
size=(--set ENTRIES=2 --set MERGES=2 --set ADDR_W=4 --set DATA_W=4 --cycles 100000)
tables=tests/verilog/design
build/mrpb cosim mshr "${size[@]}" -f $tables/plain_table.f --map $tables/plain_table.map | grep -E '^matched|^FAILED|simulated'
build/mrpb cosim mshr "${size[@]}" -f $tables/slot_table.f --map $tables/slot_table.map | grep -E '^matched|^FAILED|simulated'
build/mrpb cosim mshr --set ADDR_W=25 --set DATA_W=16 --cycles 100000 -f $tables/miss_table.f --map $tables/miss_table.map |
  grep -E '^matched|^FAILED|simulated'
