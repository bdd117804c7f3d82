/* SPDX-License-Identifier: Apache-2.0 */
/* Reads PTX text once into decoded instructions: the subset that docs/ptx.md lists, as clang and
 * nvcc write it for simple kernels. Registers become numbers, and labels and reconvergence points
 * become instruction indices. Addresses of variables become values that are bound later (ptx_bind).
 * A module is read-only after that and may be shared. */
#ifndef PTX_H
#define PTX_H

#include "err.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum {
  PTX_NONE,
  PTX_PRED,
  PTX_B8,
  PTX_B16,
  PTX_B32,
  PTX_B64,
  PTX_U8,
  PTX_U16,
  PTX_U32,
  PTX_U64,
  PTX_S8,
  PTX_S16,
  PTX_S32,
  PTX_S64,
  PTX_F32,
  PTX_F64,
  PTX_F16,
  PTX_F16X2, /* two in 32 bits, the first in the low half */
  PTX_BF16,
  PTX_BF16X2,
  PTX_TF32,   /* 19 bits, the upper ones of 32 bits */
  PTX_B128,   /* for variables only; registers and instructions have two PTX_B64 */
  PTX_E4M3X2, /* two 8-bit numbers in 16 bits */
  PTX_E5M2X2,
  PTX_TYPES
} ptx_type_t;

typedef enum {
  PTX_OP_ADD,
  PTX_OP_SUB,
  PTX_OP_MUL,
  PTX_OP_MAD,
  PTX_OP_MUL24,
  PTX_OP_MAD24,
  PTX_OP_SAD,
  PTX_OP_DIV,
  PTX_OP_REM,
  PTX_OP_ABS,
  PTX_OP_NEG,
  PTX_OP_MIN,
  PTX_OP_MAX,
  PTX_OP_FMA,
  PTX_OP_RCP,
  PTX_OP_SQRT,
  PTX_OP_RSQRT,
  PTX_OP_SIN,
  PTX_OP_COS,
  PTX_OP_LG2,
  PTX_OP_EX2,
  PTX_OP_TANH,
  PTX_OP_COPYSIGN,
  PTX_OP_TESTP,
  PTX_OP_SETP,
  PTX_OP_SET,
  PTX_OP_SELP,
  PTX_OP_SLCT,
  PTX_OP_AND,
  PTX_OP_OR,
  PTX_OP_XOR,
  PTX_OP_NOT,
  PTX_OP_CNOT,
  PTX_OP_SHL,
  PTX_OP_SHR,
  PTX_OP_SHF,
  PTX_OP_BFE,
  PTX_OP_BFI,
  PTX_OP_BREV,
  PTX_OP_CLZ,
  PTX_OP_POPC,
  PTX_OP_BFIND,
  PTX_OP_PRMT,
  PTX_OP_LOP3,
  PTX_OP_DP4A,
  PTX_OP_DP2A,
  PTX_OP_ADDC,
  PTX_OP_SUBC,
  PTX_OP_MADC,
  PTX_OP_BMSK,
  PTX_OP_SZEXT,
  PTX_OP_ISSPACEP,
  PTX_OP_MOV,
  PTX_OP_CVT,
  PTX_OP_CVTA,
  PTX_OP_LD,
  PTX_OP_ST,
  PTX_OP_TEX, /* tex.1d.v4 from linear memory */
  PTX_OP_BRA,
  PTX_OP_BAR,     /* bar, barrier: src: number, threads (none: all); red: a predicate */
  PTX_OP_WARPBAR, /* bar.warp.sync */
  PTX_OP_SHFL,
  PTX_OP_VOTE,
  PTX_OP_MATCH,
  PTX_OP_REDUX,
  PTX_OP_ACTIVEMASK,
  PTX_OP_ELECT,
  PTX_OP_NANOSLEEP,
  PTX_OP_ATOM,
  PTX_OP_CP_ASYNC, /* src[0] global, src[1] shared address, src[2] bytes or predicate (type2) */
  PTX_OP_ASYNC_COMMIT,
  PTX_OP_ASYNC_WAIT, /* offset: groups that may stay pending, or PTX_WAIT_ALL */
  PTX_OP_PREFETCH,
  PTX_OP_POLICY, /* in the text only: it becomes a mov */
  PTX_OP_RED,
  PTX_OP_MEMBAR,
  PTX_OP_FENCE,
  PTX_OP_EXIT, /* exit; ret in a kernel */
  PTX_OP_RET,  /* ret in a function */
  PTX_OP_CALL,
  PTX_OP_BRX,  /* brx.idx: branches to targets[src[0]] */
  PTX_OP_TRAP, /* trap, brkpt */
  PTX_OPS
} ptx_op_t;

