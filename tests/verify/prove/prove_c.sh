#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# C models that equal their Verilog except for one thing that no proof may pass: state of their own,
# a comb that changes something, behaviour that C leaves undefined, text that another compiler reads
# differently.
set -u
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
. tests/tier.sh

verdict() { # verdict NAME EXIT_CODE PATTERN: the verdict on $work/fifo_bank.c
  build/mrpb prove fifo_bank --set QUEUES=3 --set DEPTH=2 --set DATA_W=3 --c "$work/fifo_bank.c" > "$work/out" 2>&1
  local status=$?
  if [ "$status" = "$2" ] && grep -qE -- "$3" "$work/out"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $1: exit $status (expected $2): $(head -c 700 "$work/out")"
  fi
}
# Each function puts C into a copy of fifo_bank.c: before its functions, into comb, into edge. $TOP
# goes before them as well.
put() { awk -v line="$1" -v text="$2" '{print} index($0, line) {print text}' cmodel/fifo_bank.c > "$work/fifo_bank.c"
        [ -z "${TOP:-}" ] || { awk -v text="$TOP" '/^struct fifo_bank/ {print text} {print}' "$work/fifo_bank.c" > "$work/x" && mv "$work/x" "$work/fifo_bank.c"; }
        cmp -s cmodel/fifo_bank.c "$work/fifo_bank.c" && { failed=$((failed + 1)); echo "FAILED: nothing put after $1"; }; }
comb() { sampled 3 || return 0; put 'out->deq_data_o = ' "$4"; verdict "$1" "$2" "$3"; }     # comb NAME EXIT_CODE PATTERN C
edge() { sampled 3 || return 0; put 'uint32_t depth = self->cfg.DEPTH;' "$4"; verdict "$1" "$2" "$3"; }

# ---- state outside the model ----
where="^mrpb prove: fifo_bank.c:[0-9]+: '.*' is state outside the model"
edge "static counter in edge" 2 "$where" 'static unsigned n; if (++n == 200) r->full_q ^= 1;'
comb "static counter in comb" 2 "$where" 'static unsigned n; if (++n == 200) out->full_o ^= 1;'
comb "thread-local" 2 "$where" 'static _Thread_local unsigned n; if (++n == 200) out->full_o ^= 1;'
TOP='static uint64_t seen;' edge "variable of the file" 2 "$where" 'seen |= in->enq_data_i; if (seen == 7) r->full_q ^= 1;'
TOP='extern uint64_t seen;' comb "variable of another file" 2 "'seen'" 'out->full_o ^= seen;'
TOP='extern const uint64_t seen;' comb "constant of another file" 2 "'seen' is defined outside" 'out->full_o ^= seen;'
TOP='static const uint64_t table[2] = {0, 0};' comb "a constant table is no state" 0 '^proved' 'out->full_o ^= table[in->enq_valid_i];'
TOP='static const uint64_t table[2] = {0, 0};' comb "a write to a constant" 1 'a write to constant data' '((uint64_t *)table)[0] ^= in->enq_valid_i;'
TOP='#include <errno.h>' comb "errno" 3 'the function __errno_location' 'out->full_o ^= (uint64_t)(errno == 77);'
comb "a function of the system" 3 'the function rand' 'out->full_o ^= (uint64_t)(rand() == 77);'
TOP='__attribute__((constructor)) static void early(void) { }' comb "a constructor" 2 "'constructor' is a promise" ''
put 'made->cfg = *cfg;' 'memcpy(&made->r.u_mem.mem_q[100], &cfg, sizeof cfg);'
sed -i '/out->deq_data_o = /a const fifo_bank_cfg_t *c; memcpy(&c, &self->r.u_mem.mem_q[100], sizeof c); out->full_o ^= c->DEPTH == 77;' "$work/fifo_bank.c"
verdict "the caller's parameters are kept" 1 'a read outside an object'

