#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb micro --gpu` without a GPU: runs the studies through a driver backed by the model of
# tb/device (fake_cuda.c), checks what may go wrong and the records of launches, and repeats the
# studies on records of real GPUs (tests/data/measured).
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
source tests/case.sh
mrpb=$PWD/build/mrpb
export LD_LIBRARY_PATH=$PWD/build/fake
micro() { $mrpb micro "$@" -o "$work/plots"; }
one_line() { # one_line NAME PATTERN COMMAND...: exit 2, one line on stderr
  local name=$1 pattern=$2
  shift 2
  case_ "$name" 2 "$pattern" "$@"
  true_ "$name: in one line" test "$(grep -c '^mrpb micro: ' "$work/out")" = 1
}
found() { # found WHAT VALUE: the study's row says so
  true_ "$1: $2" grep -qE -- "^$1 .* $2 " "$work/all"
}

# ---- live, on a GPU that is a model ----
case_ "all studies for a GPU" 0 'PRT entries' micro all --gpu --repeats 2 --save "$work/all.rec" --json "$work/all.json"
cp "$work/out" "$work/all"
found "table" PRT
found "PRT entries" "509 to 511"
found "lines awaited, L1D of 248 KB" 1984
found "lines awaited, L1D of 92 KB" 736
found "release" "in order"
found "banks" 32
found "L1D hit" 32
found "L2 hit" 274
found "DRAM" 680
true_ "plots and data" test -s "$work/plots/tb-device-release.svg" -a -s "$work/plots/tb-device-release.csv"
case_ "one study, the GPU's number" 0 'in order' micro release --gpu=0 --repeats 1
mkdir "$work/path"
case_ "without gnuplot the data alone" 0 'no gnuplot: data without plots' env PATH="$work/path" $mrpb micro release --gpu --repeats 1 -o "$work/bare"
true_ "which are there" test -s "$work/bare/tb-device-release.csv" -a ! -e "$work/bare/tb-device-release.svg"

# ---- a record replaces the GPU ----
case_ "the same studies on the record" 0 'PRT entries' $mrpb micro all --measured "$work/all.rec" -o "$work/again"
true_ "the same page" cmp "$work/out" "$work/all"
true_ "the same plots" diff -r "$work/plots" "$work/again"
xz -k "$work/all.rec"
case_ "packed, too" 0 'PRT entries' micro all --measured "$work/all.rec.xz"
one_line "another study's record" 'all.rec:[0-9]+: has .study thread-latency., but the study asks for' micro release --measured "$work/all.rec"
head -n 100 "$work/all.rec" > "$work/cut.rec"
one_line "a record that ends early" 'ends after line 100; the studies ask for more' micro all --measured "$work/cut.rec"
sed '0,/^launch/s/^launch loads/launch loafs/' "$work/all.rec" > "$work/other.rec"
one_line "another launch" 'other.rec:[0-9]+: has .launch loafs' micro all --measured "$work/other.rec"
sed '0,/^span/{n;s/^[0-9]/x/}' "$work/all.rec" > "$work/words.rec"
sed -i '0,/^span$/{/^span$/{n;s/.*/many/}}' "$work/words.rec"
one_line "no number" 'words.rec:[0-9]+: .many.; legal: a difference' micro all --measured "$work/words.rec"
{ cat "$work/all.rec"; echo more; } > "$work/more.rec"
one_line "more than was asked for" 'no study asks for that' micro all --measured "$work/more.rec"
echo mrpb > "$work/none.rec"
one_line "no record" 'legal: mrpb-measured 1' micro all --measured "$work/none.rec"
sed 's/^repeats .*/repeats 0/' "$work/all.rec" > "$work/zero.rec"
one_line "no repeats" 'legal: at least 1' micro all --measured "$work/zero.rec"
one_line "no file" 'No such file' micro all --measured "$work/there-is-none"

# ---- parts that older records lack; a link that takes 256 lines ----
grep -v '^HOST_READS' configs/h200.conf > "$work/link.conf"
echo 'HOST_READS = 256' >> "$work/link.conf"
export FAKE_CUDA_CONF=$work/link.conf
case_ "a link of 256 lines" 0 'table +not decided .*hidden by the link' micro thread-latency --gpu --repeats 1 --save "$work/link.rec"
unset FAKE_CUDA_CONF
cp "$work/out" "$work/link"
true_ "and how many" grep -Eq '^lines of the host at once +lines +256 to' "$work/link"
case_ "on its record" 0 'hidden by the link' micro thread-latency --measured "$work/link.rec"
true_ "the same page" cmp "$work/out" "$work/link"
sed '/^part two SMs/,$d' "$work/link.rec" > "$work/one.rec"
case_ "a record of one SM" 0 'table +not decided .*it may be the link' micro thread-latency --measured "$work/one.rec"
case_ "halves and rounds" 0 'a branch taken' micro latency --gpu --repeats 1 --save "$work/rounds.rec"
sed '/^part lines and rounds/,$d' "$work/rounds.rec" > "$work/before.rec"
case_ "a record of before" 0 'lines and rounds +not measured .*this record is from a version without them' micro latency --measured "$work/before.rec"
sed '/^part lines and rounds/d' "$work/rounds.rec" > "$work/torn.rec"
one_line "a part without its name" 'no study asks for that' micro latency --measured "$work/torn.rec"

