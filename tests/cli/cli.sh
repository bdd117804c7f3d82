#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Errors of the command line as a user meets them: one line, the right exit code, and no
# half-written file.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
strict=1
. tests/case.sh

edit() { sed "$1" configs/base-s.conf > "$work/$2.conf"; }

mrpb=build/mrpb
run="$mrpb run --kernel micro-chain-l1 --cut 4"

# ---- configurations ----
edit 's/^L1D_WAYS /L1D_WAIS /' unknown
case_ "unknown key" 2 'unknown\.conf:[0-9]+: .*L1D_WAIS.*L1D_WAYS' $run -c "$work/unknown.conf"
edit '/^MSHR_ENTRIES /d' missing
case_ "missing key" 2 'missing\.conf.*MSHR_ENTRIES' $run -c "$work/missing.conf"
edit '/^SMS /p' duplicate
case_ "duplicate key" 2 'duplicate\.conf:[0-9]+: .*SMS' $run -c "$work/duplicate.conf"
edit 's/^MSHR_ENTRIES .*/MSHR_ENTRIES = 129/' range
case_ "out of range" 2 'range\.conf:[0-9]+: .*MSHR_ENTRIES.*129.*1.*128' $run -c "$work/range.conf"
edit 's/^SMS .*/SMS = many/' number
case_ "no number" 2 'number\.conf:[0-9]+: .*SMS.*many' $run -c "$work/number.conf"
edit 's/^MRPB_POLICY .*/MRPB_POLICY = longst/' word
case_ "unknown word" 2 'word\.conf:[0-9]+: .*MRPB_POLICY.*longest' $run -c "$work/word.conf"
case_ "no such file" 2 'nowhere\.conf.*No such file' $run -c "$work/nowhere.conf"
case_ "a folder" 2 "$work" $run -c "$work"
case_ "--set unknown" 2 'MRPB_DEPHT.*MRPB_DEPTH' $run -c configs/base-s.conf --set MRPB_DEPHT=4
case_ "--set out of range" 2 'MRPB_LATENCY.*3.*18' $run -c configs/base-s.conf --set MRPB_LATENCY=2
case_ "no configuration" 2 '-c' $run
case_ "unknown kernel" 2 'ataxx.*atax' $mrpb run -c configs/base-s.conf --kernel ataxx
case_ "size out of range" 2 '--size 2: legal for 2dconv: 3 to 8192' $mrpb run -c configs/base-s.conf --kernel 2dconv --size 2
case_ "option of another program" 2 '--cut: 2dconv has no inner loop' $mrpb run -c configs/base-s.conf --kernel 2dconv --cut 2
case_ "unknown model" 2 '--model D: legal: A, B or C' $mrpb run -c configs/base-s.conf --model D
case_ "unknown option" 2 '--kernl' $mrpb run -c configs/base-s.conf --kernl atax
case_ "unknown command" 2 'rn.*run' $mrpb rn

# ---- a user's own kernel ----
cat > "$work/k.ptx" << 'END'
.version 3.0
.target sm_20
.address_size 64
.visible .entry fill(.param .u64 out, .param .u32 x, .param .f32 f)
{
  .reg .b32 %r<4>; .reg .f32 %f<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [x]; ld.param.f32 %f1, [f];
  mov.u32 %r2, %tid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.s64 %rd1, %rd1, %rd2;
  add.s32 %r1, %r1, %r2;
  st.global.u32 [%rd1], %r1;
  ret;
}
END
ptx="$mrpb run --functional --ptx $work/k.ptx --grid 1 --block 8"
sed 's/  st.global/  ld.global.cg.u32 %r3, [%rd1];\n&/' "$work/k.ptx" > "$work/cg.ptx"
past() { "$@" --ptx "$work/$text.ptx" --grid 1 --block 8 --arg buf:32 --arg 1 --arg 1 > "$work/out" 2> "$work/err"; }
text=cg
true_ "a load past the L1D" past $mrpb run --functional
true_ "the same, timed" past $mrpb run -c configs/base-s-mrpb.conf --check
true_ "and checked" grep -q 'no violation' "$work/out"
sed 's/  st.global.u32/  red.global.add.u32/' "$work/k.ptx" > "$work/red.ptx"
text=red
true_ "atomics, timed" past $mrpb run -c configs/base-s.conf --check
true_ "and checked" grep -q '8 atomics of threads: no violation' "$work/out"
sed 's/  st.global/  bar.sync 1, 32;\n&/' "$work/k.ptx" > "$work/bar.ptx"
case_ "a barrier that a trace cannot hold" 2 'bar\.trace: a trace cannot hold a barrier other than 0 of all threads' $mrpb run --functional --record "$work/bar.trace" --ptx "$work/bar.ptx" --grid 1 --block 8 --arg buf:32 --arg 1 --arg 1
true_ "no trace after that" test ! -e "$work/bar.trace"
sed 's/bar.sync 1, 32/bar.sync 1, 64/' "$work/bar.ptx" > "$work/more.ptx"
case_ "a barrier of more than there are" 2 'fill:12: bar: lane 0 .*: a barrier of 64 threads; legal: multiples of 32, up to 32' $mrpb run --functional --ptx "$work/more.ptx" --grid 1 --block 8 --arg buf:32 --arg 1 --arg 1
sed 's/  st.global/  setp.lt.u32 %p1, %r2, 32;\n  @%p1 bar.sync 1, 64;\n&/; s/\.reg \.b32/.reg .pred %p<2>; &/' "$work/k.ptx" > "$work/alone.ptx"
case_ "a barrier where no other warp can arrive" 2 'fill: warps 0x1 of a block wait at a barrier where no other warp can arrive' $mrpb run --functional --ptx "$work/alone.ptx" --grid 1 --block 64 --arg buf:256 --arg 1 --arg 1
case_ "no such text" 2 'nowhere\.ptx: No such file' $mrpb run --functional --ptx "$work/nowhere.ptx" --grid 1 --block 1
case_ "no such kernel" 2 'fil.*fill' $ptx --kernel fil
case_ "no grid" 2 'needs --grid.*--block' $mrpb run --functional --ptx "$work/k.ptx"
case_ "empty grid" 2 '--grid 0: legal.*1 to' $mrpb run --functional --ptx "$work/k.ptx" --grid 0 --block 8
case_ "too large a block" 2 '--block 64,64: legal: up to 1024' $mrpb run --functional --ptx "$work/k.ptx" --grid 1 --block 64,64
case_ "too few arguments" 2 'fill has 3 parameters; --arg is given 1 times' $ptx --arg buf:32
case_ "too many registers" 2 '--regs 256: legal: 1 to 255' $ptx --regs 256 --arg buf:32 --arg 1 --arg 1
case_ "a number out of range" 2 'argument 1, \.param \.u32 x: legal: -2147483648 to 4294967295' $ptx --arg buf:32 --arg 4294967296 --arg 1
case_ "a number of another kind" 2 'argument 1, .*the kind' $ptx --arg buf:32 --arg f32:1 --arg 1
case_ "no number" 2 'argument 2, .*not a number' $ptx --arg buf:32 --arg 1 --arg 1x
case_ "a buffer for a number" 2 'argument 1, .*8 bytes' $ptx --arg buf:32 --arg buf:8 --arg 1
case_ "a bad buffer" 2 'argument 0, .*buf:BYTES:iota' $ptx --arg buf:32:iotas --arg 1 --arg 1
case_ "a buffer from no file" 2 'argument 0, .*No such file' $ptx --arg "buf:@$work/nowhere" --arg 1 --arg 1
case_ "too large a buffer" 2 'argument 0, .*legal: 1 to 1073741824|argument 0, .*legal: 1 to the 1073741824' $ptx --arg buf:1073741825 --arg 1 --arg 1
case_ "dump of a number" 2 'argument 1 is not a buffer' $ptx --arg buf:32 --arg 1 --arg 1 --dump "1:$work/o"
case_ "dump nowhere" 2 'nowhere/o: No such file' $ptx --arg buf:32 --arg 1 --arg 1 --dump "0:$work/nowhere/o"
case_ "no such texture" 2 'no texture t' $ptx --arg buf:32 --arg 1 --arg 1 --tex 0:t
case_ "arguments without a text" 2 'go with --ptx' $run -c configs/base-s.conf --arg 1
case_ "an access outside" 2 'fill:12: st: lane 7 of block \(0,0,0\) thread \(7,0,0\): 4-byte store at 0x8000001c' $ptx --arg buf:28 --arg 1 --arg 1
true_ "no dump after a failure" test ! -e "$work/o"
$ptx --arg buf:32 --arg -3 --arg 1.5 --dump "0:$work/o" > /dev/null
true_ "functional dump" test "$(od -An -td4 -w32 "$work/o" | tr -s ' ')" = " -3 -2 -1 0 1 2 3 4"
$mrpb run -c configs/base-s.conf --ptx "$work/k.ptx" --grid 1 --block 8 --arg "buf:@$work/o" --arg i32:9 --arg 1 --dump "0:$work/o2" > /dev/null
true_ "dump of a timed run" test "$(od -An -td4 -w32 "$work/o2" | tr -s ' ')" = " 9 10 11 12 13 14 15 16"