# ---- comb changes nothing, edge nothing but the model ----
cast='fifo_bank_t *me = (fifo_bank_t *)(void *)self;'
comb "comb writes a register" 1 'fails    comb changes tail_q' "$cast me->r.tail_q[0] = 1;"
comb "comb writes a register for one datum" 1 'fails    comb changes u_mem.rdata_q' "$cast if (in->enq_data_i == 5) me->r.u_mem.rdata_q = 1;"
comb "comb writes what is no register" 1 'fails    comb changes byte [0-9]+ of object' "$cast if (in->enq_data_i == 5) me->cfg.DEPTH = 1;"
comb "comb writes its inputs" 1 'a write to constant data or to the inputs' '((fifo_bank_in_t *)(void *)in)->enq_data_i = 0;'
edge "edge writes its inputs" 1 'a write to constant data or to the inputs' 'if (in->enq_data_i == 5) ((fifo_bank_in_t *)(void *)in)->enq_data_i = 4;'
comb "comb frees the model" 1 'comb frees object' "$cast free(me);"
edge "edge changes what is no register" 1 'changes, but is no register' 'if (in->enq_data_i == 5) self->cfg.DATA_W = 4;'
edge "edge changes a constant of the model" 1 'changes, but is no register' 'if (in->enq_data_i == 5 && in->srst_ni) self->cfg.QUEUES = 4;'

# ---- undefined: arithmetic ----
comb "signed overflow" 1 'a signed overflow' 'int t = 2147483646 + (int)in->enq_queue_i; out->full_o ^= t < 0 && in->enq_queue_i == 0;'
comb "signed overflow of a product" 1 'a signed overflow' 'int t = (int)in->enq_data_i * 429496729; out->full_o ^= (unsigned)t == 77;'
comb "signed overflow of ++" 1 'a signed overflow' 'int8_t k = 127; int t = 2147483647 - (int)in->enq_valid_i; k++; t++; (void)k;'
comb "negation of the least" 1 'a signed overflow' 'int t = -2147483647 - (int)in->enq_valid_i; t = -t;'
comb "unsigned numbers wrap" 0 '^proved' 'unsigned t = 4294967295u + (unsigned)in->enq_valid_i; out->full_o ^= t == 5;'
comb "shift by the width" 1 'a shift by the width' 'out->full_o ^= (1u << (in->enq_data_i + 25)) == 5;'
comb "shift by a negative number" 1 'a shift by the width' 'out->full_o ^= (1u << ((int)in->enq_data_i - 1)) == 5;'
comb "shift into the sign" 1 'signed shift' 'out->full_o ^= (2 << (in->enq_data_i + 24)) == 5;'
comb "division by 0" 1 'a division by 0' 'out->full_o ^= 8 / (in->enq_data_i ^ 7) == 55;'
comb "signed rest by 0" 1 'a division by 0' 'out->full_o ^= 8 % ((int)in->enq_data_i - 7) == 55;'
comb "the one quotient that does not fit" 1 'a signed overflow' 'int t = -2147483647 - (in->enq_data_i == 5); out->full_o ^= t / ((int)in->enq_valid_i * 2 - 1) == 5;'
comb "zeros of 0" 1 'zeros before' 'out->full_o ^= __builtin_ctzll(in->enq_data_i) == 60;'

# ---- undefined: values that were never set ----
unset='the use of a value that was never set|differs  full_o'
comb "a local that was never set" 1 "$unset" 'uint64_t t; if (in->enq_data_i != 5) t = 0; out->full_o ^= t;'
comb "it decides nothing but a branch" 1 'never set' 'int t; if (in->enq_data_i != 5) t = 0; if (t) out->full_o |= 0;'
comb "not set in the second round" 1 "$unset" 'for (unsigned i = 0; i < 2; i++) { uint64_t t; if (i == 0) t = 0; out->full_o ^= t; }'
comb "a member that was never set" 1 "$unset" 'struct { uint32_t a, b; } t; t.a = 0; out->full_o ^= t.b & 1;'
comb "an element that was never set" 1 "$unset" 'uint8_t t[4]; for (unsigned i = 0; i < 3; i++) t[i] = 0; out->full_o ^= t[in->enq_queue_i];'
comb "padding" 1 "$unset" 'struct { uint8_t a; uint32_t b; } t; t.a = 0; t.b = 0; uint64_t w; memcpy(&w, &t, 8); out->full_o ^= w >> 8;'
comb "padding that is only copied" 0 '^proved' 'struct p { uint8_t a; uint32_t b; } t, u; t.a = 0; t.b = 0; u = t; out->full_o ^= u.b;'
comb "malloc does not clear" 1 "$unset" 'uint64_t *t = malloc(8); out->full_o ^= *t; free(t);'
comb "calloc does" 0 '^proved' 'uint64_t *t = calloc(1, 8); out->full_o ^= *t; free(t);'
comb "an output that is not set" 1 "$unset" 'fifo_bank_out_t t; t.empty_o = 0; out->full_o = t.full_o;'
TOP='static int none(uint64_t a) { if (a != 5) return 0; }' comb "a function without its return" 1 'never set' 'if (none(in->enq_data_i)) out->full_o ^= 1;'
TOP='static int none(uint64_t a) { if (a != 5) return 0; __builtin_unreachable(); }' comb "unreachable" 1 'must not be reached' 'if (none(in->enq_data_i)) out->full_o ^= 1;'