# ---- as a configuration ----
case_ "a configuration" 0 'PRT entries' micro all --measured "$work/all.rec" --export "mrpb:$work/like.conf"
true_ "what was measured is in it" grep -q '^PRT_LOADS  *= 510  *# measured: PRT entries: 509 to 511' "$work/like.conf"
true_ "what was not says so" grep -q '^TLB1_WAYS .* # not measured' "$work/like.conf"
true_ "nor has the card been asked for" grep -q '^DRAM_PORT .* # not measured; of configs/h200.conf$' "$work/like.conf"
true_ "the L2 is the driver's" grep -q '^L2_TOTAL_SETS  *= 30720  *# from the driver' "$work/like.conf"
mkdir -p "$work/carry/configs"
head -c 1024 /dev/zero > "$work/no-home" # the program must not find the tree in which it was built
objcopy --update-section .mrpb.home="$work/no-home" build/mrpb "$work/carry/mrpb" && cp configs/h200.conf "$work/carry/configs"
xz -dc tests/data/measured/h100a-latency.rec.xz > "$work/h100.rec"
carried() { (cd "$work/plots" && env -u MRPB_DATA ../carry/mrpb micro latency --measured "$work/h100.rec" --export "mrpb:$work/h100.conf" -o "$work/carried"); }
case_ "an H100, from the carried folder" 0 'bits of a half' carried
true_ "has the L2 that its driver says" grep -q '^L2_TOTAL_SETS  *= 25600  *# from the driver' "$work/h100.conf"
case_ "and passes its own study" 0 'bits of a half +19 +19 +equal' micro latency -c "$work/h100.conf"
case_ "a model with it is like the GPU" 0 'L2 hit +cycles +274 +274 +equal' micro latency -c "$work/like.conf"
case_ "lines of Accel-Sim" 0 'PRT entries' micro all --measured "$work/all.rec" --export "accel-sim:$work/lines"
true_ "with the evidence" grep -q '^# measured: PRT entries: 509 to 511$' "$work/lines"
true_ "and the number" grep -q -- '^-gpgpu_cache:dl1 S:4:128:64,L:T:m:L:L,A:510:64,16:0,32$' "$work/lines"
one_line "no such form" 'legal: mrpb, accel-sim' micro all --measured "$work/all.rec" --export "gpgpu:$work/x"
one_line "no file" 'legal: mrpb:FILE, accel-sim:FILE' micro all --measured "$work/all.rec" --export mrpb
one_line "of a model" '--export: legal: with --gpu or --measured' micro release -c configs/h200.conf --export "mrpb:$work/x"

# ---- the record of a real GPU that no page of docs/atlas uses; docs/generate.sh reads others ----
case_ "a third board" 0 'clock' micro thread-latency --measured tests/data/measured/h100c-thread-latency.rec.xz

# ---- what goes wrong ----
one_line "no driver" 'no driver: libcuda.so.1: .*needs a machine with an NVIDIA GPU' env -u LD_LIBRARY_PATH $mrpb micro release --gpu -o "$work/plots"
bad() { FAKE_CUDA=$1 micro release --gpu --repeats 1 --hang 1 --save "$work/bad.rec"; }
one_line "no GPU" 'CUDA_ERROR_NO_DEVICE' bad no-device
one_line "a GPU that maps no memory" 'legal: a GPU and a driver that can' bad maps-not
one_line "addresses that are taken" 'addresses from 0x80000000 on are not available' bad elsewhere
one_line "no memory" 'CUDA_ERROR_OUT_OF_MEMORY' bad no-memory
one_line "a compiler that leaves loads out" 'of its 33 accesses the driver.s compiler left 32' bad drops-loads
one_line "a clock that moves" 'its clock went from 1980 to 990 MHz' bad clock-drifts
one_line "an illegal address" 'CUDA_ERROR_ILLEGAL_ADDRESS' bad faults
one_line "a launch that does not end" 'did not end within 1 s; given up' bad hangs
true_ "no record of all that" test ! -e "$work/bad.rec" -a ! -e "$work/bad.rec.part"
one_line "a GPU that is not there" 'GPU 3: no such GPU; legal: 0 to 0' micro release --gpu=3
FAKE_CUDA_UUID=one FAKE_CUDA=hangs $mrpb micro release --gpu --repeats 1 --hang 5 -o "$work/first" > "$work/first.out" 2>&1 &
for _ in $(seq 100); do grep -q @mrpb-gpu-6f6e65 /proc/net/unix && break; sleep 0.05; done
one_line "two at a time" 'another mrpb uses it' env FAKE_CUDA_UUID=one $mrpb micro release --gpu --repeats 1 -o "$work/plots"
wait

# ---- options ----
one_line "a configuration" '--gpu: legal: without -c' micro release --gpu -c configs/h200.conf
one_line "both" '--gpu, --measured: legal: one of them' micro release --gpu --measured "$work/all.rec"
one_line "--save without a GPU" '--save: legal: with --gpu' micro release -c configs/h200.conf --save "$work/x"
one_line "a study for models" 'its kernels are for a model' micro registers --gpu
one_line "no number" '--gpu x' micro release --gpu=x
one_line "an unwritable record" 'mrpb micro: ' micro release --gpu --save /proc/none/x
echo "micro on a GPU: $passed passed, $failed failed"
[ "$failed" = 0 ]
