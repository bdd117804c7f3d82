#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# C models whose text, as clang reads it, equals the Verilog, while the program that gcc makes of
# it, or that a simulation calls, differs. None may be proved.
set -u
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prove=${PROVE:-build/mrpb prove}
n=0
. tests/tier.sh

# model KIND NAME EXIT_CODE PATTERN: tries $work/fifo_bank.c, which differs from cmodel/'s; only the
# first of a kind, or all
model() {
  whole || [ "$1" != "${tried:-}" ] || return 0
  tried=$1
  n=$((n + 1))
  local dir=$work/$(printf %03d $n)
  mkdir -p "$dir"
  mv "$work/fifo_bank.c" "$dir/"
  cmp -s cmodel/fifo_bank.c "$dir/fifo_bank.c" && echo "FAILED: $2: nothing is put" && exit 1
  printf '%s\n' "--c $dir/fifo_bank.c ${INV:-}" > "$dir/args"
  printf '%s\n' "$1" > "$dir/kind"; printf '%s\n' "$2" > "$dir/name"; printf '%s\n' "$3" > "$dir/code"; printf '%s\n' "$4" > "$dir/pattern"
}
# put LINE TEXT: inserts TEXT after this line of fifo_bank.c; $TOP goes before its structure.
put() {
  line=$1 text=$2 top=${TOP:-} awk '/^struct fifo_bank/ && ENVIRON["top"] {print ENVIRON["top"]} {print}
    index($0, ENVIRON["line"]) {print ENVIRON["text"]}' cmodel/fifo_bank.c > "$work/fifo_bank.c"
}
comb() { put 'out->deq_data_o = ' "$4"; model "$KIND" "$1" "$2" "$3"; }     # comb NAME EXIT_CODE PATTERN C
edge() { put 'uint32_t depth = self->cfg.DEPTH;' "$4"; model "$KIND" "$1" "$2" "$3"; }
edit() { sed "$4" cmodel/fifo_bank.c > "$work/fifo_bank.c"; model "$KIND" "$1" "$2" "$3"; }  # edit NAME EXIT_CODE PATTERN SED

KIND='bit-field wider than int'
wide='struct { uint64_t addr : 40, way : 24; } e; e.way = 0; e.addr = in->enq_data_i;'
field='a bit-field of 40 bits|bit-field'
comb "shift left" 2 "$field" "$wide out->full_o ^= (e.addr << 38 >> 38) != in->enq_data_i;"
comb "sum that wraps" 2 "$field" "$wide e.addr -= 1; out->full_o ^= (e.addr + 1 == 0) != 0 && in->enq_data_i == 0;"
comb "complement" 2 "$field" "$wide out->full_o ^= (~e.addr >> 40) == 0;"
comb "difference below 0" 2 "$field" "$wide out->full_o ^= e.addr - 8 < UINT64_C(1) << 41;"
comb "product" 2 "$field" "$wide e.addr |= UINT64_C(1) << 39; out->full_o ^= (e.addr * 4 >> 41) == 0;"
edge "the entry is packed" 2 "$field" "struct { uint64_t addr : 40, way : 24; } entry = {in->enq_data_i, 0}; r->u_mem.rdata_q ^= (entry.addr << 38 >> 38) ^ in->enq_data_i;"
comb "generic selection" 2 "'_Generic' is reserved" "$wide out->full_o ^= _Generic(e.addr + 0, uint64_t: 0, default: 1);"
comb "a width that is a constant" 2 'bit-field' 'enum { ADDR_W = 33 }; struct { uint64_t addr : ADDR_W; } e = {in->enq_data_i}; out->full_o ^= (e.addr << 31 >> 31) != in->enq_data_i;'

KIND='pragma'
pun='static uint64_t pun(uint32_t *a, uint16_t *b, uint64_t v) { *a = 1; *b = (uint16_t)v; return *a; }'
punned='uint32_t t; out->full_o ^= pun(&t, (uint16_t *)(void *)&t, in->enq_data_i) != in->enq_data_i;'
TOP="#pragma GCC optimize(\"O3,strict-aliasing\")
$pun" comb "optimize" 2 "#pragma. is for a compiler" "$punned"
TOP="_Pragma(\"GCC optimize(\\\"O3,strict-aliasing\\\")\")
$pun" comb "the operator _Pragma" 2 "is for a compiler|is reserved" "$punned"
comb "ivdep" 2 "#pragma. is for a compiler" 'uint32_t t[65] = {0}; t[0] = (uint32_t)in->enq_data_i; const uint32_t step = self->cfg.DEPTH / 2;
#pragma GCC ivdep
  for (uint32_t i = 0; i < 64; i++) t[i + step] = t[i] + 1;
  out->full_o ^= t[64] != in->enq_data_i + 64;'