# ---- undefined: memory ----
comb "an index outside its array, inside the model" 1 'an index outside its array' 'out->full_o ^= self->r.tail_q[60 + in->enq_data_i] == 99;'
comb "a pointer outside its array, inside the model" 1 'a read outside an object' 'const uint8_t *p = self->r.tail_q; out->full_o ^= p[60 + in->enq_data_i] == 99;'
comb "one before" 1 'a read outside an object' 'const uint8_t *p = self->r.tail_q; out->full_o ^= *(p + in->enq_data_i - 1) == 99;'
comb "a pointer beyond the end that is not used" 1 'a pointer beyond its object' 'const uint8_t *p = self->r.tail_q + 60 + in->enq_data_i; out->full_o ^= (p == (const uint8_t *)self);'
comb "a pointer to the end" 0 '^proved' 'const uint8_t *p = self->r.tail_q, *e = p + 64; uint64_t n = 0; for (; p != e; p++) n++; out->full_o ^= n != 64;'
comb "null" 1 'a read outside an object' 'const uint8_t *p = in->enq_data_i == 5 ? NULL : self->r.tail_q; out->full_o ^= *p == 99;'
comb "freed memory" 1 'a read outside an object' 'uint64_t *t = calloc(1, 8); free(t); out->full_o ^= *t;'
comb "freed twice" 1 'a free of what' 'uint64_t *t = calloc(1, 8); free(t); free(t);'
comb "a local after its block" 1 'a read outside an object' 'const uint64_t *p; { uint64_t t[2] = {0}; p = t; } out->full_o ^= *p;'
TOP='static uint64_t *keep(uint64_t **at) { uint64_t t[2] = {0}; *at = t; return *at; }' comb "a local after its function" 1 'a read outside an object' 'uint64_t *p; keep(&p); out->full_o ^= *p;'
comb "not aligned" 1 'not aligned' 'const uint8_t *p = self->r.tail_q; out->full_o ^= *(const uint32_t *)(const void *)(p + in->enq_queue_i) == 99;'
comb "a memcpy onto its source" 1 'onto its source' 'uint8_t t[8] = {0}; memcpy(t + in->enq_queue_i, t, 4); out->full_o ^= t[7];'
comb "a bool that is neither" 1 'a bool that is neither' 'bool t; uint8_t w = (uint8_t)in->enq_data_i; memcpy(&t, &w, 1); out->full_o ^= t == 2;'
comb "pointers of two objects in order" 1 'pointers to two objects' 'out->full_o ^= (const void *)self > (const void *)in && in->enq_data_i == 9;'
comb "an address as a number" 3 'a pointer that is used as a number' 'out->full_o ^= (uintptr_t)self == 77;'
comb "a number as an address" 3 'a number that is used as a pointer' 'out->full_o ^= *(const uint8_t *)(uintptr_t)in->enq_data_i;'
TOP='typedef uint64_t (*fn_t)(uint64_t, uint64_t); static uint64_t one(uint64_t a) { return a & 0; }' comb "a function of another type" 3 'other arguments' 'fn_t f = (fn_t)(void (*)(void))one; out->full_o ^= f(1, 2);'

