#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Imports configurations of GPGPU-Sim: values, where they come from, options without a counterpart,
# refused files.
#   [MRPB=build/mrpb] tests/config/import.sh
set -u
cd "$(dirname "$0")/../.."
mrpb=$PWD/${MRPB:-build/mrpb}
files=$PWD/tests/fuzz/corpus/gpgpusim
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/case.sh
cd "$work" || exit 1

differs() { # differs FILE LINE...: from base-s, in these keys and no others
  "$mrpb" config diff base-s "$1" > "$work/out" 2> "$work/err"
  shift
  [ "$(sed '1d; /^A:/,$d' "$work/out" | awk '{print $1 "=" $3}')" = "$(printf '%s\n' "$@")" ]
}
has() { true_ "$1: $3" grep -qxF -- "$3" "$2"; } # has NAME FILE LINE

# ---- values, by hand from the file ----
case_ "a file of version 4" 0 '^# Imported' "$mrpb" import "$files/four.config"
cp out four.conf
true_ "its values" differs four.conf SMS=6 WARPS_PER_SM=32 BLOCKS_PER_SM=5 SCHEDULERS=4 SCHEDULER=gto SWL_LIMIT=7 CLOCK_SM=700 \
  CLOCK_ICNT=650 CLOCK_L2=338 CLOCK_DRAM=924 L1D_SETS=64 L1D_WAYS=6 L1D_HASH=1 L1D_REPLACEMENT=fifo L1D_ALLOCATE=fill L1D_FLUSH=1 \
  L1D_MISS_QUEUE=16 MSHR_ENTRIES=48 MSHR_MERGES=4 L2_SLICES=4 L2_SETS=32 L2_WAYS=10 L2_MSHR_ENTRIES=96 L2_MSHR_MERGES=3 \
  L2_MISS_QUEUE=7 L2_IN_QUEUE=10 L2_OUT_QUEUE=13 L2_DRAM_QUEUE=11 DRAM_L2_QUEUE=12 DRAM_BANKS=8 DRAM_GROUPS=2 DRAM_CHIPS=4 DRAM_CCD=1 \
  DRAM_RRD=3 DRAM_RCD=13 DRAM_RAS=29 DRAM_RP=14 DRAM_RC=41 DRAM_CL=11 DRAM_WL=2 DRAM_CDLR=6 DRAM_WR=10 DRAM_CCDL=4 DRAM_RTPL=5
case_ "it runs" 0 'cycles' "$mrpb" run -c four.conf --kernel micro-chain-l1 --cut 4
has "two options" four.conf 'SMS                = 6        # line 2: -gpgpu_n_clusters, line 3: -gpgpu_n_cores_per_cluster'
has "rounded" four.conf 'CLOCK_L2           = 338      # line 6: -gpgpu_clock_domains, rounded'
has "not in the file" four.conf 'DRAM_LATENCY       = 100      # default: not in that file'
has "no counterpart" four.conf '# line 18: -gpgpu_l1_latency 35'
has "a flag" four.conf '# line 19: -power_simulation_enabled '
has "twice" four.conf '# line 16: -gpgpu_num_sched_per_core 3 -- line 20 counts'
has "a part of one" four.conf '# line 8: -gpgpu_cache:dl1 S:64:128:6,F:L:s:N:H,A:48:4,16:0,32 -- of it: S (lines without sectors;'
has "in lines" four.conf '#     ours: N), 0, 32'
true_ "nothing of what has one" test "$(grep -c '^# line [0-9]*: -gpgpu_n_' four.conf)" = 0
true_ "a file of version 3" "$mrpb" import "$files/three.config" -o three.conf
true_ "its values" differs three.conf SMS=2 L1I_SETS=8 L1I_WAYS=2 L1D_SETS=64 L1D_WAYS=6 L1D_MISS_QUEUE=9 MSHR_ENTRIES=16 MSHR_MERGES=2 \
  L2_ROP_LATENCY=90 DRAM_BANKS=4 DRAM_GROUPS=1 DRAM_CCD=3 DRAM_RRD=8 DRAM_RAS=21 DRAM_RP=13 DRAM_RC=34 DRAM_CL=9 DRAM_CDLR=6 \
  DRAM_WR=14 DRAM_CCDL=0 DRAM_RTPL=7
{ cat "$files/four.config"; printf -- '-ptx_opcode_latency_int %0350d\n' 1; } > long.config
true_ "a long value" "$mrpb" import long.config -o long.conf
case_ "is read" 0 . "$mrpb" dump-config -c long.conf

# ---- --set in place of a value of the file ----
printf -- '-gpgpu_n_clusters 40\n-gpgpu_n_cores_per_cluster 2\n-gpgpu_cache:il1 4:256:4,L:R:f:N:L,A:2:32,4\n' > large.config
true_ "--set" "$mrpb" import large.config --set SMS=32 --set L1I_SETS=8 --set L1I_WAYS=4 -o large.conf
true_ "counts" differs large.conf SMS=32 L1I_SETS=8
has "and is said" large.conf 'SMS                = 32       # --set; not: line 1: -gpgpu_n_clusters, line 2: -gpgpu_n_cores_per_cluster'
case_ "a key that is none" 2 "unknown key 'SM'" "$mrpb" import large.config --set SM=3