TOP='#pragma scalar_storage_order big-endian
struct twisted { uint32_t v; };
#pragma scalar_storage_order default' comb "scalar_storage_order" 2 "is for a compiler|is reserved" 'struct twisted t = {(uint32_t)in->enq_data_i}; uint32_t w; memcpy(&w, &t, 4); out->full_o ^= w != in->enq_data_i;'
TOP='extern uint64_t nobody(void);
#pragma weak nobody' comb "weak" 2 "is for a compiler|is reserved" 'uint64_t (*f)(void) = nobody; if (in->enq_data_i == 9) f = NULL; out->full_o ^= f == NULL && in->enq_data_i != 9;'
TOP='#pragma GCC system_header' comb "is for a compiler|is reserved" 2 "is for a compiler|is reserved" '
#ifndef __clang__
  out->full_o ^= in->enq_data_i == 5;
#endif'
TOP='#pragma options align=packed
struct tight { uint8_t a; uint32_t b; };
#pragma options align=reset' comb "options align" 2 "is for a compiler|is reserved" 'out->full_o ^= sizeof(struct tight) != 5;'

KIND='attribute'
TOP="__attribute__((__optimize__(\"strict-aliasing\"))) $pun" comb "__optimize__" 2 "__optimize__" "$punned"
TOP='extern uint64_t nobody(void) __attribute__((__weak__));' comb "__weak__" 2 "__weak__" 'uint64_t (*f)(void) = nobody; if (in->enq_data_i == 9) f = NULL; out->full_o ^= f == NULL && in->enq_data_i != 9;'
TOP='struct __attribute__((scalar_storage_order("big-endian"))) twisted { uint32_t v; };' comb "scalar_storage_order" 2 "scalar_storage_order" 'struct twisted t = {(uint32_t)in->enq_data_i}; uint32_t w; memcpy(&w, &t, 4); out->full_o ^= w != in->enq_data_i;'
TOP='__attribute__((__const, noinline)) static uint64_t peek(const uint64_t *a);
static uint64_t peek(const uint64_t *a) { for (uint64_t i = 0; i < 9; i++) if (*a == i) return i; return 9; }' comb "__const" 2 "__const" 'uint64_t t = in->enq_data_i ^ 1, a = peek(&t); t = in->enq_data_i; out->full_o ^= peek(&t) == a;'
TOP='__attribute__((__malloc__)) static uint64_t *same(uint64_t *a);
__attribute__((noinline)) static uint64_t *same(uint64_t *a) { *a ^= 0; return a; }' comb "__malloc__" 2 "__malloc__" 'uint64_t t = 0, *u = same(&t); *u = 1; t = in->enq_data_i; out->full_o ^= *u != in->enq_data_i;'
TOP='__attribute__((noreturn)) static void halt(void) { }' comb "noreturn" 2 "noreturn" 'if (in->enq_data_i == 5) halt();'

KIND='checks that are switched off'
TOP='#pragma clang attribute push(__attribute__((no_sanitize("undefined"))), apply_to = function)
static int above(int a) { return a + 1 > a; }
#pragma clang attribute pop' comb "clang attribute" 2 "is for a compiler|is reserved" 'out->full_o ^= !above(2147483640 + (int)in->enq_data_i) != (in->enq_data_i == 7);'
TOP='__attribute__((no_sanitize("signed-integer-overflow"))) static int above(int a) { return a + 1 > a; }' comb "no_sanitize" 2 "no_sanitize" 'out->full_o ^= !above(2147483640 + (int)in->enq_data_i) != (in->enq_data_i == 7);'

KIND='context of compilation'
comb "__INCLUDE_LEVEL__" 2 "__INCLUDE_LEVEL__" '
#if __INCLUDE_LEVEL__ == 0
  out->full_o ^= in->enq_data_i == 5;