# ---- what the executor does not know ----
comb "floating point" 3 'floating point' 'out->full_o ^= (uint64_t)((double)in->enq_data_i * 0.1) == 9;'
comb "an array of variable size" 3 'variable size|stacksave' 'uint8_t t[in->enq_data_i + 1]; t[0] = 0; out->full_o ^= t[0];'
comb "assembler" 2 "'__asm__' is reserved" 'uint64_t t = 0; __asm__("" : "+r"(t)); out->full_o ^= t;'
TOP='__asm__("nop");' comb "assembler outside functions" 2 "'__asm__' is reserved" ''
comb "atomics" 3 'atomics' '_Atomic uint64_t t = 0; t++; out->full_o ^= t == 77;'
comb "a fence" 2 "'__sync_synchronize' is reserved" '__sync_synchronize();'
TOP='#include <setjmp.h>' comb "setjmp" 3 'the function _?_?setjmp' 'jmp_buf t; out->full_o ^= setjmp(t) == 77;'
TOP='static uint64_t one(uint64_t a) { return a & 0; } static uint64_t two(uint64_t a) { return a & 1; }' comb "a call that varies" 3 'a pointer that varies' 'uint64_t (*const f[])(uint64_t) = {one, two}; out->full_o ^= f[in->enq_valid_i & 1](0);'
TOP='static uint64_t deep(uint64_t a) { return a == 99 ? 0 : deep(a); }' comb "recursion without end" 3 'calls deep' 'out->full_o ^= deep(in->enq_data_i);'
comb "a loop without end" 1 'beyond the bound' 'for (uint64_t i = 0; in->enq_data_i == 5 && i < 2; i = i & 1) out->empty_o |= 0;'

comb "a loop without end, whatever the data" 3 'never returns' 'for (unsigned i = 0; i < 2; i = i & 1) out->empty_o |= 0;'
sed 's/fifo_bank_comb/fifo_bank_combs/' cmodel/fifo_bank.c > "$work/fifo_bank.c"
sed -i 's/^#include "fifo_bank.h"/&\nvoid fifo_bank_combs(const fifo_bank_t *, const fifo_bank_in_t *, fifo_bank_out_t *);/' "$work/fifo_bank.c"
verdict "a function that is not there" 2 'the C model lacks fifo_bank_comb'

# ---- text that gcc reads differently: simulations would not use the text that is proved ----
other="fifo_bank.c:[0-9]+: '__[A-Za-z_]+' is reserved for compilers"
comb "a condition on the compiler" 2 "$other" '
#ifndef __clang__
  out->full_o ^= in->enq_data_i == 5;
#endif
'
comb "a condition on its version" 2 "$other" '
#if __GNUC__ > 4
  out->full_o ^= in->enq_data_i == 5;
#endif
'
comb "a condition on its checks" 2 "$other" '
#ifdef __has_feature
#if __has_feature(undefined_behavior_sanitizer)
#define DONE
#endif
#endif
#ifndef DONE
  out->full_o ^= in->enq_data_i == 5;
#endif
'
comb "two changes without an order" 2 'multiple unsequenced modifications' 'unsigned t = 0; t = t++ + 1; out->full_o ^= t == 5;'
promise='is a promise that compilers believe'
TOP='static uint64_t two(uint64_t *restrict a, uint64_t *restrict b) { *a = 1; *b = 0; return *a; }' comb "restrict" 2 "$promise" 'uint64_t t; out->full_o ^= two(&t, &t);'
TOP='__attribute__((pure)) static uint64_t one(uint64_t *a) { return (*a)++; }' comb "pure" 2 "$promise" 'uint64_t t = 0; one(&t); out->full_o ^= t == 5;'
TOP='#include <limits.h>
#include <assert.h>' comb "numbers of the system" 0 '^proved' 'out->full_o ^= in->enq_data_i == INT_MAX || in->enq_data_i == ULONG_MAX; assert(in->enq_data_i < CHAR_BIT);'
TOP='#include <assert.h>' comb "an assertion that does not hold" 1 'must not be reached' 'assert(in->enq_data_i < 7);'

echo "prove_c: $passed passed, $failed failed"
[ "$failed" = 0 ]