typedef enum {
  PTX_GENERIC, /* decided by the address: window of shared memory, or global memory */
  PTX_GLOBAL,
  PTX_SHARED,
  PTX_LOCAL,
  PTX_CONST,
  PTX_PARAM,
  PTX_ARGUMENT /* .param of a call or of a function: local memory, timed as registers */
} ptx_space_t;

typedef enum {
  PTX_CMP_EQ,
  PTX_CMP_NE,
  PTX_CMP_LT,
  PTX_CMP_LE,
  PTX_CMP_GT,
  PTX_CMP_GE,
  PTX_CMP_EQU, /* equal or unordered */
  PTX_CMP_NEU,
  PTX_CMP_LTU,
  PTX_CMP_LEU,
  PTX_CMP_GTU,
  PTX_CMP_GEU,
  PTX_CMP_NUM,
  PTX_CMP_NAN
} ptx_cmp_t;

typedef enum { PTX_BOOL_NONE, PTX_BOOL_AND, PTX_BOOL_OR, PTX_BOOL_XOR } ptx_bool_t;
typedef enum { PTX_MUL_LO, PTX_MUL_HI, PTX_MUL_WIDE } ptx_mul_t;
typedef enum {
  PTX_ROUND_NONE, /* the opcode's default without a modifier */
  PTX_ROUND_RN,
  PTX_ROUND_RZ,
  PTX_ROUND_RM,
  PTX_ROUND_RP,
  PTX_ROUND_RNI,
  PTX_ROUND_RZI,
  PTX_ROUND_RMI,
  PTX_ROUND_RPI,
  PTX_ROUND_APPROX,
  PTX_ROUND_FULL,
  PTX_ROUND_RNA /* to nearest, ties away from zero */
} ptx_round_t;

/* Operation of an opcode that has several: ptx_inst_t.what. */
typedef enum { PTX_SHFL_UP, PTX_SHFL_DOWN, PTX_SHFL_BFLY, PTX_SHFL_IDX } ptx_shfl_t;
typedef enum { PTX_VOTE_ALL, PTX_VOTE_ANY, PTX_VOTE_UNI, PTX_VOTE_BALLOT } ptx_vote_t;
typedef enum { PTX_BAR_SYNC, PTX_BAR_ARRIVE, PTX_BAR_RED } ptx_bar_t; /* red: see `boolean` */
typedef enum { PTX_MATCH_ANY, PTX_MATCH_ALL } ptx_match_t;
typedef enum { /* for redux, atom, red */
               PTX_ATOMIC_ADD,
               PTX_ATOMIC_MIN,
               PTX_ATOMIC_MAX,
               PTX_ATOMIC_AND,
               PTX_ATOMIC_OR,
               PTX_ATOMIC_XOR,
               PTX_ATOMIC_INC,
               PTX_ATOMIC_DEC,
               PTX_ATOMIC_EXCH,
               PTX_ATOMIC_CAS
} ptx_atomic_t;

typedef enum { /* weaker orders first */
               PTX_ORDER_NONE,
               PTX_ORDER_WEAK,
               PTX_ORDER_VOLATILE,
               PTX_ORDER_RELAXED,
               PTX_ORDER_ACQUIRE,
               PTX_ORDER_RELEASE,
               PTX_ORDER_ACQ_REL,
               PTX_ORDER_SC
} ptx_order_t;
typedef enum {
  PTX_SCOPE_NONE,
  PTX_SCOPE_CTA,
  PTX_SCOPE_CLUSTER,
  PTX_SCOPE_GPU,
  PTX_SCOPE_SYS
} ptx_scope_t;
typedef enum { /* cache operator of an access; 0 if none is given */
               PTX_CACHED_CG = 1,
               PTX_CACHED_CV,
               PTX_CACHED_WT
} ptx_cached_t;
typedef enum {
  PTX_TESTP_FINITE,
  PTX_TESTP_INFINITE,
  PTX_TESTP_NUMBER,
  PTX_TESTP_NOTANUMBER,
  PTX_TESTP_NORMAL,
  PTX_TESTP_SUBNORMAL
} ptx_testp_t;
typedef enum { PTX_DP2A_LO, PTX_DP2A_HI } ptx_dp2a_t;

