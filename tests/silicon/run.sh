#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# `mrpb run --gpu` without a GPU: options, a machine without a driver, and a libcuda.so.1 backed by
# the model of tb/device (fake_cuda.c): equal results, different ones, and everything that may go
# wrong, in one line each.
set -u
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
mrpb=build/mrpb
json=$work/result.json

# said NAME EXIT PATTERN COMMAND...: that exit code, and a line of its output matches; after an
# error it is the only one
said() {
  local name=$1 code=$2 pattern=$3 status
  shift 3
  rm -f "$json"
  "$@" > "$work/log" 2>&1
  status=$?
  if [ "$status" = "$code" ] && grep -qE -- "$pattern" "$work/log" &&
    { [ "$code" = 0 ] || [ "$(wc -l < "$work/log")" = 1 ]; } && { [ "$code" = 0 ] || [ ! -e "$json" ]; } &&
    [ ! -e "$json.part" ]; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name: exit $status (expected $code): $(head -c 600 "$work/log")"
  fi
}

# ---- options, and no driver ----
run="$mrpb run --gpu --kernel atax --size 64 --json $json"
for o in "-c base-s" "--set SMS=3" --functional --check "--record $work/t" "--impl mshr=both" "--impl-sm 1" "--activity $work/a" \
  "--vcd $work/v.vcd"; do
  said "$o" 2 "^mrpb run: --gpu goes without ${o%% *}: " $run $o
done
said "--trace" 2 '^mrpb run: --gpu goes without --trace: ' $mrpb run --gpu --trace "$work/t"
said "a number" 2 '^mrpb run: --gpu x: legal: 0 to 63$' $mrpb run --gpu=x
said "too large a number" 2 '^mrpb run: --gpu 64: legal: 0 to 63$' $mrpb run --gpu=64
said "no number" 2 "^mrpb run: --gpu '': empty; legal: N$" $mrpb run --gpu=
said "twice" 2 '^mrpb run: --gpu 1: legal: once$' $mrpb run --gpu --gpu=1
said "another option with =" 2 "^mrpb run: unknown option '--size=3'" $mrpb run --size=3
LD_LIBRARY_PATH='' said "no driver" 2 '^mrpb run: GPU: no driver: .*; needs a machine with an NVIDIA GPU and its driver$' $run
LD_LIBRARY_PATH='' said "opcodes without a driver" 2 '^opcodes: GPU: no driver: ' build/opcodes

# ---- equal ----
export LD_LIBRARY_PATH=build/fake
# 64 x 64, and three vectors of 64 floats.
said "atax" 0 '^  memory equal, 17152 bytes in 2 launches; it is what the host computes$' $run
grep -q '"bytes_equal": 17152,' "$json" && grep -q '"kernel": "atax_kernel2",' "$json" && passed=$((passed + 1)) ||
  { failed=$((failed + 1)); echo "FAILED: the JSON of atax"; }
said "a table" 0 '^  atax_kernel1 +1 +0\.000010 +0\.000010 +0\.000010$' $run
said "many launches" 0 '^  memory equal, .* in 1500 launches;' $mrpb run --gpu --kernel fdtd --size 64
said "memory before the first array" 0 '^  memory equal, 24704 bytes in 4 launches;' $mrpb run --gpu --kernel srad --size 32
# 5 points of 34 floats are 680 bytes; the texture begins at the next multiple of 512; then 256
# bytes for their clusters, then 680 of these.
said "a texture behind an array" 0 '^  memory equal, 2728 bytes in 2 launches;' $mrpb run --gpu --kernel kms --size 5
said "a text" 0 '^  memory equal, 8192 bytes in 1 launch$' $mrpb run --gpu --ptx docs/examples/ptx/reverse.ptx --grid 8 --block 256 \
  --shared 1024 --arg buf:8192:iota --dump "0:$work/dump"