#endif'
comb "__has_include" 2 "__has_include" '
#if !__has_include("cmodel/fifo_bank.h")
  out->full_o ^= in->enq_data_i == 5;
#endif'
comb "__FILE__" 2 "__FILE__" 'static const char name[] = __FILE__; out->full_o ^= name[sizeof name - 2] != 99 || name[0] != 47;'
comb "__BASE_FILE__" 2 "__BASE_FILE__" 'static const char name[] = __BASE_FILE__; out->full_o ^= name[sizeof name - 14] != 118;'
comb "__TIME__" 2 "__TIME__" 'static const char now[] = __TIME__; static const char then[] = __DATE__; out->full_o ^= now[0] == 57 || then[10] == 57;'
comb "__TIMESTAMP__" 2 "__TIMESTAMP__" 'static const char now[] = __TIMESTAMP__; out->full_o ^= now[23] == 57;'
comb "__PRETTY_FUNCTION__" 2 "__PRETTY_FUNCTION__" 'out->full_o ^= sizeof __PRETTY_FUNCTION__ == sizeof "fifo_bank_comb";'
comb "__COUNTER__" 2 "__COUNTER__" '
#if __COUNTER__ != 0
  out->full_o ^= in->enq_data_i == 5;
#endif'
comb "a name that is glued" 2 "__INCLUDE|_LEVEL__" '
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#if GLUE(__INCLUDE, _LEVEL__) == 0
  out->full_o ^= in->enq_data_i == 5;
#endif'
comb "__builtin_FILE" 2 "__builtin_FILE|__builtin" 'const char *name = __builtin_FILE(); out->full_o ^= name[0] != 47;'
comb "__OPTIMIZE__" 2 "__OPTIMIZE__|__NO_INLINE__" '
#ifndef __OPTIMIZE__
  out->full_o ^= in->enq_data_i == 5;
#endif'

KIND='marker of lines'
comb "a header of the system, it says" 2 "directive|line marker|'#" '
# 1 "fifo_bank.c" 1 3
#ifndef __clang__
  out->full_o ^= in->enq_data_i == 5;
#endif
# 60 "fifo_bank.c" 2'

KIND='folding of a compiler'
comb "__builtin_constant_p" 2 "__builtin_constant_p" 'const uint64_t t = 3; out->full_o ^= __builtin_constant_p(t + 1) != 0;'
comb "__builtin_object_size" 2 "__builtin_object_size" 'uint8_t t[8]; uint8_t *p = t; for (uint32_t i = 0; i < 2; i++) p = p + 1; t[0] = 0; out->full_o ^= __builtin_object_size(p, 0) == 6;'

KIND='address'
TOP='__attribute__((noinline)) static int same(const void *a, const void *b) { return a == b; }' comb "one past the end" 1 'pointers to two' 'uint64_t t[2] = {in->enq_data_i, 0}, u[2] = {0, in->enq_data_i}; out->full_o ^= same(t + 2, u) || same(u + 2, t);'
comb "strings of one text" "1|3" "pointer" 'const char *const a = "full", *const b = "xfull"; out->full_o ^= b + 1 == a;'
comb "strings of two files" 1 'pointers to two' 'const char *a = "empty", *b = "nonempty"; out->full_o ^= a == b + 3;'
comb "memory used again" 1 'pointers to two' 'uint64_t *p = malloc(24); uint64_t **keep = malloc(8); *keep = p; free(p); uint64_t *q = malloc(24); q[0] = 1; out->full_o ^= *keep == q; free(q); free(keep);'
TOP='__attribute__((noinline)) static int same(const void *a, const void *b) { return a == b; }
__attribute__((noinline)) static const void *at(const void *a) { return a; }' comb "a place used again" 1 'pointers to two' 'const void *p; { int t[9] = {(int)in->enq_data_i}; p = at(t); } { int u[9] = {(int)in->enq_data_i}; out->full_o ^= same(p, u); }'
comb "memory of two sizes" 1 'pointers to two' 'uint64_t *p = malloc(24), *q = p; free(p); p = malloc(17); p[0] = 0; out->full_o ^= p == q; free(p);'