typedef enum {
  PTX_TID_X,
  PTX_TID_Y,
  PTX_TID_Z,
  PTX_NTID_X,
  PTX_NTID_Y,
  PTX_NTID_Z,
  PTX_CTAID_X,
  PTX_CTAID_Y,
  PTX_CTAID_Z,
  PTX_NCTAID_X,
  PTX_NCTAID_Y,
  PTX_NCTAID_Z,
  PTX_LANEID,
  PTX_WARPID,
  PTX_LANEMASK_EQ,
  PTX_LANEMASK_LT,
  PTX_LANEMASK_LE,
  PTX_LANEMASK_GT,
  PTX_LANEMASK_GE,
  PTX_SMID,
  PTX_NSMID,
  PTX_NWARPID,
  PTX_GRIDID,
  PTX_DYNAMIC_SMEM,
  PTX_TOTAL_SMEM,
  PTX_CLOCK,  /* 32 bits of the cycle counter */
  PTX_CLOCK64 /* all 64 bits; all other special registers have 32 */
} ptx_special_t;

typedef enum {
  PTX_OPERAND_NONE,
  PTX_OPERAND_REG,
  PTX_OPERAND_IMM,     /* `imm` holds the value's bits in the instruction's type */
  PTX_OPERAND_SPECIAL, /* `reg` is a ptx_special_t */
  PTX_OPERAND_SYMBOL   /* until ptx_bind: variable `reg` plus `imm` bytes; an IMM afterwards */
} ptx_operand_kind_t;

typedef struct {
  uint8_t kind;
  bool negated; /* predicate `!%p` */
  uint32_t reg; /* register number within the kernel, 1 .. n_regs - 1 */
  uint64_t imm;
} ptx_operand_t;

static inline bool ptx_is_clock(const ptx_operand_t *o) {
  return o->kind == PTX_OPERAND_SPECIAL && (o->reg == PTX_CLOCK || o->reg == PTX_CLOCK64);
}

/* The register number that an SM's scoreboard uses. It has fewer numbers than a program may have
 * registers, so they wrap around to 1. */
static inline uint16_t ptx_sm_register(uint32_t reg) {
  return (uint16_t)(reg < WARP_REGS ? reg : (reg - 1) % (WARP_REGS - 1) + 1);
}

#define PTX_NO_TARGET UINT32_MAX

/* A copy of bytes within a thread's local memory. */
typedef struct {
  uint32_t from, to, bytes;
} ptx_copy_t;

typedef enum {
  PTX_CALL_FUNCTION,
  PTX_CALL_PRINTF,
  PTX_CALL_ASSERT,
  PTX_CALL_REGISTER /* src[0] holds the address of the function */
} ptx_call_kind_t;

/* What a call passes and receives. A call of a function of the text has complete copies. A call of
 * a function of this library has only `from` (in) and `to` (out). */
typedef struct ptx_callee ptx_callee_t;
typedef struct {
  ptx_call_kind_t kind;
  unsigned n_in, n_out;
  const ptx_copy_t *in, *out;
  uint32_t span;              /* of a function of the text: index in ptx_kernel_t.spans */
  const ptx_callee_t *callee; /* through a register: the n_callees functions that it may hold */
  unsigned n_callees;
} ptx_call_t;

/* A function whose address a register may hold. Its call copies the same bytes as a call by
 * name. */
struct ptx_callee {
  uint64_t address;
  uint32_t target;
  const ptx_call_t *call;
};

enum {
  PTX_CALL_DEPTH = 24, /* nesting of calls of functions that do not call themselves */
  PTX_RECURSION = 512, /* the same for kernels with functions that call themselves */
  PTX_COPIES = 5,      /* cp.async of a warp that may be in flight at once */
  PTX_WAIT_ALL = -1
};

/* What an fma that was a difference takes away: c of a * b - c, or a * b of c - a * b. */
typedef enum { PTX_MINUS_NONE, PTX_MINUS_ADDEND, PTX_MINUS_PRODUCT } ptx_minus_t;