printf '%s\n' '.version 7.0' '.target sm_70' '.address_size 64' \
  '.visible .entry s(.param .u64 o, .param .align 8 .b8 p[12]) { .reg .u64 %d<4>; .reg .u32 %r<4>; ld.param.u64 %d1, [o];' \
  'ld.param.u64 %d2, [p]; st.global.u64 [%d1], %d2; ld.param.u32 %r1, [p+8]; st.global.u32 [%d1+8], %r1; ret; }' > "$work/s.ptx"
by="$mrpb run --functional --ptx $work/s.ptx --grid 1 --block 1 --arg buf:16"
$by --arg hex:0100000002000000Ff000000 --dump "0:$work/o" > /dev/null
true_ "a structure by value" test "$(od -An -td4 -w32 "$work/o" | tr -s ' ')" = " 1 2 255 0"
case_ "a number for a structure" 2 'argument 1, .*a structure or an array; legal: hex:' $by --arg 5
case_ "too few bytes of it" 2 'argument 1, .*legal: 24 hexadecimal digits' $by --arg hex:0102

rev="$mrpb run --functional --ptx docs/examples/ptx/reverse.ptx --grid 2 --block 4 --arg buf:32:iota"
$rev --shared 16 --dump "0:$work/o" > /dev/null
true_ "shared memory sized by the launch" test "$(od -An -td4 -w32 "$work/o" | tr -s ' ')" = " 3 2 1 0 7 6 5 4"
case_ "too little of it" 2 'thread \(3,0,0\): 4-byte store at 0xc: outside' $rev --shared 12
case_ "none of it" 2 'thread \(0,0,0\): 4-byte store at 0x0: outside' $rev
case_ "too much of it" 2 '--shared 262145: legal: 0 to 262144' $rev --shared 262145
fits="$mrpb run -c configs/base-s.conf --ptx docs/examples/ptx/reverse.ptx --grid 2 --block 4 --arg buf:32:iota"
case_ "more than an SM of the configuration has" 2 'does not fit into an SM: 49156 bytes of shared memory, of 49152 \(SHARED_BYTES\)' $fits --shared 49156
case_ "more registers than it has" 2 'fill: .*does not fit into an SM: 64 registers a thread, 65536 together, of 32768 \(REGISTERS_PER_SM\)' $mrpb run -c configs/base-s.conf --ptx "$work/k.ptx" --grid 1 --block 1024 --regs 64 --arg buf:4096 --arg 1 --arg 1

printf '%s\n' '.version 8.0' '.target sm_80' '.address_size 64' '.const .align 4 .b8 c[8];' \
  '.visible .entry tensor(.param .u64 p) { .reg .b32 %r<3>; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r2]; ret; }' \
  '.visible .entry plain(.param .u64 p) .reqntid 8 { .reg .b64 %d<2>; .reg .b32 %r<2>; ld.param.u64 %d1, [p]; ' \
  'mov.u32 %r1, 7; st.global.u32 [%d1], %r1; ret; }' > "$work/two.ptx"
reports() { $mrpb ptx "$work/two.ptx" > "$work/out" && grep -qF -- "$1" "$work/out"; }
true_ "ptx: what cannot run" reports "  lacks: $work/two.ptx:5: \`ldmatrix.sync.aligned.m8n8.x1.shared.b16\`: tensor cores are not supported; use ld.shared"
true_ "ptx: what can" reports "  4 instructions, 2 registers, 0 bytes of shared and 0 of local memory; calls 0 functions"
true_ "ptx: a parameter" reports "  parameter 0: .u64 p, 8 bytes"
true_ "ptx: its block" reports "  block: 8,1,1 (.reqntid)"
true_ "ptx: a variable" reports ".const variable c: 8 bytes, alignment 4"
true_ "ptx: the count" reports "1 of 2 kernels can run"
printf '%s\n' '.version 8.0' '.target sm_80' '.func f { ret; }' '.func g { mma; }' > "$work/no.ptx"
$mrpb ptx "$work/no.ptx" > "$work/out"
true_ "ptx: functions without a kernel" test $? = 0 -a "$(grep -cE '^function (f: read|g: cannot run)$' "$work/out")" = 2
case_ "which cannot be run" 2 'no\.ptx:5: no kernel; legal: at least one \.entry' $mrpb run --functional --ptx "$work/no.ptx" --grid 1 --block 1
case_ "ptx without a file" 2 'no file given' $mrpb ptx
case_ "ptx of two" 2 "'b': one file at a time" $mrpb ptx a b
case_ "ptx of no file" 2 'nowhere\.ptx: No such file' $mrpb ptx "$work/nowhere.ptx"
case_ "ptx of another text" 2 'cli\.sh:1: .* found where a directive is expected' $mrpb ptx tests/cli/cli.sh
two="$mrpb run -c configs/base-s.conf --ptx $work/two.ptx --arg buf:64 --grid 1"
case_ "a kernel that cannot run" 2 "kernel 'tensor' cannot run: .*two\.ptx:5: .ldmatrix" $two --block 8 --kernel tensor
case_ "a block that it does not allow" 2 'plain: a block of 4,1,1 threads; its \.reqntid needs blocks of 8,1,1' $two --block 4 --kernel plain

# ---- launch files ----
printf 'ptx "k.ptx"\nlet n = 8\nbuffer a i32[n]\nlaunch fill(a, n, 1.5) grid 1 block n\ncompare a with n + i\nwrite a to "%s/o.txt"\n' "$work" > "$work/a.launch"
file="--launch $work/a.launch"
says() { "${@:2}" > "$work/out" 2> "$work/err" && grep -qE -- "$1" "$work/out"; } # says PATTERN COMMAND...
true_ "launch file" says 'a\.launch: run without timing; 1 comparison held$' $mrpb run --functional $file
true_ "what it writes" test "$(tr '\n' ' ' < "$work/o.txt")" = "8 9 10 11 12 13 14 15 "
rm "$work/o.txt"
true_ "launch file, timed" says 'launch file     1 comparison held' $mrpb run -c configs/base-s.conf $file --let n=4 --check
true_ "what it writes with another size" test "$(tr '\n' ' ' < "$work/o.txt")" = "4 5 6 7 "
rm "$work/o.txt"
$mrpb run -c configs/base-s.conf $file --record "$work/a.trace" > /dev/null
true_ "launch file, replayed" says 'instructions +72 ' $mrpb run -c configs/base-s.conf --trace "$work/a.trace"
sed 's/n + i/i/' "$work/a.launch" > "$work/b.launch"
rm "$work/o.txt"
case_ "a comparison that does not hold" 1 '^mrpb run: .*/b\.launch:5: a\[0\] is 8, expected 0; 8 of 8 differ$' $mrpb run --functional --launch "$work/b.launch"
case_ "the same, timed" 1 '^mrpb run: .*/b\.launch:5: a\[0\] is 8, expected 0; 8 of 8 differ$' $mrpb run -c configs/base-s.conf --launch "$work/b.launch"
true_ "nothing written after it" test ! -e "$work/o.txt"
case_ "launch file and program" 2 'go with a program, not with --launch' $mrpb run --functional $file --size 3
case_ "launch file and kernel" 2 '--launch goes without --kernel, --ptx and --trace' $mrpb run --functional $file --kernel fill
case_ "--let alone" 2 '--let goes with --launch FILE' $mrpb run --functional --let n=3
case_ "--let of no variable" 2 '--let m=3: legal: NAME=NUMBER, with a NAME that .*a\.launch has a `let` of' $mrpb run --functional $file --let m=3
case_ "written twice" 2 'o\.txt: written twice' $mrpb run -c configs/base-s.conf $file --json "$work/o.txt"
sed "s|o.txt|k.ptx|" "$work/a.launch" > "$work/c.launch"
case_ "written and read" 2 'k\.ptx: read and written' $mrpb run --functional --launch "$work/c.launch"
case_ "launch file that writes, in a sweep" 2 'a\.launch: writes files; legal in a sweep: without `write`' $mrpb sweep $file -c configs/base-s.conf --db "$work/l.db"
sed '/^write/d' "$work/a.launch" > "$work/d.launch"
true_ "launch file in a sweep" says '' $mrpb sweep --launch "$work/d.launch" --let n=4 -c configs/base-s.conf --db "$work/l.db"
case_ "no launch file" 2 'nowhere: No such file' $mrpb run --functional --launch "$work/nowhere"