# ---- refused: one line, nothing written ----
refused() { # refused TEXT MESSAGE
  printf '%b' "$1" > wrong.config
  rm -f wrong.conf
  case_ "$1" 2 "^mrpb import: $2\$" "$mrpb" import wrong.config -o wrong.conf
  true_ "$1: one line" test "$(wc -l < out)" = 1 -a ! -e wrong.conf
}
refused '-gpgpu_n_clusters 400' 'wrong\.config:1: -gpgpu_n_clusters 400: SMS = 400 is out of range; legal: 1 to 256'
refused '# a\n\n -gpgpu_n_mem\n 0' 'wrong\.config:3: -gpgpu_n_mem 0: L2_SLICES = 0 is out of range; legal: 1 to 32'
refused '-gpgpu_n_mem six' "wrong\.config:1: -gpgpu_n_mem six: 'six' is not a number for L2_SLICES; legal: 1 to 32"
refused '-gpgpu_n_mem 99999999999999999999' ".*'99999999999999999999' is not a number for L2_SLICES; legal: 1 to 32"
refused '-gpgpu_n_mem 6.5' ".*'6.5' is not a number for L2_SLICES; legal: 1 to 32"
refused '-gpgpu_n_clusters 4294967295\n-gpgpu_n_cores_per_cluster 4294967295' '.*SMS = 18446744065119617025 is out of range; legal: 1 to 256'
refused '-gpgpu_clock_domains 700.0:1.x:1.0:1.0' ".*'1.x' is not a number for CLOCK_ICNT; legal: 1 to 100000"
refused '-gpgpu_shader_core_pipeline 1000:32' '.*: WARPS_PER_SM = 1000 / 32; legal: a multiple of 32'
refused '-gpgpu_n_mem_per_ctrlr 1\n-gpgpu_dram_buswidth 2' '.*:1: -gpgpu_n_mem_per_ctrlr 1: DRAM_CHIPS = 2 / 4; legal: a multiple of 4'
refused '-gpgpu_shader_core_pipeline 1024:16' '.*: 16 threads of a warp \(WARPS_PER_SM\); legal: 32'
refused '-gpgpu_scheduler two_level_active:6:0:1' ".*:1: -gpgpu_scheduler two_level_active:6:0:1: 'two_level_active' for SCHEDULER; legal: lrr, gto, warp_limiting"
refused '-gpgpu_scheduler warp_limiting:0:4' '.*: 0 order under warp_limiting \(SWL_LIMIT\); legal: 2'
refused '-gpgpu_cache:dl1 N:128:128:2,L:L:m:N:H,A:32:8,8' '.*:1: -gpgpu_cache:dl1 N:.*: L1D_HASH = 1, L1D_SETS = 128; legal: 32 or 64 sets'
refused '-gpgpu_cache:dl1 N:32:128:4,L:L:m:N:P,A:32:8,8' ".*: 'P' for L1D_HASH; legal: L, H"
refused '-gpgpu_cache:dl1 none' ".*: 'none' is not a number for L1D_SETS; legal: 1 to 65536"
refused '-gpgpu_cache:dl2 N:48:128:4,L:B:m:W:L,A:32:4,4' '.*:1: -gpgpu_cache:dl2 .*: L2_SETS = 48; legal: a power of two'
refused '-a 1 -config other.config' 'wrong\.config:1: -config other.config: another file; legal: all options in this one'
refused 'SMS = 3' "wrong\.config:1: 'SMS'; legal: -option value"
refused '-gpgpu_n_mem 6 7' "wrong\.config:1: '7'; legal: -option value"
refused '-gpgpu_n_mem\n\n"6' 'wrong\.config:3: a quote is not closed'
refused '-gpgpu_n_mem 6 \001' 'wrong\.config:1: a control character; legal: text'
refused '-gpgpu_x 1\n# nothing' 'wrong\.config: no option that has a counterpart; legal: a gpgpusim.config'
refused '' 'wrong\.config: no option that has a counterpart; legal: a gpgpusim.config'
refused "-a $(printf '%0500d' 1)" 'wrong\.config:1: -a: too long; legal: 400 characters'
refused "-gpgpu_n_mem $(printf ':%.0s' $(seq 70))" '.*: too many fields; legal: 64'
case_ "no file" 2 '^mrpb import: legal: import gpgpusim.config' "$mrpb" import
case_ "not there" 2 'nothing: No such file' "$mrpb" import nothing
cp "$files/four.config" same.config
case_ "over itself" 2 'read and written' "$mrpb" import same.config -o same.config
true_ "it is as before" cmp -s "$files/four.config" same.config
case_ "a full disk" 2 'cannot be written' bash -c '"$0" import same.config > /dev/full' "$mrpb"

echo "import: $passed passed, $failed failed"
[ "$failed" = 0 ]