/* One decoded instruction; `warp` is the part that the SM's timing sees. */
typedef struct {
  warp_inst_t warp;
  uint8_t op, type,
      type2; /* ptx_op_t; ptx_type_t; type2: cvt, set: source; slct: of c; tex: coordinate */
  uint8_t space, cmp, boolean, mul, round;
  uint8_t n_vector; /* elements of ld, st, tex; parts of a register in mov: 1, 2 or 4 */
  bool sat, ftz, uniform, left_shift; /* uniform: bra.uni; left_shift: shf.l */
  bool to_space; /* cvta.to: from a generic address to `space`; otherwise from `space` to generic */
  uint8_t wrap;  /* shf: 1 wrap, 0 clamp */
  uint8_t what;  /* ptx_bar_t, ptx_shfl_t, ptx_vote_t, ptx_match_t, ptx_atomic_t, ptx_testp_t,
                    ptx_dp2a_t; bfind: 1 .shiftamt */
  uint8_t order, scope, cached; /* ptx_order_t, ptx_scope_t, ptx_cached_t */
  bool hint, read_only;         /* the last operand is a cache policy; .nc */
  bool sync;                    /* shfl, vote, match, redux: has a member mask, the last source */
  bool relu, satfinite; /* negative results become 0; too large ones become the largest number */
  bool nan, xorsign, magnitude; /* min, max: .NaN, .xorsign.abs (both) */
  uint8_t minus;                /* fma made by ptx_contract: a ptx_minus_t */
  bool carry_out; /* add.cc and the like: carry is the last destination; addc reads it last */
  uint32_t guard; /* predicate register, 0: none */
  bool guard_negated;
  /* Destinations: setp may have two, vectors up to four. Memory: address = src[0] + offset. The
   * values of a store are src[1 ...]. The operands of an atomic are src[1] and, for cas, src[2].
   * tex: `offset` is unused, src[0] is the coordinate, src[1] the texture symbol (bound to its byte
   * address). */
  ptx_operand_t dst[4], src[5];
  int64_t offset, offset2; /* cp.async: offset2 is that of the shared address */
  uint32_t target;         /* bra, call: index of the target instruction */
  const uint32_t *targets; /* brx: the n_targets possible targets */
  uint32_t n_targets;
  const ptx_call_t *call;
  uint32_t reconverge; /* bra: immediate post-dominator; PTX_NO_TARGET: end of the kernel */
  uint32_t line;       /* line of the text, from 1 */
  uint16_t exec;       /* for the executor: set once by simt_prepare */
} ptx_inst_t;

/* Whether element `d` of a vector of destinations is `_`. */
static inline bool ptx_is_sink(const ptx_inst_t *i, unsigned d) {
  const bool vector = (i->op == PTX_OP_LD || i->op == PTX_OP_TEX ||
                       (i->op == PTX_OP_MOV && i->src[1].kind == PTX_OPERAND_NONE)) &&
                      i->n_vector > 1;
  return vector && d < i->n_vector && i->dst[d].kind == PTX_OPERAND_NONE;
}

/* Whether the thread does not continue behind the instruction, or not in this function. */
static inline bool ptx_ends_thread(const ptx_inst_t *i) {
  return i->op == PTX_OP_EXIT || i->op == PTX_OP_RET || i->op == PTX_OP_TRAP;
}

/* Whether this is a load of a parameter at a constant address. */
static inline bool ptx_reads_fixed(const ptx_inst_t *i) {
  return i->op == PTX_OP_LD && i->space == PTX_PARAM &&
         (i->src[0].kind == PTX_OPERAND_IMM || i->src[0].kind == PTX_OPERAND_NONE);
}

typedef struct {
  const char *name;
  ptx_type_t type;
  uint32_t offset, bytes; /* in the parameter block, in order and naturally aligned */
} ptx_param_t;

typedef struct {
  const char *name; /* "%rd5" */
  uint8_t type;     /* PTX_PRED, or B16 to F64 as declared */
  uint8_t bank;     /* the number in its name */
} ptx_reg_t;

/* A range of code and registers: the kernel's own, or that of one function that it reaches. */
typedef struct {
  uint32_t first, n_insts, first_reg, n_regs;
  uint32_t area, area_bytes; /* its parameters and those of its calls, in local memory */
  bool recursive;            /* may be called again before it returns */
  bool stacked;              /* has .local variables for each call */
  uint32_t stack;            /* `stacked`: 8 bytes of local memory, initially 0 for each thread */
} ptx_span_t;

typedef struct {
  const char *name;
  unsigned n_params, n_regs, n_insts; /* register 0 means none */
  const ptx_param_t *params;
  uint32_t param_bytes;
  const ptx_reg_t *regs;
  const ptx_inst_t *insts;            /* pc of instruction i: first_pc + i * WARP_PC_STEP */
  uint32_t first_pc;                  /* the kernels of a module follow one another */
  uint32_t shared_bytes, local_bytes; /* per block; per thread */
  const ptx_span_t *spans;            /* n_spans spans; the kernel's own is the first */
  unsigned n_spans;
  bool narrow;         /* its text has 32-bit addresses */
  const char *refused; /* NULL, or why it cannot run ("name:line: what"); it then has no code */
  uint32_t block[3];   /* .reqntid: the only legal block size; 0: none */
  uint32_t most;       /* .maxntid: max threads per block; 0: none */
} ptx_kernel_t;