# ---- estimate ----
est="$mrpb estimate -c configs/base-s-mrpb.conf -o $work/est"
case_ "estimate: unknown option" 2 '--catci.*--cacti' $est --catci x
case_ "estimate: option without a value" 2 '--cacti needs a value' $est --cacti
case_ "estimate: two configurations" 2 '-c .*: legal: once' $est -c configs/base-s.conf
case_ "estimate: no such CACTI" 2 'nowhere.*legal: a CACTI 6\.5 or 7\.0 binary' $est --cacti "$work/nowhere"
case_ "estimate: no CACTI at all" 2 '/true.*exit status 0.*legal: a CACTI' $est --cacti /bin/true
case_ "estimate: node" 2 '--node 21: legal: 22 to 90' $est --node 21
case_ "estimate: temperature" 2 '--temperature 305: legal: 300 to 400 in steps of 10' $est --temperature 305
case_ "estimate: bus width" 2 '--bus 4: legal: 8 to 1024' $est --bus 4
case_ "estimate: cells" 2 '--cell hp: legal: itrs-hp, itrs-lstp, itrs-lop' $est --cell hp
case_ "estimate: ports" 2 '--ports two: legal: split, dual' $est --ports two
case_ "estimate: ECC" 2 '--ecc maybe: legal: on, off' $est --ecc maybe
case_ "estimate: time limit" 2 '--cacti-seconds 0: legal: 1 to 3600' $est --cacti-seconds 0
case_ "estimate: no number of a key" 2 'MRPB_DEPTH = 99.*0 to 64' $est --vary MRPB_DEPTH=8,99
true_ "estimate: nothing of these is left" test ! -e "$work/est"
true_ "estimate: without CACTI" test "$($est --no-logic --bus 32 --ports dual --ecc off --node 65 --temperature 320 --cell itrs-lop)" = "$work/est/report.md"
true_ "estimate: options in the input" grep -q '^-output/input bus width 32$' "$work/est/cacti/mrpb.u_fifo_bank.u_mem.mem_q.7.0.cfg"
true_ "estimate: cell type" grep -q '^-Tag array peripheral type - "itrs-lop"$' "$work/est/cacti/mrpb.u_fifo_bank.u_mem.mem_q.6.5.cfg"
true_ "estimate: says what is missing" grep -q -- '--cacti' "$work/est/report.md"

# ---- output files ----
case_ "JSON on a full disk" 2 '/dev/full.*No space' $run -c configs/base-s.conf --json /dev/full
case_ "JSON nowhere" 2 'nowhere/x\.json' $run -c configs/base-s.conf --json "$work/nowhere/x.json"
echo precious > "$work/kept.json"
case_ "bad run keeps an older result" 2 'MRPB_DEPHT' $run -c configs/base-s.conf --set MRPB_DEPHT=4 --json "$work/kept.json"
true_ "older result is untouched" grep -q precious "$work/kept.json"
case_ "waves on a full disk" 2 '/dev/full' $run -c configs/base-s.conf --vcd /dev/full --from 0 --to 20000

# ---- in-order cores ----
hopper="$mrpb run -c configs/h200.conf --kernel atax --cut 2"
case_ "the table that it lacks" 2 '--impl: the cores of configs/h200\.conf have no such unit; legal: prt=' $hopper --impl mshr=both
case_ "an MRPB" 2 'have no such unit; legal: prt=' $hopper --impl mrpb=both
case_ "an SM that it lacks" 2 '--impl-sm 132; legal: 0 to 131 or all' $hopper --impl prt=both --impl-sm 132
case_ "a wave of an SM that it lacks" 2 '--vcd-sm 132; legal: 0 to 131' $hopper --vcd "$work/x.vcd" --vcd-sm 132
case_ "a block that does not fit" 2 'gemm.*: .*legal: at most 128$' $mrpb run -c configs/h200.conf --kernel gemm --cut 2 --set THREADS_PER_BLOCK=128

# ---- micro ----
edit_gpu() { sed "$1" configs/h200.conf > "$work/$2.conf"; }
micro="$mrpb micro release -o $work/plots"
edit_gpu 's/^PRT_LOADS /PRT_LAODS /' gpu_unknown
case_ "micro: unknown key" 2 'gpu_unknown\.conf:[0-9]+: .*PRT_LAODS.*PRT_LOADS' $micro -c "$work/gpu_unknown.conf"
for old in 'PRT_ENTRIES PRT_LOADS' 'L2_SETS L2_TOTAL_SETS' 'DRAM_LATENCY DRAM_LOAD_LATENCY'; do
  edit_gpu "s/^${old#* } .*/${old% *} = 44/" gpu_old
  case_ "micro: ${old% *}, an old name" 2 "^mrpb micro: .*gpu_old\.conf:[0-9]+: ${old% *} is called ${old#* } here; legal: [0-9]+ to [0-9]+\$" $micro -c "$work/gpu_old.conf"
  case_ "micro: --set ${old% *}" 2 "^mrpb micro: --set: ${old% *} is called ${old#* } here; legal: " $micro -c configs/h200.conf --set "${old% *}=1"
  true_ "run: ${old% *} is still its own" $mrpb dump-config --set "${old% *}=1" > /dev/null
done
edit_gpu '/^TLB2_EXTRA /d' gpu_missing
case_ "micro: missing key" 2 'gpu_missing\.conf:[0-9]+: TLB2_EXTRA is missing;' $micro -c "$work/gpu_missing.conf"
edit_gpu '/^CLUSTER /p' gpu_twice
case_ "micro: duplicate key" 2 'gpu_twice\.conf:[0-9]+: CLUSTER again, first on line [0-9]+' $micro -c "$work/gpu_twice.conf"
for bad in 'SMS = 0' 'SMS = 257' 'SMS = -1' 'SMS = 0x10' 'SMS = 99999999999999999999' 'SMS = ' 'SMS = 3 4' 'PAGE = 11' 'CONST1_LINE = 64'; do
  edit_gpu "s/^${bad%% *} .*/$bad/" gpu_number
  case_ "micro: $bad" 2 "gpu_number\.conf:[0-9]+: ${bad%% *} = .*legal: [0-9]+ to [0-9]+" $micro -c "$work/gpu_number.conf"
done
for bad in 'TABLE = PRT' 'SHARED_BANKS = 32' 'TLB3_HOLDS = ' 'OPS = 1'; do
  edit_gpu "s/^${bad%% *} .*/$bad/" gpu_word
  case_ "micro: $bad" 2 "gpu_word\.conf:[0-9]+: ${bad%% *} = .*is unknown; legal: .*[|]" $micro -c "$work/gpu_word.conf"
done
head -c 65536 /dev/urandom > "$work/gpu_junk.conf"
case_ "micro: binary junk" 2 'gpu_junk\.conf:[0-9]+: ' $micro -c "$work/gpu_junk.conf"
{ cat configs/h200.conf; head -c 10000000 /dev/zero; } > "$work/gpu_zeros.conf"
case_ "micro: bytes 0" 2 'gpu_zeros\.conf:[0-9]+: a byte 0; legal: text' $micro -c "$work/gpu_zeros.conf"
{ cat configs/h200.conf; printf 'SMS = 1\0'; } > "$work/gpu_zero.conf"
case_ "micro: a byte 0 at the end" 2 'gpu_zero\.conf:[0-9]+: a byte 0; legal: text' $micro -c "$work/gpu_zero.conf"
{ cat configs/h200.conf; head -c 10000000 /dev/zero | tr '\0' x; } > "$work/gpu_long.conf"
case_ "micro: one long line" 2 'gpu_long\.conf:[0-9]+: line too long; legal: 198' $micro -c "$work/gpu_long.conf"
{ yes '# nothing' | head -n 3000000; cat configs/h200.conf; } > "$work/gpu_huge.conf"
true_ "micro: a huge file that is right" $micro -c "$work/gpu_huge.conf" > /dev/null
{ cat "$work/gpu_huge.conf"; echo SMS = 3; } > "$work/gpu_huge2.conf"
case_ "micro: a huge file that is wrong" 2 'gpu_huge2\.conf:3[0-9]+: SMS again' $micro -c "$work/gpu_huge2.conf"
rm "$work"/gpu_huge*
for pair in "SCHEDULERS=4 WARPS_PER_SM=3" "CLUSTER=9 SMS=8" "LSU_SERVICE=9 LSU_QUEUE=8" "LSU_LATENCY=400 L2_LATENCY=399" \
            "L2_LATENCY=801 DRAM_LOAD_LATENCY=800" "CONST1_LATENCY=60 CONST2_LATENCY=59" "CONST2_LATENCY=900 CONST3_LATENCY=899" \
            "CONST3_LATENCY=3000 CONST_LATENCY=2999" "CLUSTER_SPREAD=1000 CONST3_LATENCY=700" "TABLE=mshr SECTORS=1" \
            "L1D_ALLOCATE=fill TABLE=prt" "TEX_WAYS=65 TEX_REPLACEMENT=fermi" "TLB2_EXTRA=60 TLB2_REPLACEMENT=fermi"; do
  # shellcheck disable=SC2086
  case_ "micro: $pair" 2 '^mrpb micro: configs/h200\.conf: [A-Z0-9_]+ = .*; legal: ' $micro -c configs/h200.conf $(printf -- '--set %s ' $pair)