KIND='function of the C library'
TOP='void *memset(void *s, int c, size_t size);
void *memset(void *s, int c, size_t size) { volatile uint8_t *p = s; for (size_t i = 0; i < size; i++) p[i] = (uint8_t)(c + 1); return s; }' comb "memset" 2 'memset' 'uint8_t t[4096]; memset(t, 0, sizeof t); out->full_o ^= t[in->enq_data_i];'
TOP='#include <ctype.h>
#undef isdigit
int isdigit(int c) { return c == 77; }' comb "isdigit" 2 'isdigit' 'out->full_o ^= isdigit((int)in->enq_data_i + 48) != 0;'
TOP='#undef strlen
size_t strlen(const char *s) { return (size_t)(s[0] == 1); }' comb "strlen" 2 'strlen' 'static const char t[] = "abc"; out->full_o ^= strlen(t) == 3;'
TOP='int abs(int a) { return 7 - a; }' comb "abs" 2 'abs' 'out->full_o ^= (uint64_t)abs((int)in->enq_data_i) != 7 - in->enq_data_i;'
TOP='void *calloc(size_t n, size_t size) { (void)n; (void)size; return NULL; }' comb "calloc" 2 'calloc' 'uint64_t *t = calloc(1, 8); out->full_o ^= t != NULL; free(t);'

KIND='stack'
comb "a large array" 2 'bytes of local variables' 'volatile uint8_t t[9 << 20]; t[in->enq_data_i] = 0; out->full_o ^= t[in->enq_data_i];'
TOP='static uint64_t deep(uint64_t n, const uint64_t *up) { volatile uint64_t t[40000]; t[n] = n; return n == 0 ? t[0] ^ *up ^ *up : deep(n - 1, (const uint64_t *)&t[n]) + t[n] - n; }' comb "many calls" 2 'bytes of local variables' 'uint64_t t = 0; out->full_o ^= deep(50, &t);'

KIND='a wrapper that repairs'
edit "a view" 2 'fast_levels' 's/^  \*full = self->r.full_q;/  *full = self->r.full_q ^ 1;/; s/^  fifo_bank_levels(self, &o->full_o, &o->empty_o);/&\n  o->full_o ^= 1;/'
edit "a view that is not called" 2 'fast_levels' 's/^  \*full = self->r.full_q;/  *full = 0;/; s/^  fifo_bank_levels(self, &o->full_o, &o->empty_o);/  o->full_o = ((const fifo_bank_t *)self)->r.full_q; o->empty_o = ((const fifo_bank_t *)self)->r.empty_q;/'
edit "a view that looks first" 2 'fast_levels' 's/^  fifo_bank_levels(self, &o->full_o, &o->empty_o);/  if (((const fifo_bank_t *)self)->r.full_q != 7) &\n  else { o->full_o = 7; o->empty_o = 0; }/; s/^  \*full = self->r.full_q;/  *full = self->r.full_q == 7 ? 0 : self->r.full_q;/'

KIND='a table that names others'
edit "comb" 5 'program  ' '/^#include "ports\/define.h"/ {s/.*/#define fifo_bank_comb other_comb\n&\n#undef fifo_bank_comb/}; /^static const module_fast_t fast/ i static void other_comb(const fifo_bank_t *self, const fifo_bank_in_t *in, fifo_bank_out_t *out) { fifo_bank_comb(self, in, out); out->full_o ^= in->enq_data_i == 5; }'
edit "edge" 5 'program  ' '/^#include "ports\/define.h"/ {s/.*/#define fifo_bank_edge other_edge\n&\n#undef fifo_bank_edge/}; /^static const module_fast_t fast/ i static void other_edge(fifo_bank_t *self, const fifo_bank_in_t *in) { fifo_bank_edge(self, in); if (in->enq_data_i == 5) self->r.u_mem.rdata_q ^= 1; }'

edit "create" 5 'is not what fifo_bank_create makes' '/^#include "ports\/define.h"/ {s/.*/#define fifo_bank_create other_create\n&\n#undef fifo_bank_create/}; /^static const module_fast_t fast/ i static int other_create(fifo_bank_t **self, const fifo_bank_cfg_t *cfg, mrpb_err_t *err) { int rc = fifo_bank_create(self, cfg, err); if (rc == 0) (*self)->r.u_mem.rdata_q = 1; return rc; }'