[ "$(od -An -td4 -N4 "$work/dump" | tr -d ' ')" = 255 ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: the dump"; }
said "another text" 0 '^  memory equal, ' $mrpb run --gpu --ptx docs/examples/ptx/gather.ptx --kernel gather --grid 4 --block 256 \
  --arg buf:4096 --arg buf:4096:rand --arg buf:4096:iota --arg 1024

text() { # text NAME VARIABLES BODY: %r1 the thread, %rd1 the buffer
  printf '.version 6.0\n.target sm_50\n.address_size 64\n%b.visible .entry k(.param .u64 p) {\n  .reg .pred %%p;\n' "$2"
  printf '  .reg .b32 %%r<8>;\n  .reg .f32 %%f<5>;\n  .reg .b64 %%rd<4>;\n  mov.u32 %%r1, %%tid.x;\n  ld.param.u64 %%rd1, [p];\n'
  printf '  mul.wide.u32 %%rd2, %%r1, 4;\n  add.u64 %%rd3, %%rd1, %%rd2;\n%b  ret;\n}\n' "$3"
} > "$work/$1.ptx"
one() { echo $mrpb run --gpu --ptx "$work/$1.ptx" --grid 1 --block 32 --arg "$2" --json "$json"; }

# Adds a constant, sets a counter of the module; the buffer has 128 bytes, and the counter is the 4
# bytes after it.
text variables '.const .align 4 .u32 c[2] = {5, 7};\n.global .align 4 .u32 g = 3;\n' \
  '  ld.const.u32 %r2, [c+4];\n  ld.global.u32 %r3, [g];\n  add.u32 %r2, %r2, %r3;\n  st.global.u32 [%rd3], %r2;\n  st.global.u32 [g], %r2;\n'
said "variables" 0 '^  memory equal, 260 bytes in 1 launch$' $(one variables buf:128)
# A GPU has functions and variables at other addresses (fake_cuda.c). A table of two functions, one in
# constant memory, and a pointer to a variable: lane i gives i * 3 or i ^ 21, then adds 1 to w through
# the pointer; the last word is w.
text table '.func (.param .b32 r) triple(.param .b32 a) { .reg .b32 %r<2>; ld.param.b32 %r1, [a]; mul.lo.u32 %r1, %r1, 3; st.param.b32 [r], %r1; ret; }\n.func (.param .b32 r) other(.param .b32 a) { .reg .b32 %r<2>; ld.param.b32 %r1, [a]; xor.b32 %r1, %r1, 21; st.param.b32 [r], %r1; ret; }\n.global .align 8 .u64 t[3] = {triple, other, 7};\n.const .align 8 .u64 ct[1] = {other};\n.global .align 4 .u32 w = 40;\n.global .align 8 .u64 pw[2] = {5, generic(w)};\n' \
  '  .reg .b64 %q<9>;\n  mov.u64 %q1, t;\n  and.b32 %r2, %r1, 1;\n  mul.wide.u32 %q2, %r2, 8;\n  add.u64 %q1, %q1, %q2;\n  ld.global.u64 %q3, [%q1];\n  setp.eq.u32 %p, %r1, 8;\n  @%p ld.const.u64 %q3, [ct];\n  { .param .b32 a; .param .b32 o; st.param.b32 [a], %r1; F: .callprototype (.param .b32 _) _ (.param .b32 _);\n  call (o), %q3, (a), F; ld.param.b32 %r4, [o]; }\n  st.global.u32 [%rd3], %r4;\n  setp.eq.u32 %p, %r1, 31;\n  @!%p bra END;\n  ld.global.u64 %q4, [pw+8];\n  ld.u32 %r5, [%q4];\n  add.u32 %r5, %r5, 1;\n  st.u32 [%q4], %r5;\n  ld.global.u32 %r6, [w];\n  st.global.u32 [%rd3], %r6;\nEND:\n'
said "tables of functions, pointers to variables" 0 '^  memory equal, [0-9]+ bytes in 1 launch$' $(one table buf:128) --dump "0:$work/dump"
[ "$(od -An -v -td4 -w128 "$work/dump" | tr -s ' ')" = " 0 20 6 22 12 16 18 18 29 28 30 30 36 24 42 26 48 4 54 6 60 0 66 2 72 12 78 14 84 8 90 41" ] &&
  passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: the functions' results: $(od -An -v -td4 "$work/dump")"; }
text texture '.global .texref t;\n' '  tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];\n  st.global.f32 [%rd3], %f4;\n'
said "a texture" 0 '^  memory equal, 128 bytes in 1 launch$' $(one texture buf:128:iota) --tex 0:t
text both '.global .texref t;\n' '  tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}];\n  tex.1d.v4.s32.s32 {%r2, %r3, %r4, %r5}, [t, {%r1}];\n'
said "a texture of two kinds" 2 '^mrpb run: GPU: texture t is read as \.f32 and as integers; legal: one of them$' \
  $(one both buf:128) --tex 0:t
said "a texture without a buffer" 2 '^mrpb run: k:14: tex\.f32: .*a texture that the host has not bound' $(one texture buf:128)

# Launch files: comparisons; a variable of the text that the host fills; one launch per level.
said "a launch file" 0 '^  memory equal, 32768 bytes in 1 launch; 1 comparison held$' $mrpb run --gpu --launch docs/examples/ptx/saxpy.launch
said "constant memory that the host fills" 0 '^  memory equal, 13572 bytes in 1 launch; 1 comparison held$' $mrpb run --gpu --launch docs/examples/ptx/convolution.launch
said "many launches of a file" 0 '^  memory equal, 11268 bytes in 15 launches; 3 comparisons held$' $mrpb run --gpu --launch docs/examples/ptx/bfs.launch
sed "s|saxpy.ptx|$PWD/docs/examples/ptx/saxpy.ptx|; s/2.5 \* x/3 * x/" docs/examples/ptx/saxpy.launch > "$work/wrong.launch"
said "a comparison that does not hold" 1 '^mrpb run: [^:]*/wrong\.launch:7: y\[0\] is .*; 4095 of 4096 differ$' \
  $mrpb run --gpu --json "$json" --launch "$work/wrong.launch"

# A GPU's compiler makes one fma of a product and a sum without .rn: (1 + 2^-12)^2 - (1 + 2^-11) is
# 2^-24, not 0.
# The compiler must not know the operand: it computes a product of constants itself, rounded.
text fused '' '  add.u32 %r2, %r1, 0x3F800800;\n  mov.b32 %f1, %r2;\n  mul.f32 %f2, %f1, %f1;\n  mov.f32 %f3, 0fBF801000;\n  add.f32 %f2, %f2, %f3;\n  st.global.f32 [%rd3], %f2;\n'
text folded '' '  mov.f32 %f1, 0f3F800800;\n  mul.f32 %f2, %f1, %f1;\n  mov.f32 %f3, 0fBF801000;\n  add.f32 %f2, %f2, %f3;\n  st.global.f32 [%rd3], %f2;\n'
export FAKE_CUDA=contracts
said "a sum of a product" 1 'its word is 0x33800000 on the GPU, 0x00000000 in the simulator; [0-9]+ of 128 bytes differ; sums of products without \.rn, which a GPU computes as fma: 1; try --contract$' \
  $(one fused buf:128)
said "the same, contracted" 0 '^  memory equal, 128 bytes in 1 launch$' $(one fused buf:128) --contract --dump "0:$work/dump"
grep -q '^mrpb run: note: sums of products that are fma: 1$' "$work/log" && [ "$(od -An -tx4 -N4 "$work/dump" | tr -d ' ')" = 33800000 ] &&
  passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: the contracted sum"; }
said "a sum of a product of constants" 0 '^  memory equal, 128 bytes in 1 launch$' $(one folded buf:128)
said "the same, nothing contracted" 0 '^mrpb run: note: sums of products that are fma: 0$' $(one folded buf:128) --contract
unset FAKE_CUDA
said "a trace has no sums" 2 '^mrpb run: --contract: legal: with a program, --ptx or --launch$' $mrpb run -c configs/base-s.conf --trace "$work/t" --contract

# ---- not equal ----
# Without timing, the executor's clock stays at 0.
text clock '' '  mov.u32 %r2, %clock;\n  or.b32 %r2, %r2, 1;\n  setp.eq.u32 %p, %r1, 3;\n  @%p st.global.u32 [%rd3], %r2;\n'
said "a byte" 1 '^mrpb run: .*clock\.ptx: launch 1, k: the byte at 0x8000000c, p \+ 12: its word is 0x[0-9a-f]{8} on the GPU, 0x00000001 in the simulator; [1-4] of 128 bytes differ$' \
  $(one clock buf:128)
export FAKE_CUDA=spoils # byte 5 of J in the third launch
said "a byte of the third launch" 1 '^mrpb run: srad: launch 3, srad_cuda_1: the byte at 0x80000005, j \+ 5: .*; 1 of 24704 bytes differ$' \
  $mrpb run --gpu --kernel srad --size 32 --json "$json"
# Where bytes may differ, the GPU's bytes are used: for the next launch, and for the comparisons of
# the file.
text next '' '  ld.global.u32 %r2, [%rd3];\n  add.u32 %r2, %r2, 1;\n  st.global.u32 [%rd3], %r2;\n'
loose() { # loose WORDS...: three launches; the third is corrupted in byte 5
  printf 'ptx "next.ptx"\nbuffer a u32[32]\n%s\nrepeat 3\nlaunch k(a) grid 1 block 32\nend\nlaunch k(a) grid 1 block 32\n%s\n' "$1" "$2" > "$work/l.launch"
  echo $mrpb run --gpu --json "$json" --launch "$work/l.launch"
}
said "a byte of a launch file" 1 '^mrpb run: .*l\.launch: launch 3, k: the byte at 0x80000005, p \+ 5: ' $(loose '' '')
said "bytes that may differ" 0 '^  memory equal, 0 bytes in 4 launches; 128 bytes are the GPU.s own; 1 comparison held$' \
  $(loose 'loose a' 'compare a with i == 1 ? 4 + (1 << 8) : 4')
grep -q '"bytes_loose": 128,' "$json" && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAILED: the JSON of loose bytes"; }
said "bytes that may not differ so" 1 '^mrpb run: .*l\.launch:8: a\[1\] is 260, expected 4; 1 of 32 differ$' $(loose 'loose a' 'compare a with 4')
# The third kernel of a word. After 65,536 times 32 bytes of operands come the results, the first of
# them for zeros: bit 0 of it.
lines() { build/opcodes "$1" > "$work/opcodes"; local s=$?; grep -E "$2" "$work/opcodes"; return $s; }
said "an operand" 1 '^bfe\.s32 +DIFFERS, but not in its results: launch 1, k: the byte at 0x80000005, p_in \+ 5: ' lines bfe DIFFERS
export FAKE_CUDA_BYTE=2097152
said "a result" 1 '^bfe\.s32 +DIFFERS in 1 of 65536; the first: 0x00000000 0x00000000 0x00000000 gives 0x00000001, here 0x00000000$' \
  lines bfe DIFFERS
said "how many" 1 '^opcodes: 4 kernels: 3 equal, 0 approximations .*, 0 refused by the driver.s compiler, 1 that differ$' lines bfe '^opcodes'
said "an approximation" 0 '^ex2\.approx\.f32 +near, another in 1 of 65536: up to 1 ulp, 1\.19e-07; 0 not a number in other bits, 0 on one side; the first: 0x00000000 gives 0x3f800001, here 0x3f800000$' \
  lines ex2 near
unset FAKE_CUDA FAKE_CUDA_BYTE
sequences() { build/opcodes --sequences "$@" > "$work/opcodes" && tail -n 1 "$work/opcodes"; }
said "sequences" 0 '^opcodes: 10 kernels: 10 equal, ' sequences 'local: ld.s16 generic, ld.s16' 'carry: sub.cc.u32, addc.u32'

# ---- faults of the program, of the GPU and of the driver ----
text outside '' '  ld.global.u32 %r2, [%rd3-4];\n  st.global.u32 [%rd3], %r2;\n'
said "a read outside" 2 '^mrpb run: k:13: ld: lane 0 of block .*: 4-byte load at 0x7ffffffc: outside allocated global memory; legal: 0x80000000 to 0x8000007f$' \
  $(one outside buf:128)
many="$mrpb run --gpu --kernel fdtd --size 64 --json $json"
FAKE_CUDA=hangs said "a launch that does not end" 2 '^mrpb run: GPU 0: .*: did not end within 1 s; given up$' $many --hang 1
FAKE_CUDA=faults said "a fault" 2 '^mrpb run: GPU 0: .*: CUDA_ERROR_ILLEGAL_ADDRESS: ' $many
FAKE_CUDA=no-memory said "no memory" 2 '^mrpb run: GPU 0: memory: CUDA_ERROR_OUT_OF_MEMORY: ' $run
FAKE_CUDA=elsewhere said "other addresses" 2 '^mrpb run: GPU 0: addresses from 0x80000000 on are not available; ' $run
FAKE_CUDA=maps-not said "no addresses at all" 2 '^mrpb run: GPU 0: .*: cannot map memory at given addresses; legal: ' $run
FAKE_CUDA=no-device said "no GPU" 2 '^mrpb run: GPU: the driver does not start: CUDA_ERROR_NO_DEVICE: ' $run
said "no such GPU" 2 '^mrpb run: GPU 1: no such GPU; legal: 0 to 0$' $mrpb run --gpu=1 --kernel atax --size 64
export FAKE_CUDA_UUID=$$
FAKE_CUDA=hangs $many --hang 4 > /dev/null 2>&1 &
# the driver's number of that GPU begins like this
lock=$(printf %s $$ | od -An -v -tx1 | tr -d ' \n')
for _ in $(seq 100); do grep -q "@mrpb-gpu-$lock" /proc/net/unix && break; sleep 0.05; done
said "two at once" 2 '^mrpb run: GPU 0: another mrpb uses it; legal: one at a time$' $run
wait
said "one after the other" 0 '^  memory equal, 17152 bytes' $run
said "no place for the JSON" 2 '^mrpb run: .*nowhere/j' $mrpb run --gpu --kernel atax --size 64 --json "$work/nowhere/j"

echo "run on a GPU: $passed passed, $failed failed"
[ "$failed" = 0 ]