done
case_ "micro: no such file" 2 'nowhere\.conf: No such file' $micro -c "$work/nowhere.conf"
case_ "micro: a folder" 2 'Is a directory; legal: a readable file' $micro -c "$work"
case_ "micro: no configuration" 2 'legal: -c configs/' $micro
case_ "micro: unknown study" 2 'no study releas; legal: all, .*release' $mrpb micro releas -c configs/h200.conf
case_ "micro: two studies" 2 "'pchase': legal: one study" $micro pchase -c configs/h200.conf
cp configs/h200.conf "$work/mine.conf"
for set in PRT_LOADS PRT_LOADS= =44 "" PRT_LOADS=0 PRT_LOADS=44x TABLE=both; do
  case_ "micro: --set '$set'" 2 '^mrpb micro: --set.*; legal: ' $micro -c configs/h200.conf --set "$set"
done
case_ "micro: --set of another table" 2 "--set: DRAM_CL is a key of flits; legal: keys of GPUs of in-order cores with ports" $micro -c configs/h200.conf --set DRAM_CL=8
for impl in prt "" prt=verilog ptr=c prt=c,; do
  case_ "micro: --impl '$impl'" 2 '^mrpb micro: --impl .*legal: ' $micro -c configs/h200.conf --impl "$impl"
done
case_ "micro: --impl of the MRPB" 2 'legal: mshr= or prt=' $micro -c configs/h200.conf --impl mrpb=both
case_ "micro: --impl of the other table" 2 '--impl mshr: TABLE = prt in configs/h200.conf; legal: prt=' $micro -c configs/h200.conf --impl mshr=both
case_ "micro: --rtl for nobody" 2 '--rtl rtl: legal: with --impl prt=rtl or prt=both' $micro -c configs/h200.conf --rtl rtl
case_ "micro: --rtl nowhere" 2 '--rtl .*nowhere: cannot read the folder' $micro -c configs/h200.conf --impl prt=rtl --rtl "$work/nowhere"
true_ "micro: nothing of these is left" test -z "$(ls -A "$work/plots" | grep -v '^h200-release\|^gpu_huge')"
rm -rf "$work/plots"
case_ "micro: -o in no folder" 2 '/proc/none: .*; legal: a folder that can be written' $mrpb micro release -c configs/h200.conf -o /proc/none
case_ "micro: -o is a file" 2 'mine\.conf: Not a directory; legal: a folder' $mrpb micro release -c configs/h200.conf -o "$work/mine.conf"
for option in --json --markdown; do
  case_ "micro: $option nowhere" 2 'nowhere/x: No such file or directory; legal: a file that can be written' $micro -c configs/h200.conf $option "$work/nowhere/x"
  true_ "micro: and nothing was run for $option" test -z "$(ls -A "$work/plots")"
  case_ "micro: $option on a full disk" 2 '/dev/full: No space left on device' $micro -c configs/h200.conf $option /dev/full
  rm -rf "$work/plots"
done
echo precious > "$work/kept.json"
case_ "micro: a bad run keeps an older result" 2 'unknown option' $micro -c configs/h200.conf --json "$work/kept.json" --yaml x
case_ "micro: and one that is refused" 2 'legal' $micro -c configs/h200.conf --json "$work/kept.json" --markdown "$work/nowhere/x"
true_ "micro: the older result is untouched" test "$(cat "$work/kept.json")" = precious -a ! -e "$work/kept.json.part"

# A user's own GPU: every study runs, and there is no column for unpublished values.
cp configs/m2070.conf "$work/my.conf"
$mrpb micro all -c "$work/my.conf" -o "$work/own" > "$work/out" 2> "$work/err"
true_ "micro: all studies of an unpublished GPU" [ $? = 0 -a ! -s "$work/err" ]
for row in 'MSHRs' 'shared memory' 'L1D capacity' 'banks' 'unit of registers' 'pattern 1, L1D on'; do
  true_ "micro: its row $row" grep -q "^$row " "$work/out"
done
true_ "micro: deduced beside configured only" eval "head -1 $work/out | grep -q 'deduced  *configured  *deduction  *origin  *from  *note$' || grep -m1 '^what ' $work/out | grep -q 'deduced  *configured  *deduction  *origin  *from  *note$'"
$mrpb micro release -c configs/h200.conf -o "$work/own" > "$work/out"
true_ "micro: published where somebody has" grep -q '^what .*published  *publication' "$work/out"
rm -rf "$work/own"