/* A variable of the module or of a kernel. The parser lays out shared and local variables; ptx_bind
 * gives addresses to the others. */
typedef struct {
  const char *name;
  ptx_space_t space;     /* PTX_GLOBAL, PTX_CONST, PTX_SHARED or PTX_LOCAL */
  bool texture;          /* .texref: bound to the start of a linear buffer */
  bool used;             /* a kernel names it */
  bool as_float, as_int; /* textures: how `tex` instructions read it */
  bool by_coordinate;    /* some `tex` instruction has a floating-point coordinate */
  uint64_t bytes, align, address;
  const uint8_t *init; /* `bytes` bytes, NULL for zero */
} ptx_variable_t;

/* An initial value that is an address: the `bytes` bytes at offset `at` of variable `in` hold the
 * address of variable `of` plus `addend`, or the address `addend` of a function. */
typedef struct {
  unsigned in, of;
  uint64_t at, addend;
  uint8_t bytes;
  bool function;
} ptx_reference_t;

typedef struct ptx_module ptx_module_t;

/* Reads the text of `size` bytes; messages call the file `name`. A kernel that cannot run is marked
 * `refused`. Returns 0, or -1 and one line "name:line: what; what is legal" in err if the text
 * cannot be read or none of its kernels can run. */
int ptx_read(ptx_module_t **out, const char *text, size_t size, const char *name, mrpb_err_t *err);
/* The same, but also reads a text that has no kernel or whose kernels all cannot run. */
int ptx_survey(ptx_module_t **out, const char *text, size_t size, const char *name,
               mrpb_err_t *err);
/* Adds another text behind those that `m` has, with its own variables and functions, in the same
 * way as the driver loads several modules. Must be called before any variable of it is bound.
 * Returns 0, or -1 and a message as above, also if a kernel of the same name exists; `m` is then
 * unchanged. */
int ptx_read_behind(ptx_module_t *m, const char *text, size_t size, const char *name,
                    mrpb_err_t *err);
void ptx_free(ptx_module_t *m);

/* A text that was read; a zero byte follows its bytes. Its kernels and variables are consecutive,
 * beginning at first_kernel and first_variable. */
typedef struct {
  const char *name, *text;
  size_t bytes;
  unsigned first_kernel, n_kernels, first_variable, n_variables;
} ptx_text_t;
/* The i-th text; false if there are not that many. */
bool ptx_text(const ptx_module_t *m, unsigned i, ptx_text_t *text);

unsigned ptx_kernels(const ptx_module_t *m);
const ptx_kernel_t *ptx_kernel(const ptx_module_t *m, unsigned i);
/* Returns the kernel of this name. Returns NULL and a message if there is none (with the nearest
 * name) or if it cannot run (with the reason). */
const ptx_kernel_t *ptx_find(const ptx_module_t *m, const char *kernel, mrpb_err_t *err);

/* Replaces sums of products without rounding modifiers by fma, as the driver's compiler does;
 * *sums is their number. -1 if out of memory. Before the module is executed. */
int ptx_contract(ptx_module_t *m, uint64_t *sums, mrpb_err_t *err);
/* How many such sums the kernel has. */
uint64_t ptx_contractable(const ptx_kernel_t *k);

/* Moves *loads loads forward, as the driver's compiler does; after ptx_contract. -1 as above. */
int ptx_schedule(ptx_module_t *m, uint64_t *loads, mrpb_err_t *err);

/* Functions with a body of the first text: their number, and the name of the i-th, or NULL if
 * there are not that many. *refused is the reason why it cannot be called on its own, or NULL if
 * it can. */
unsigned ptx_functions(const ptx_module_t *m);
const char *ptx_function(const ptx_module_t *m, unsigned i, const char **refused);

unsigned ptx_variables(const ptx_module_t *m);
const ptx_variable_t *ptx_variable(const ptx_module_t *m, unsigned i);
/* Gives variable `i` its address; operands that name it become immediates. */
void ptx_bind(ptx_module_t *m, unsigned i, uint64_t address);

/* The i-th reference; false if there are not that many. */
bool ptx_reference(const ptx_module_t *m, unsigned i, ptx_reference_t *reference);
/* The address that it stands for, once all variables are bound. */
uint64_t ptx_referred(const ptx_module_t *m, const ptx_reference_t *reference);

const char *ptx_op_name(ptx_op_t op);
const char *ptx_type_name(ptx_type_t type);
unsigned ptx_type_bytes(ptx_type_t type);

#endif