KIND='order of evaluation'
step='static uint64_t bump(uint64_t *t) { return (*t)++; } static uint64_t pair(uint64_t a, uint64_t b) { return 4 * a + b; }'
TOP="$step" comb "arguments" 5 "program  " 'uint64_t t = 0; out->full_o ^= pair(bump(&t), bump(&t)) != 1;'
TOP="$step" comb "an operand and a call" 5 "program  " 'uint64_t t = in->enq_data_i, u = t + bump(&t); out->full_o ^= u != 2 * in->enq_data_i;'
TOP="$step" comb "a member that is set and read" 5 "program  " 'struct { uint64_t a; } t = {in->enq_data_i}; out->full_o ^= pair(t.a = 1, t.a) != 5;'
TOP="$step" comb "arguments of a call through a pointer" 5 "program  " 'uint64_t (*const f)(uint64_t, uint64_t) = pair, t = in->enq_data_i; out->full_o ^= f(t, bump(&t)) != 5 * in->enq_data_i;'
TOP="$step" comb "an index and a value" 5 "program  " 'uint64_t t[4] = {0, 7, 7, 7}, n = 0; t[n] = bump(&n); out->full_o ^= t[1] != 0;'
TOP="$step" edge "arguments, in edge" 5 "program  " 'uint64_t t = 0; if (pair(bump(&t), bump(&t)) != 1) r->u_mem.rdata_q ^= in->enq_valid_i;'

KIND='memory of the C library'
comb "more than there is" 3 "allocation" 'uint64_t *t = calloc(UINT64_C(1) << 50, 1); out->full_o ^= t == NULL; free(t);'
comb "none" 3 "allocation" 'uint64_t *t = malloc(16), *u = malloc(SIZE_MAX); out->full_o ^= u == NULL; free(t); free(u);'

KIND='constants of the proof'
flip='s/^struct fifo_bank {/#ifndef FLIP\n#define FLIP 1\n#endif\n&/; s/= self->r.full_q;/= self->r.full_q ^ FLIP;/'
sed '1 a #define FLIP 0' tb/verify/prove/inv/fifo_bank.c > "$work/inv.c"
INV="--inv $work/inv.c" edit "the invariant's file" 5 "a simulation's constants" "$flip"

# run_one DIR: 0 if it ends as expected
run_one() {
  local dir=$1 status
  $prove fifo_bank --set QUEUES=3 --set DEPTH=2 --set DATA_W=3 $(cat "$dir/args") > "$dir/out" 2>&1
  status=$?
  echo $status > "$dir/status"
  [[ "$status" =~ ^($(cat "$dir/code"))$ ]] && grep -qE -- "$(cat "$dir/pattern")" "$dir/out" && return 0
  echo "FAILED: $(cat "$dir/kind"), $(cat "$dir/name"): exit $status (expected $(cat "$dir/code")): $(head -c 500 "$dir/out")"
  return 1
}
# A module of a kit whose object does not come from its source.
kit() {
  local root=$PWD
  (cd "$work" && "$root/${MRPB:-build/mrpb}" new skid && cd skid && cp skid.c right.c &&
    sed -i 's/^\(.*\)out->count_o = .*/&\n\1out->count_o ^= in->srst_ni;/' skid.c && ! cmp -s skid.c right.c &&
    make KIT="$root" && cp right.c skid.c && touch skid.so) > "$work/kit" 2>&1 || cat "$work/kit"
  $prove skid -m "$work/skid" --set DEPTH=2 --set DATA_W=2 > "$work/out" 2>&1
  [ $? = 5 ] && grep -q '^  program  skid_comb gives' "$work/out" && return
  echo "FAILED: a module of a kit: $(head -c 500 "$work/out")" >> "$work/said"
}

export -f run_one
export prove
printf '%s\n' "$work"/[0-9]* | xargs -P "${1:-2}" -I{} bash -c 'run_one {}' > "$work/said"
n=$((n + 1))
kit
cat "$work/said"
[ -z "${KEEP:-}" ] || cp -r "$work" "$KEEP"

failed=$(grep -c ^FAILED "$work/said")
echo "object: $((n - failed)) passed, $failed failed, $(cat "$work"/*/kind | sort -u | wc -l) kinds"
[ "$failed" = 0 ]