# ---- help ----
shows() { # shows NAME PATTERN COMMAND...: exit 0, and the pattern on stdout
  local name=$1 pattern=$2
  shift 2
  "$@" > "$work/out" 2> "$work/err"
  true_ "$name" [ "$?" = 0 -a ! -s "$work/err" ]
  true_ "$name: $pattern" grep -qE -- "$pattern" "$work/out"
}
for word in help --help -h; do shows "$word" '^  cosim  ' $mrpb $word; done
shows "no word at all" '^  cosim  ' $mrpb
true_ "which is one screen" [ "$(wc -l < "$work/out")" -le 45 -a "$(wc -L < "$work/out")" -le 110 ]
shows "help kernels" '^atax  ' $mrpb help kernels
shows "help modules" '^mshr  ' $mrpb help modules
for c in $($mrpb help | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
  shows "help $c" "^mrpb $c( |$)" $mrpb help $c
  cp "$work/out" "$work/help"
  for option in --help -h; do
    $mrpb $c $option > "$work/out" 2>&1
    true_ "$c $option is help $c" cmp -s "$work/out" "$work/help"
  done
done
for m in $(basename -s .ports.h cmodel/ports/*.ports.h); do
  shows "help $m" "^. .[a-z_]*_i. . in " $mrpb help $m
  $mrpb ports $m | cmp -s - "$work/out"
  true_ "help $m is ports $m" [ $? = 0 ]
done
shows "help mshr: parameters" '^. .ENTRIES. . 1 to 128 ' $mrpb help mshr
shows "help mshr: registers" '^. .count_q. ' $mrpb help mshr
case_ "help of nothing" 2 "unknown topic 'msr'; nearest: mshr; legal: run, .*, or a module of .mrpb help modules.$" $mrpb help msr
case_ "help of two" 2 "'prt': one command or module at a time" $mrpb help mshr prt
case_ "unknown command, nearest" 2 "unknown command 'cosin'; nearest: cosim; legal: run, ptx, compare" $mrpb cosin
case_ "a name that is far from all" 2 "unknown module 'ENTRIES=5'; legal: [a-z_]+ " $mrpb cosim ENTRIES=5
mkdir "$work/bin" && cp "$mrpb" "$work/bin/mrpb"
shows "prove --help without the prover" '^mrpb prove ' "$work/bin/mrpb" prove --help
case_ "prove, wrong option, without it" 2 "unknown option '--jbos'; nearest: --jobs" "$work/bin/mrpb" prove mshr --jbos 2
# the data of a program without mrpb-prove
mkdir -p "$work/data/tb/verilog/shim" && touch "$work/data/tb/verilog/shim/verilate.sh"
case_ "prove without the prover" 5 'mrpb-prove cannot be run: .*make prover' env MRPB_DATA="$work/data" "$work/bin/mrpb" prove mshr

# ---- standard output that cannot be written ----
full() { # full NAME COMMAND...: exit 2 and one line
  local name=$1
  shift
  "$@" > /dev/full 2> "$work/err"
  true_ "full disk: $name" [ "$?" = 2 -a "$(wc -l < "$work/err")" = 1 ]
  true_ "full disk: $name, said" grep -q 'standard output cannot be written' "$work/err"
}
fifo="fifo_bank --set QUEUES=2 --set DEPTH=2"
for c in $($mrpb help | sed -nE 's/^  ([a-z-]+) .*/\1/p'); do
  full "$c --help" $mrpb $c --help
done
full help $mrpb help
full "help mshr" $mrpb help mshr
full help-config $mrpb help-config
full dump-config $mrpb dump-config
full version $mrpb version
full ports $mrpb ports mshr
full ptx $mrpb ptx docs/examples/ptx/reverse.ptx
full crosses $mrpb cosim --crosses
full cosim $mrpb cosim $fifo --cycles 1000
printf 'fifo_bank QUEUES=2 DEPTH=2 cycles=1000\n' > "$work/one.list"
full "cosim --matrix" $mrpb cosim --matrix "$work/one.list"
full prove $mrpb prove priority_encoder
printf 'priority_encoder\n' > "$work/prove.list"
full "prove --list" $mrpb prove --list "$work/prove.list"
full properties $mrpb properties priority_encoder --set WIDTH=1
full explore $mrpb explore $fifo --set DATA_W=1
full mutate $mrpb mutate $fifo --mutants 2 --cycles 1000 --seconds 1
full run $run -c configs/base-s.conf
full "run --functional" $mrpb run --functional --kernel micro-chain-l1 --cut 4
full replay $mrpb replay tests/data/l1d-syr2k.txt
full micro $micro -c configs/h200.conf
full estimate $mrpb estimate -c configs/base-s.conf --no-logic -o "$work/est"
$run -c configs/base-s.conf --json "$work/r.json" > /dev/null
full compare $mrpb compare "$work/r.json" "$work/r.json"
rm -rf "$work/est" "$work/plots"
$mrpb help > "$work/out" 2> "$work/err" >&-
true_ "standard output is closed" [ $? = 2 ]
{ sleep 0.2; $mrpb help-config 2> "$work/err"; echo $? > "$work/status"; } | true
true_ "a reader that has seen enough" [ "$(cat "$work/status")" = 141 -a ! -s "$work/err" ]

# ---- commands that could pass without having done anything ----
: > "$work/nothing"
printf '\n# only this\n' > "$work/comment"
mkdir "$work/none"
for f in nothing comment; do
  case_ "cosim --matrix: $f" 2 "$f: no runs in it; legal: " $mrpb cosim --matrix "$work/$f"
  case_ "prove --list: $f" 2 "$f: no module in it; legal: " $mrpb prove --list "$work/$f"
  case_ "mutate --list: $f" 2 "$f: no module in it; legal: " $mrpb mutate --list "$work/$f"
  case_ "mutate --c --list: $f" 2 "$f: no module in it; legal: " $mrpb mutate --list "$work/$f" --c
  case_ "properties --list: $f" 2 "$f: no line to decide" $mrpb properties --list "$work/$f"
  case_ "explore --list: $f" 2 "$f: no line to explore" $mrpb explore --list "$work/$f"
done
printf 'fifo_bank QUEUES=2 DEPTH=2 cycles=0\n' > "$work/zero.list"
case_ "cycles=0 in a list" 2 'zero\.list:1: cycles=0: legal: a number from 1' $mrpb cosim --matrix "$work/zero.list"
case_ "cosim --cycles 0" 2 '--cycles 0: legal: 1 to ' $mrpb cosim mshr --cycles 0
case_ "cosim --jobs 0" 2 '--jobs 0: legal: 1 to 64' $mrpb cosim --matrix "$work/one.list" --jobs 0
case_ "cosim --hang 0" 2 '--hang 0: legal: 1 to 86400' $mrpb cosim mshr --hang 0
case_ "prove --limit 0" 2 '--limit 0: legal: 1 to' $mrpb prove mshr --limit 0
case_ "prove --unroll 0" 2 '--unroll 0: legal: 1 to' $mrpb prove mshr --unroll 0
case_ "prove --jobs 0" 2 '--jobs 0: legal: 1 to' $mrpb prove --list "$work/prove.list" --jobs 0
case_ "properties --timeout 0" 2 '--timeout 0: legal: 1 to' $mrpb properties mshr --timeout 0
case_ "explore --states 0" 2 'states.*legal: ' $mrpb explore mshr --states 0
case_ "mutate --mutants 0" 2 '--mutants 0: legal: 1 to' $mrpb mutate mshr --mutants 0
case_ "mutate --cycles 0" 2 '--cycles 0: legal: 1000 to' $mrpb mutate mshr --cycles 0
case_ "no witnesses" 2 "--with '': empty; legal: c,verilator,icarus" $mrpb cosim --replay "$work/run.vec" --with ''
case_ "a list of commas" 2 "legal: " $mrpb cosim --replay tests/cosim/regress/mshr-40fb83b6ff0ed7b9.vec --with ,
for option in --matrix --record --vcd --rtl --tally --regress --set; do
  case_ "cosim $option ''" 2 "^mrpb cosim: $option '': empty; legal: " $mrpb cosim mshr $option ''
done
case_ "tallies of nothing" 2 'none: no \.tally file in it; legal: ' $mrpb cosim --tallied "$work/none"
mkdir "$work/hollow" && : > "$work/hollow/a.tally"
case_ "an empty tally" 2 'a\.tally: empty; legal: ' $mrpb cosim --tallied "$work/hollow"
case_ "replay of nothing" 2 'nothing:0: no events' $mrpb replay "$work/nothing"
case_ "vectors of nothing" 2 "nothing:0: the file ends before its 'mrpb-vec' line" $mrpb cosim --replay "$work/nothing"
sed '/^cycles /,$d' tests/cosim/regress/mshr-40fb83b6ff0ed7b9.vec > "$work/short.vec" && echo 'cycles 0' >> "$work/short.vec"
case_ "vectors of no cycle" 2 'short\.vec:[0-9]+: the number of cycles is wrong' $mrpb cosim --replay "$work/short.vec"
case_ "a dump of nothing" 2 'nothing:1: no .enddefinitions' $mrpb cosim mshr --vcd-in "$work/nothing"
printf '$timescale 1ns $end\n$scope module mshr $end\n$upscope $end\n$enddefinitions $end\n' > "$work/hollow.vcd"
case_ "a dump without signals" 2 'no scope has an input of mshr' $mrpb cosim mshr --vcd-in "$work/hollow.vcd"
case_ "a trace of nothing" 2 "nothing:1: ''; legal: a first line" $mrpb run -c configs/base-s.conf --trace "$work/nothing"
case_ "figures of nothing" 2 'none: it has no experiment; legal: a folder of NAME\.fig files' $mrpb figures --from "$work/none"
case_ "an unknown figure" 2 'some of the given experiments are missing' $mrpb figures fig99
case_ "a baseline of nothing" 2 'nothing:1: .*legal: a baseline file' $mrpb estimate --check "$work/nothing"
echo '{"modules": []}' > "$work/hollow.json"
case_ "a baseline of no module" 2 'legal: a list "modules" of 1 to' $mrpb estimate --check "$work/hollow.json"
case_ "a wave behind the end" 2 'late\.vcd: no cycle from 99000000 to .* in it: the run has [0-9]+ cycles; nothing was written' \
  $run -c configs/base-s.conf --vcd "$work/late.vcd" --from 99000000
true_ "and there is none" test ! -e "$work/late.vcd" -a ! -e "$work/late.gtkw" -a ! -e "$work/late.vcd.part"
case_ "lockstep of a unit that is not there" 2 '--impl mrpb: no SM of configs/base-s.conf has an MRPB' $run -c configs/base-s.conf --impl mrpb=both
case_ "the PRT too" 2 '--impl prt: no SM of configs/base-s.conf has a PRT' $run -c configs/base-s.conf --impl prt=both
case_ "replay in lockstep with another" 2 '--impl prt: no part of a replay; legal: mshr=' $mrpb replay tests/data/l1d-syr2k.txt --impl prt=both
for pair in "--from 5" "--to 5" "--vcd-sm 1" "--activity-sm 1" "--rtl rtl" "--regress $work"; do
  # shellcheck disable=SC2086
  case_ "an option that would do nothing: $pair" 2 'legal: with ' $run -c configs/base-s.conf $pair
done
for pair in "--json $work/x.json" "--vcd $work/x.vcd" "--impl mshr=both"; do
  # shellcheck disable=SC2086
  case_ "--functional $pair" 2 'legal: without --functional' $mrpb run --functional --kernel micro-chain-l1 $pair
done
for twice in "--json $work/a.json --json $work/b.json" "--cut 5" "-c configs/base-l.conf"; do
  # shellcheck disable=SC2086
  case_ "run: twice: $twice" 2 ': legal: once' $run -c configs/base-s.conf $twice
done
case_ "cosim: --cycles twice" 2 '--cycles 6: legal: once' $mrpb cosim mshr --cycles 5 --cycles 6
case_ "prove: --jobs twice" 2 '--jobs 2: legal: once' $mrpb prove --list "$work/prove.list" --jobs 2 --jobs 2
case_ "more options than a line holds" 2 "unknown option '--kernl'; nearest: --kernel; legal: what .mrpb estimate --help. lists" $mrpb estimate --kernl 5
cp configs/base-s.conf "$work/kept.conf"
case_ "two results in one file" 2 'same: written twice; legal: a file for each' $run -c configs/base-s.conf --json "$work/same" --vcd "$work/same"
case_ "a result over the configuration" 2 'kept\.conf: read and written' $run -c "$work/kept.conf" --json "$work/./kept.conf"
case_ "micro: a table over the other" 2 'same: written twice' $micro -c configs/h200.conf --json "$work/same" --markdown "$work/same"
case_ "cosim: a wave over the stimulus" 2 'x\.vec: written twice' $mrpb cosim mshr --record "$work/x.vec" --vcd "$work/x.vec"
true_ "the configuration is as it was" cmp -s configs/base-s.conf "$work/kept.conf"
true_ "and no result is there" test ! -e "$work/same"
for option in --tally --line-coverage; do
  case_ "cosim $option: a file in the way" 2 'kept\.conf: Not a directory; legal: a folder' $mrpb cosim mshr $option "$work/kept.conf"
  true_ "said before the run" test ! -s "$work/out"
done
CK_RUN_SUITE=nothing build/check_all > "$work/out" 2> "$work/err"
true_ "an unknown suite of the test runner" [ $? = 2 ]
CK_RUN_SUITE=err CK_RUN_CASE=nothing build/check_all > /dev/null 2>&1
true_ "no test at all" [ $? != 0 ]
case_ "an unknown seeded bug" 2 'nothing: no such bug' tests/verify/bugs/run.sh nothing

# ---- cosim ----
case_ "unknown module" 2 'mshrr.*mshr' $mrpb cosim mshrr
case_ "unknown parameter" 2 'ENTRYS.*ENTRIES' $mrpb cosim mshr --set ENTRYS=4
case_ "illegal size" 2 'ERROR_mshr_ENTRIES_must_be_1_to_128' $mrpb cosim mshr --set ENTRIES=129
case_ "no such folder" 2 "$work/no_rtl" $mrpb cosim mshr --rtl "$work/no_rtl"
mkdir "$work/empty" && case_ "a folder without the module" 2 'empty.*mshr' $mrpb cosim mshr --rtl "$work/empty"
cp -r rtl "$work/port" && sed -i 's/fill_err_o/fill_error_o/g' "$work/port/mshr.v"
case_ "a port is missing" 2 'mshr.*fill_err_o' $mrpb cosim mshr --rtl "$work/port" --cycles 1000
cp -r rtl "$work/syntax" && sed -i 's/^endmodule/endmodul/' "$work/syntax/mshr.v"
case_ "it does not compile" 2 'mshr\.v:[0-9]+' $mrpb cosim mshr --rtl "$work/syntax" --cycles 1000
case_ "wave on a full disk" 2 '/dev/full' $mrpb cosim mshr --cycles 2000 --vcd /dev/full

# A broken line is a mismatch: exit 1, one screen, the first difference by name.
cp -r rtl "$work/broken"
true_ "the line to break is there" grep -q "tail_q.i. + PTR_ONE" rtl/fifo_bank.v
sed -i 's/tail_q\[i\] + PTR_ONE/tail_q[i] - PTR_ONE/' "$work/broken/fifo_bank.v"
$mrpb cosim fifo_bank --rtl "$work/broken" --cycles 10000 --regress "$work/regress" > "$work/out" 2> "$work/err"
true_ "broken RTL exits 1" [ $? = 1 ]
cat "$work/out" "$work/err" > "$work/report"
true_ "the report names the register" grep -q 'tail_q' "$work/report"
true_ "the report gives the command" grep -q 'mrpb cosim fifo_bank' "$work/report"
true_ "the report fits a screen" [ "$(wc -l < "$work/report")" -le 24 ]

# ---- where the case of a mismatch is kept: never among the project's own ----
git status --porcelain > "$work/before" 2> /dev/null
ls tests/cosim/regress > "$work/cases"
$mrpb cosim fifo_bank --set QUEUES=3 --set DEPTH=3 --rtl "$work/broken" --cycles 10000 > "$work/out" 2> "$work/err"
kept=$(sed -n 's/^  kept *//p' "$work/out")
true_ "a user's mismatch goes to build/cases" [ "${kept#build/cases/fifo_bank-}" != "$kept" -a -f "$kept" -a -f "${kept%vec}json" ]
$run -c configs/base-s-mrpb.conf --impl mrpb=both --rtl "$work/broken" > "$work/out" 2> "$work/err"
kept2=$(sed -n 's/^  kept *//p' "$work/err")
true_ "that of a run, too" [ "${kept2#build/cases/mrpb-}" != "$kept2" -a -f "$kept2" ]
true_ "tests/cosim/regress is as it was" eval "ls tests/cosim/regress | cmp -s - $work/cases"
true_ "git is as it was" eval "git status --porcelain 2> /dev/null | cmp -s - $work/before"
rm -f "$kept" "${kept%vec}json" "$kept2" "${kept2%vec}json"

# ---- both files of a stimulus, or neither ----
mkdir "$work/pair" && mkdir "$work/pair/run.vec.part"
case_ "record: the .vec cannot be written" 2 'run\.vec: cannot write' $mrpb cosim $fifo --cycles 100 --record "$work/pair/run.vec"
true_ "and its .json is not there" [ "$(ls "$work/pair")" = run.vec.part ]
rmdir "$work/pair/run.vec.part" && mkdir "$work/pair/run.json"
case_ "record: a folder in the way" 2 'run\.json: .*Is a directory' $mrpb cosim $fifo --cycles 100 --record "$work/pair/run.vec"
true_ "and the .vec is not there" [ "$(ls "$work/pair")" = run.json ]
rmdir "$work/pair/run.json" && ln -s /dev/full "$work/pair/run.vec"
case_ "record: the .vec to a full disk" 2 'run\.vec: cannot write: No space' $mrpb cosim $fifo --cycles 100 --record "$work/pair/run.vec"
true_ "and no .json" [ "$(ls "$work/pair")" = run.vec ]
ln -s /dev/full "$work/pair/w.gtkw"
case_ "a wave whose save file is to a full disk" 2 'w\.gtkw: cannot write the save file' $mrpb cosim $fifo --cycles 100 --vcd "$work/pair/w.vcd"
case_ "that of a run" 2 'w\.gtkw: cannot write the save file' $run -c configs/base-s.conf --vcd "$work/pair/w.vcd"
true_ "and no wave" test ! -e "$work/pair/w.vcd" -a ! -e "$work/pair/w.vcd.part"

# ---- --rtl: a folder that contains only the files needed ----
mkdir "$work/one" && cp rtl/priority_encoder.v "$work/one"
true_ "properties of a folder of one file" $mrpb properties priority_encoder --set WIDTH=2 --rtl "$work/one" > /dev/null
printf 'priority_encoder WIDTH=2\nmshr ENTRIES=1\n' > "$work/two.list"
shows "and of a list that wants more" '^1 lines left out: their modules are not in ' $mrpb properties --list "$work/two.list" --rtl "$work/one"
case_ "no module of the list" 2 'it has no module of .*two\.list' $mrpb properties --list "$work/two.list" --rtl "$work/none"
for c in cosim prove explore mutate properties upset; do
  case_ "$c --rtl FILE" 2 '--rtl rtl/mshr\.v: cannot read the folder: Not a directory; legal: a folder with MODULE\.v' $mrpb $c mshr --rtl rtl/mshr.v
done

# ---- what a mismatch leaves: a vector file, and the command that repeats it ----
vec=$(ls "$work"/regress/fifo_bank-*.vec)
true_ "the shrunk case is kept, with its .json" test -f "${vec%vec}json"
sed -n 's/^  repeat      //p' "$work/report" > "$work/repeat"
bash "$work/repeat" > "$work/again" 2>&1
true_ "the repeat command exits 1" [ $? = 1 ]
true_ "and shows a difference" grep -q '^MISMATCH fifo_bank' "$work/again"
true_ "the right Verilog passes all witnesses" $mrpb cosim --replay "$vec" --with c,verilator,icarus > /dev/null
case_ "no such vectors" 2 'nowhere\.vec' $mrpb cosim --replay "$work/nowhere.vec"
head -n -1 "$vec" > "$work/cut.vec" && case_ "truncated vectors" 2 'cut\.vec:[0-9]+: the file ends after' $mrpb cosim --replay "$work/cut.vec"
case_ "unknown witness" 2 "'verilater'; nearest: verilator" $mrpb cosim --replay "$vec" --with c,verilater
case_ "a single witness" 2 'legal: two or three' $mrpb cosim --replay "$vec" --with c
case_ "replay and a module" 2 'legal with it' $mrpb cosim mshr --replay "$vec"
case_ "record to a wrong name" 2 'ends in \.vec' $mrpb cosim mshr --cycles 100 --record "$work/run.txt"
case_ "record nowhere" 2 'nowhere/run\.vec' $mrpb cosim mshr --cycles 100 --record "$work/nowhere/run.vec"
true_ "record" $mrpb cosim mshr --cycles 1000 --record "$work/run.vec" > /dev/null
true_ "replay what was recorded" $mrpb cosim --replay "$work/run.vec" > /dev/null
case_ "no such dump" 2 'nowhere\.vcd: No such file' $mrpb cosim mshr --vcd-in "$work/nowhere.vcd"
case_ "a dump for several modules" 2 '--vcd-in takes one module' $mrpb cosim all --vcd-in "$work/run.vcd"
case_ "a clock without a dump" 2 'are for --vcd-in' $mrpb cosim mshr --clock clk
case_ "a dump and an unknown size" 2 "no parameter 'ENTRYS'; nearest: ENTRIES" $mrpb cosim mshr --vcd-in "$work/run.vcd" --set ENTRYS=4
case_ "tallies nowhere" 2 '--tallied .*nowhere: cannot read the folder' $mrpb cosim --tallied "$work/nowhere"
case_ "tallies and a module" 2 'legal: no other option' $mrpb cosim mshr --tallied "$work"
true_ "tallies of one run only" test "$($mrpb cosim mshr --cycles 1000 --tally "$work/tally" > /dev/null; $mrpb cosim --tallied "$work/tally" > "$work/report"; echo $?)" = 1
true_ "the report names an empty cell" grep -q '^prt: allocate: none, none, empty: never happened' "$work/report"
mkdir "$work/again.d" && $mrpb cosim mshr --cycles 1000 --record "$work/again.d/run.vec" > /dev/null
true_ "the same seed, the same bytes" cmp -s "$work/run.vec" "$work/again.d/run.vec"
true_ "and the same .json" cmp -s "$work/run.json" "$work/again.d/run.json"

# ---- docs/verify/replay.md: its commands as typed, and the report that they print ----
page=docs/verify/replay.md
named() { sed "s|/tmp/my_rtl|$work/my_rtl|g; s|build/regress|$work/doc|g"; }
sed -n '/^    cp -r rtl/,/^    build\/mrpb cosim/p' "$page" | named | bash > "$work/typed" 2> /dev/null
diff <(sed -n '/^    MISMATCH/,/^      repeat/s/^    //p' "$page" | named) "$work/typed" | grep '^[<>]' | grep -v '^.   wave ' > "$work/diff"
true_ "the page's report is what is printed" [ -s "$work/typed" -a ! -s "$work/diff" ]

# ---- replay ----
case_ "no such trace" 2 'nowhere\.txt' $mrpb replay "$work/nowhere.txt"
head -n 20 tests/data/l1d-syr2k.txt > "$work/cut.txt" && printf '1088 A 12' >> "$work/cut.txt"
case_ "truncated trace" 2 'cut\.txt:21' $mrpb replay "$work/cut.txt"
true_ "a good trace" $mrpb replay tests/data/l1d-syr2k.txt > /dev/null
awk '$2 == "A" && !done {sub(/MISS MISS/, "HIT HIT"); done = 1} {print}' tests/data/l1d-syr2k.txt > "$work/wrong.txt"
$mrpb replay "$work/wrong.txt" > /dev/null 2>&1
true_ "a wrong trace exits 1" [ $? = 1 ]

# ---- lockstep inside the GPU: every cycle of every unit; the same result with any version ----
gpu="$mrpb run -c configs/base-s-mrpb.conf --kernel atax --cut 2"
$gpu --json "$work/c.json" > "$work/c.txt"
$gpu --impl mrpb=both,mshr=both,prt=both --impl-sm 1 --json "$work/both.json" > "$work/both.txt" 2> /dev/null
$gpu --impl mrpb=rtl,mshr=rtl,prt=rtl --impl-sm all --json "$work/rtl.json" > "$work/rtl.txt" 2> /dev/null
$gpu --impl mrpb=rtl,mshr=rtl,prt=rtl --impl-sm all --no-check --json "$work/free.json" > "$work/free.txt" 2> /dev/null
cycles=$(awk '$1 == "cycles" {print $2}' "$work/both.txt")
true_ "three units are compared in every cycle" grep -q "lockstep  *$((3 * cycles)) cycles" "$work/both.txt"
true_ "lockstep changes nothing" cmp -s <(sed '$d; s/,$//' "$work/c.json") <(sed '/^  "lockstep"/,$d; s/,$//' "$work/both.json")
true_ "it says how many bins were reached" grep -q 'mshr ENTRIES=32 .*; [1-9][0-9]* of [1-9][0-9]* bins reached' "$work/both.txt"
true_ "and names the others" grep -q '^  not reached .*full, refuse_entries, ' "$work/both.txt"
true_ "in JSON as well" grep -q '"bins_reached": [1-9]' "$work/both.json"
true_ "the others, too" grep -q '^ *"refuse_entries",' "$work/both.json"
true_ "the Verilog in all SMs changes nothing" cmp -s "$work/c.json" "$work/free.json"
true_ "Verilog alone is checked" grep -q 'check .*no violation' "$work/rtl.txt"
true_ "unless told" [ "$(grep -c 'check .*no violation' "$work/free.txt")" = 0 ]
true_ "and checking changes no cycle" [ "$(awk '$1 == "cycles"' "$work/rtl.txt")" = "$(awk '$1 == "cycles"' "$work/c.txt")" ]
case_ "--no-check for nobody" 2 '--no-check: legal: with --impl UNIT=rtl' $gpu --no-check
case_ "--no-check with both" 2 '--no-check: legal: with --impl UNIT=rtl' $gpu --no-check --impl mshr=both
case_ "--check and --no-check" 2 'legal: one of them' $gpu --check --no-check --impl mshr=rtl
cp -r rtl "$work/twice" && sed -i "s/drain     = out_ready_i && draining;/drain = out_ready_i \&\& draining \&\& !(fill \&\& drain_len == 2);/" "$work/twice/mshr.v"
twice="$mrpb run -c configs/base-s.conf --kernel syr2k --cut 2 --impl mshr=rtl --impl-sm all --rtl $work/twice"
case_ "an answer that comes twice" 1 'MSHR entry [0-9]* drains' $twice
true_ "passes without checking" $twice --no-check > /dev/null 2>&1
cp -r rtl "$work/late" && sed -i 's/tail_q\[i\] + PTR_ONE/tail_q[i] - PTR_ONE/' "$work/late/fifo_bank.v"
$gpu --impl mrpb=both --rtl "$work/late" --regress "$work/regress" > "$work/out" 2> "$work/err"
true_ "a mismatch inside the GPU exits 1" [ $? = 1 ]
true_ "and is reported by name" grep -q 'first  *register u_fifo_bank.tail_q' "$work/err"
true_ "with the command that repeats it" grep -q 'whole run  *build/mrpb run .*--impl mrpb=both' "$work/err"
true_ "and is cut out, shrunk and kept" grep -q 'shrunk to  *[0-9]* transactions' "$work/err"
vec=$(ls "$work"/regress/mrpb-*.vec)
$mrpb cosim --replay "$vec" --rtl "$work/late" > /dev/null
true_ "what was cut out differs by itself" [ $? = 1 ]
true_ "and not with the right Verilog" $mrpb cosim --replay "$vec" > /dev/null

# ---- traces of Accel-Sim's tracer ----
today() { # today VERSION LINEINFO IMMEDIATE [HEADER]: a kernel of one warp, as versions 3 to 5 write it
  printf '%s\n' "-kernel name = k" "-grid dim = (1,1,1)" "-block dim = (32,1,1)" "-accelsim tracer version = $1" \
    "-enable lineinfo = $2" ${4:+"$4"} "#traces format = [line_num] PC mask" "#BEGIN_TB" "thread block = 0,0,0" "warp = 0" "insts = 2" \
    "${line}0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f4000000000 4 $3" "${line}0010 ffffffff 0 EXIT 0 0 $3" "#END_TB"
}
line='' && today 3 0 '' > "$work/3.traceg" && today 5 0 '7 ' > "$work/5.traceg"
today 5 0 '' '-new key = 1' > "$work/new.traceg" && today 5 1 '7 ' > "$work/none.traceg"
line='12 ' && today 5 1 '7 ' > "$work/lines.traceg" && today 5 0 '7 ' > "$work/denied.traceg"
for t in 3 5 lines; do true_ "a trace of today: $t" $mrpb run -c configs/base-s.conf --trace "$work/$t.traceg" > "$work/$t.out"; done
true_ "the same kernel from three versions" [ "$(sed 1d "$work/3.out")" = "$(sed 1d "$work/lines.out")" ]
case_ "an unknown key is named" 0 'note: .*new\.traceg:6: .-new key = 1. is unknown' $mrpb run -c configs/base-s.conf --trace "$work/new.traceg"
case_ "line numbers that the header denies" 2 'denied\.traceg:11: an instruction; legal: PC' $mrpb run -c configs/base-s.conf --trace "$work/denied.traceg"
case_ "line numbers that are not there" 2 'none\.traceg:11: ' $mrpb run -c configs/base-s.conf --trace "$work/none.traceg"

# ---- DRAM traces ----
gtx="--set DRAM_CHIPS=1 --set DRAM_GROUP_BUG=0 --set DRAM_QUEUE=31 --set DRAM_RETURN_QUEUE=64 --map row,bank,group,column:11"
for as in dramsim3 ramulator loadstore; do
  true_ "a pattern as $as" $mrpb dram --pattern mix --requests 2000 --export "$work/mix.$as" --as $as
  true_ "read again" $mrpb dram "$work/mix.$as" $gtx --json "$work/$as.json" > "$work/$as.txt"
  true_ "told by its first request" grep -q "mix.$as ($as): 2000 requests of 32 bytes" "$work/$as.txt"
done
$mrpb dram --pattern mix --requests 2000 $gtx --per-bank > "$work/mix.txt"
true_ "the same whatever the format" [ "$(sed 1d "$work/ramulator.txt")" = "$(sed '1d;/bank /,$d' "$work/mix.txt")" ]
true_ "a line for each bank" [ "$(sed '1,/bank /d' "$work/mix.txt" | wc -l)" = 16 ]
true_ "JSON" grep -q '"row_conflicts"' "$work/dramsim3.json"
xz -k "$work/mix.dramsim3"
true_ "xz" $mrpb dram "$work/mix.dramsim3.xz" > /dev/null
true_ "figures of the page, exactly" grep -q 'cycles  *226488 ' <($mrpb dram --pattern stream $gtx)
printf '0x10 READ 0\n0x20 WRITE\n' > "$work/bad.trace"
for f in mix.dramsim3 mix.dramsim3.xz; do true_ "through a pipe: $f" [ "$($mrpb dram <(cat "$work/$f") $gtx | sed 1d)" = "$(sed 1d "$work/dramsim3.txt")" ]; done
case_ "a malformed request" 2 'bad\.trace:2: .0x20 WRITE.; legal: ADDRESS READ.WRITE CYCLE' $mrpb dram "$work/bad.trace"
case_ "another format than the first request's" 2 'bad\.trace:1: .*legal: ADDRESS R.W' $mrpb dram "$work/bad.trace" --format ramulator
case_ "no requests" 2 'no requests; legal: a trace file, or --pattern' $mrpb dram
case_ "two sources of requests" 2 'more than one source' $mrpb dram "$work/bad.trace" --pattern mix
case_ "an unknown pattern" 2 "pattern 'zigzag'; legal: stream, random" $mrpb dram --pattern zigzag
case_ "requests of a trace" 2 'legal: with a pattern' $mrpb dram "$work/bad.trace" --requests 5
case_ "an order for both orders" 2 'legal: one pattern' $mrpb dram --table docs/memory/dram_peers.csv --columns-first
case_ "an unknown format" 2 "format 'gem5'; legal: auto, dramsim3" $mrpb dram "$work/bad.trace" --format gem5
case_ "a wrong map" 2 "map 'row,bank'; legal: row, bank, group and column" $mrpb dram --pattern mix --map row,bank
case_ "a key out of range" 2 'DRAM_QUEUE.*1 to 4096' $mrpb dram --pattern mix --set DRAM_QUEUE=0
case_ "no such DRAM trace" 2 'nowhere\.trace: No such file' $mrpb dram "$work/nowhere.trace"
case_ "a folder as a DRAM trace" 2 "$work" $mrpb dram "$work"
case_ "zeros for ever" 2 '/dev/zero:1: a byte 0' $mrpb dram /dev/zero
case_ "a full disk" 2 '/dev/full: ' $mrpb dram --pattern stream --export /dev/full
case_ "a full disk for the JSON" 2 '/dev/full: ' $mrpb dram --pattern mix --requests 10 --json /dev/full
printf 'stream,here,1,98\nnonsense\n' > "$work/peers.csv"
case_ "figures that are none" 2 "peers\.csv:2: 'nonsense'; legal: a pattern" $mrpb dram --table "$work/peers.csv"

# ---- pictures from their data alone ----
mkdir "$work/pictures"
case_ "no data to draw" 2 'pictures/fig16\.csv: No such file' $mrpb figures fig16 --redraw --out "$work/pictures"
head -n 5 docs/figures/fig16.csv > "$work/pictures/fig16.csv"
case_ "half of the data" 2 'fig16\.csv:6: ends early' $mrpb figures fig16 --redraw --out "$work/pictures"
case_ "two sources" 2 'legal: one of them' $mrpb figures --redraw --plot-only
cp docs/figures/fig16.csv "$work/pictures"
true_ "a picture is drawn again" $mrpb figures fig16 --redraw --out "$work/pictures"
. tests/recorded.sh
! recorded_ "a picture of docs/figures" "gnuplot 5.4" gnuplot --version ||
  true_ "to the byte" cmp "$work/pictures/fig16.svg" docs/figures/fig16.svg
true_ "as pixels" $mrpb figures fig16 --redraw --png --out "$work/pictures"
true_ "which are PNG, 1800 wide" test "$(od -An -tx1 -j1 -N23 "$work/pictures/fig16.png" | tr -d ' \n' | cut -c1-6,31-38)" = 504e4700000708
case_ "pixels of what is not drawn again" 2 'png: legal: with --redraw' $mrpb figures --png

# ---- the report ----
case_ "a report of no such sweep" 2 'none\.csv: No such file' $mrpb report --sweep "$work/none.csv" --out "$work/report.html"
printf 'program,configuration\n' > "$work/sweep.csv"
case_ "a sweep that is none" 2 'sweep\.csv:1: legal: program,configuration,KEY' $mrpb report --sweep "$work/sweep.csv" --out "$work/report.html"
printf 'program,configuration,exit\na,b\n' > "$work/sweep.csv"
case_ "a line that is too short" 2 'sweep\.csv:2: 2 columns; legal: 3' $mrpb report --sweep "$work/sweep.csv" --out "$work/report.html"
echo '{"points": 3}' > "$work/sweep.json"
case_ "JSON that is no sweep" 2 'sweep\.json: legal: what' $mrpb report --sweep "$work/sweep.json" --out "$work/report.html"
case_ "no plotting library" 2 'nod3\.js: No such file' $mrpb report --d3 "$work/nod3.js" --out "$work/report.html"
case_ "figures of another time" 2 'fig04\.csv: No such file' $mrpb report --figures "$work" --out "$work/report.html"
mkdir "$work/stale"
cp docs/figures/*.csv "$work/stale"
sed -i '2s/cb256b92efdae118/0000000000000000/' "$work/stale/fig04.csv"
case_ "a hash that is no configuration's" 2 'fig04\.csv:2: configuration 0000000000000000; legal: ' $mrpb report --figures "$work/stale" --out "$work/report.html"
sed 's/| 2\.65 |/| 2.66 |/' docs/figures.md > "$work/stale/figures.md"
case_ "another published number" 2 "legal: the 14 published numbers of fig14\.fig" $mrpb report --published "$work/stale/figures.md" --out "$work/report.html"
true_ "no page after any of these" test ! -e "$work/report.html" -a ! -e "$work/report.html.part"

# ---- numbers that the figures need, by name ----
for key in misses_with_bypasses intra_warp cross_warp cross_block cold per_kilo_warp per_kilo_thread bytes; do
  true_ "JSON has $key" grep -q "\"$key\": [{0-9]" "$work/c.json"
done
case_ "unbounded queues in Verilog" 2 'MRPB_DEPTH = 0.*legal: mrpb=c' $gpu --set MRPB_DEPTH=0 --impl mrpb=rtl
# ---- the checking mode: a load after a store to a line that is being fetched ----
cat > "$work/order.ptx" << 'END'
.version 3.2
.target sm_20
.address_size 64
.visible .entry order(
	.param .u64 a
)
{
	.reg .b32 %r<8>;
	.reg .b64 %rd<4>;
	ld.param.u64 %rd1, [a];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	ld.global.u32 %r2, [%rd3];
	st.global.u32 [%rd3], %r1;
	ld.global.u32 %r3, [%rd3];
	ret;
}
END
order="$mrpb run -c configs/base-s.conf --ptx $work/order.ptx --grid 1 --block 32 --arg buf:128 --check"
true_ "every load is right" eval "$order > $work/out && grep -q 'no violation; 0 loads stale' $work/out"
case_ "a violation exits 1" 1 'lane 0, .* pc 0x.*: expected its own store #1 .*, got the initial contents' \
  $order --set MEMORY_ORDER=reference
case_ "--check without the memory path" 2 '--check .*--functional' $order --functional

# ---- Ctrl-C closes the wave of a kernel that never ends ----
# It writes another value in each turn: a loop that changes nothing would be found and ended.
cat > "$work/spin.ptx" << 'END'
.version 3.0
.target sm_20
.address_size 64
.visible .entry spin(.param .u64 a)
{
	.reg .b32 %r<2>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [a];
	mov.u32 %r1, 0;
SPIN:
	add.u32 %r1, %r1, 1;
	st.global.u32 [%rd1], %r1;
	bra.uni SPIN;
}
END
$mrpb run -c configs/base-s.conf --ptx "$work/spin.ptx" --grid 1 --block 32 --arg buf:128 \
  --vcd "$work/int.vcd" --from 0 --to 100000000 > /dev/null 2> "$work/err" &
until grep -qs "^.dumpvars" "$work/int.vcd.part" || ! kill -0 $! 2> /dev/null; do sleep 0.1; done
kill -INT $!; wait $!
true_ "Ctrl-C exits 130" [ $? = 130 ]
true_ "the wave ends with a whole line" [ "$(tail -c 1 "$work/int.vcd" | od -An -c | tr -d ' ')" = '\n' ]
true_ "the wave has values" grep -q '^\$dumpvars' "$work/int.vcd"

# ---- the same run twice ----
for i in 1 2; do
  $mrpb run -c configs/base-s-mrpb.conf --kernel atax --cut 4 --json "$work/$i.json" --vcd "$work/$i.vcd" --from 100 --to 900 > /dev/null
done
true_ "equal runs, equal JSON" cmp -s "$work/1.json" "$work/2.json"
true_ "equal runs, equal waves" cmp -s "$work/1.vcd" "$work/2.vcd"

# ---- the accuracy page matches its file ----
sed 's/2,249,186/2,249,187/' docs/accuracy.md > "$work/accuracy.md"
case_ "another figure on the page" 1 'accuracy\.md is not the page of' env ACCURACY_PAGE="$work/accuracy.md" tests/gpu/accuracy.sh --check
sed '/,hs,/d' tests/data/accuracy.csv > "$work/accuracy.csv"
awk -f tests/gpu/accuracy.awk "$work/accuracy.csv" | awk -f docs/wrap.awk > "$work/accuracy.md"
case_ "a row less" 1 'accuracy\.csv has other rows' env ACCURACY_CSV="$work/accuracy.csv" ACCURACY_PAGE="$work/accuracy.md" tests/gpu/accuracy.sh --check
case_ "neither --check nor --all" 2 '--chekc: legal: nothing, --check or --all' tests/gpu/accuracy.sh --chekc

echo "command line: $passed passed, $failed failed"
[ "$failed" = 0 ]
