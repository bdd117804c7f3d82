/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the PTX reader: tokens, the module under construction, the steps of parsing. Steps
 * return 0, or -1 after the first error has been noted with its place. */
#ifndef PTX_PARSE_H
#define PTX_PARSE_H

#include "workload/ptx/ptx.h"
#include "workload/ptx/table.h"

typedef enum {
  TOKEN_END,
  TOKEN_BAD,   /* the error is noted */
  TOKEN_NAME,  /* add, %r1, $L__BB0_1 */
  TOKEN_DOT,   /* .s32: `at` is behind the dot */
  TOKEN_INT,   /* value in bits */
  TOKEN_FLOAT, /* value in bits, of float_bytes */
  TOKEN_STRING,
  TOKEN_PUNCT /* one character */
} token_kind_t;

typedef struct {
  token_kind_t kind;
  const char *at;
  size_t length;
  uint32_t line;
  uint8_t float_bytes;
  uint64_t bits;
} token_t;

enum { PTX_NAME = 256, PTX_SHOWN = 48 };
#define PTX_NO_KERNEL UINT32_MAX
#define PTX_NO_AREA UINT32_MAX

/* Chunks that live as long as the module. */
typedef struct arena_chunk arena_chunk_t;

typedef struct {
  ptx_variable_t v;
  uint32_t kernel; /* that it belongs to; PTX_NO_KERNEL: the module's */
  uint32_t line;
  uint32_t used_by; /* the last kernel that names it */
  bool external;
  bool in_stack; /* of a function that calls itself: its address is an offset in depot.c's stack */
} variable_t;

/* An operand that waits for ptx_bind. */
typedef struct {
  ptx_inst_t *inst;
  uint64_t addend;
  uint16_t variable;
  uint8_t src;
} fixup_t;

/* A .param variable of a call or of a function, in the area of the kernel or function. */
typedef struct {
  uint32_t offset, bytes;
} slot_t;

typedef struct {
  token_t name;
  slot_t slot;
  uint32_t depth; /* of braces */
} arg_t;

/* A call as it is written; ptx_inst_t.target is its number until ptx_link. */
typedef struct {
  const char *name;
  uint32_t line;
  bool indirect; /* through a register */
  unsigned n_in, n_out;
  const slot_t *in, *out;
} called_t;

/* A function that the text has named so far; the i-th has the address functions_at + PTX_FUNCTION i. */
typedef struct {
  const char *name;
  bool taken;
} function_t;
/* `.alias name, of;` */
typedef struct {
  const char *name, *of;
} alias_t;
enum { PTX_FUNCTIONS = 0x00100000 /* the first of the first text */, PTX_FUNCTION = 16 };

/* A kernel or a function, by itself. */
typedef struct {
  ptx_kernel_t k;
  uint32_t index, line; /* its number; that of its head */
  uint32_t area;        /* variable with the parameters of calls; PTX_NO_AREA none */
  uint32_t stack;       /* variable with what depot.c gives; 0 none */
  bool function;
  unsigned n_in, n_out;
  const slot_t *in, *out; /* of a function */
} unit_t;

struct ptx_module {
  const char *name; /* of the file */
  const char *text;
  size_t text_bytes;
  arena_chunk_t *arena;
  ptx_kernel_t *kernels;
  variable_t *variables;
  fixup_t *fixups;
  unit_t *units;
  called_t *called;
  function_t *functions;
  alias_t *aliases;
  size_t n_aliases, aliases_room;
  uint64_t functions_at;
  size_t n_functions, functions_room;
  ptx_reference_t *references;
  size_t n_references, references_room;
  size_t n_units, units_room, n_called, called_room;
  size_t n_kernels, kernels_room, n_variables, variables_room, n_fixups, fixups_room;
  uint32_t next_pc, lines;
  bool narrow;        /* addresses of 32 bits */
  ptx_module_t *next; /* the text that was read behind this one */
};

/* module.c: ptx_read, with code and functions behind those of another text; NULL: it is the first. */
int ptx_read_after(ptx_module_t **out, const ptx_module_t *before, const char *text, size_t size,
                   const char *name, mrpb_err_t *err);

/* A `.reg`: one register, or `count` of them that share a prefix. */
typedef struct {
  const char *name;
  size_t length;
  uint32_t count, line; /* count 0: not a range */
  uint32_t depth;       /* of braces */
  ptx_type_t type;
  uint8_t vector;   /* elements of each, 0: it is none */
  uint32_t *number; /* of each element, 0: not used yet */
} reg_decl_t;

typedef struct {
  const char *name;
  size_t length;
  uint32_t line, target;
} label_t;

/* `name: .branchtargets` with `n` of the body's entries from `first` on. */
typedef struct {
  token_t name;
  uint32_t first, n;
} table_t;

/* A parameter or result of a function that is a register: it lies in the area where it is passed. */
typedef struct {
  uint32_t reg;
  ptx_type_t type;
  slot_t slot;
  bool out;
} reg_param_t;

/* The kernel or function that is being read. */
typedef struct {
  ptx_kernel_t k;
  uint32_t index;
  ptx_param_t *params;
  ptx_inst_t *insts;
  ptx_reg_t *regs;
  reg_decl_t *decls;
  label_t *labels, *branches; /* a branch's target is the branch itself */
  size_t n_params, params_room, n_insts, insts_room, regs_room;
  size_t n_head; /* instructions that take the parameters in registers */
  size_t n_regs, n_decls, decls_room, n_labels, labels_room, n_branches, branches_room;
  unsigned n_copies, n_vectors;     /* cp.async; declarations of vectors */
  uint32_t copy[PTX_COPIES], carry; /* registers that no name stands for, 0: not used yet */
  uint32_t depth, depth_line[64];
  bool function;
  arg_t *args;
  table_t *tables;            /* of brx */
  label_t *entries, *indexed; /* of the tables; brx and the name of its table */
  size_t n_args, args_room, n_tables, tables_room, n_entries, entries_room, n_indexed, indexed_room;
  uint32_t area, area_bytes, area_most; /* its variable; bytes in use, at most */
  reg_param_t *reg_params, *returned;   /* of the function; what the call being read gives back */
  size_t n_reg_params, reg_params_room, n_returned, returned_room;
} body_t;

/* Where the reader is: in front of the present token. */
typedef struct {
  const char *at;
  uint32_t line;
  token_t tok;
} ptx_place_t;

typedef struct {
  const char *name; /* of the file */
  const char *at, *end;
  uint32_t line;
  token_t tok;
  mrpb_err_t *err;
  ptx_module_t *m;
  body_t *body;
  bool saw_version, saw_target;
  bool exhausted;     /* out of memory: no kernel's fault */
  ptx_place_t *outer; /* declarations of registers outside of kernels, behind their .reg */
  size_t n_outer, outer_room;
} parser_t;

/* ---- lexer.c ---- */
void ptx_next(parser_t *p); /* the next token into p->tok */
void ptx_skip_line(parser_t *p);
__attribute__((format(printf, 3, 4))) int ptx_fail(parser_t *p, uint32_t line, const char *fmt,
                                                   ...);
int ptx_no_memory(parser_t *p, uint32_t line);
/* The token as a message shows it. */
const char *ptx_show(const token_t *t, char out[PTX_SHOWN]);

static inline bool ptx_token_is(const token_t *t, char punct) {
  return t->kind == TOKEN_PUNCT && *t->at == punct;
}
bool lexer_spells(const token_t *t, const char *text);
/* Steps over `punct`; the error says what is expected. */
int ptx_expect(parser_t *p, char punct, const char *where);
bool ptx_accept(parser_t *p, char punct);

/* ---- refuse.c ---- */
ptx_place_t ptx_place(const parser_t *p);
void ptx_go_back(parser_t *p, const ptx_place_t *to);
/* The error that has been noted is that of the unit whose body begins behind `from`: goes on behind the
 * body. 1: it has none, it was a declaration; -1 the end cannot be found. */
int ptx_refuse_unit(parser_t *p, const ptx_place_t *from, unit_t *u);
/* The error in the arena; none is noted after that. NULL when out of memory. */
const char *ptx_keep_error(parser_t *p);

/* ---- store.c ---- */
void *ptx_alloc(parser_t *p, size_t bytes); /* zeroed; NULL with the error noted */
char *ptx_copy_name(parser_t *p, const char *at, size_t length);
/* `array` with room for more than n elements if memory allows; *room tells. */
void *ptx_grow(parser_t *p, void *array, size_t n, size_t *room, size_t elem);
void ptx_free_arena(ptx_module_t *m);
/* Room for one more element of o->array, which has o->count: 0, or -1 with the error noted. */
#define PTX_GROW(p, o, array, count)                                                               \
  ((o)->array = ptx_grow(p, (o)->array, (o)->count, &(o)->array##_room, sizeof *(o)->array),       \
   (o)->count < (o)->array##_room ? 0 : -1)

/* ---- declare.c ---- */
int ptx_variable_statement(parser_t *p, ptx_space_t space, bool external);
int ptx_texture_statement(parser_t *p);
int ptx_reg_statement(parser_t *p);
/* Behind .reg: `.b32 name` of a parameter, declared as a register. */
int ptx_reg_parameter(parser_t *p, reg_decl_t *d);
int ptx_params(parser_t *p);
/* Behind .param: `.align 8 .b8 name[16]`: name, alignment and bytes; its type, PTX_B8 of an array. */
int ptx_param_declaration(parser_t *p, token_t *name, uint64_t *align, uint64_t *bytes);
variable_t *ptx_find_variable(parser_t *p, const char *at, size_t length);

/* function.c: the address of the function of this name, from now on taken; 0: none is there. */
uint64_t ptx_function_address(ptx_module_t *m, const char *name, size_t length);

/* ---- registers.c ---- */
/* Number of the register that `t` names, 0 if none is declared; -1 on an error. */
int ptx_register(parser_t *p, const token_t *t);
/* The declaration of the vector of this name, NULL if there is none. Its elements are called `q.x`, which the
 * lexer makes one name. */
const reg_decl_t *ptx_vector_register(const body_t *b, const char *at, size_t length);
/* Whether the character names an element of a vector: its number, -1 no. */
int ptx_element(char c);
/* Register `k` of those that no name stands for; -1 on an error. */
int ptx_hidden_register(parser_t *p, unsigned k);
/* Of the predicate register that holds the carry of add.cc and its kin; -1 on an error. */
int ptx_carry(parser_t *p);
/* One that nothing else uses; -1 on an error. */
int ptx_fresh_register(parser_t *p, ptx_type_t type);
/* "; nearest: %r1", or what a range declares, for a name that is not declared; "" */
void ptx_suggest(parser_t *p, const token_t *t, char *out, size_t size);
void ptx_leave_scope(parser_t *p);
/* Puts it into the current scope. */
int ptx_add_decl(parser_t *p, reg_decl_t *d);

/* ---- operand.c ---- */
enum {
  WIDER = 1, /* an integer register */
  NEGATABLE = 2,
  SPECIAL_TOO = 4,
  SYMBOL_TOO = 8,
  WIDER_BITS = 16 /* a register of bits for floating point */
};
int ptx_source(parser_t *p, ptx_operand_t *o, ptx_type_t type, unsigned allow);
int ptx_destination(parser_t *p, ptx_operand_t *o, ptx_type_t type, unsigned allow);
/* `{a, b}` of up to `max` operands, or a single one: how many in *n. */
int ptx_vector(parser_t *p, ptx_operand_t *o, unsigned max, unsigned *n, ptx_type_t type,
               bool destination, unsigned allow);
/* `[register + offset]` and its kin of a load or store into src[0] and offset. */
int ptx_address(parser_t *p, ptx_inst_t *i);

/* ---- expression.c: constant expressions, 64 bits ---- */
int ptx_expression(parser_t *p, uint64_t *value);
/* Without sums and what binds less tightly: one step of an offset. */
int ptx_product(parser_t *p, uint64_t *value);

/* ---- inst.c, modifier.c, check.c ---- */
int ptx_instruction(parser_t *p, const token_t *opcode, uint32_t guard, bool negated);
int ptx_modifiers(parser_t *p, const token_t *opcode, const ptx_row_t *row, ptx_inst_t *i,
                  char text[PTX_NAME]);
/* Combinations of words that the row alone does not rule out; `text` is the opcode with all of
 * them. */
int ptx_check(parser_t *p, const ptx_row_t *row, const ptx_inst_t *i, const char *text);

int ptx_prefetch(parser_t *p, ptx_inst_t *i);
int ptx_policy(parser_t *p, ptx_inst_t *i);

/* ---- async.c ---- */
int ptx_copy_async(parser_t *p, ptx_inst_t *i, const char *text);
int ptx_wait_async(parser_t *p, ptx_inst_t *i, bool group);

/* ---- barrier.c ---- */
int ptx_barrier(parser_t *p, ptx_inst_t *i, const char *text);

/* ---- access.c: memory instructions ---- */
int ptx_check_access(parser_t *p, const ptx_inst_t *i, const char *text);
/* What its words mean for the timing. */
void ptx_settle_access(ptx_inst_t *i);
int ptx_atomic(parser_t *p, ptx_inst_t *i);
/* `, policy` behind the operands if a word says so; it is dropped. */
int ptx_cache_policy(parser_t *p, const ptx_inst_t *i);

/* ---- body.c ---- */
int ptx_body(parser_t *p);

/* ---- limits.c ---- */
/* `.maxntid 256` and its like, up to the body. */
int ptx_limits(parser_t *p);
/* PTX of nvopencc ends the declaration of a function without a ';': what comes next stands outside. */
bool ptx_declaration_ends(const parser_t *p);

/* ---- function.c ---- */
/* Results, name and parameters. */
int ptx_function_head(parser_t *p, unit_t *u);
/* Behind .param; where it lies into `slot`, unless NULL. */
int ptx_argument_statement(parser_t *p, slot_t *slot);
/* NULL if there is none of this name. */
const arg_t *ptx_find_argument(const body_t *b, const token_t *t);
/* At the end of a scope, before its depth is left. */
void ptx_leave_arguments(body_t *b);
int ptx_call_operands(parser_t *p, ptx_inst_t *i);
/* Instructions that bring parameters in registers to where they belong: at the beginning of a function,
 * before it returns, behind a call with that guard. */
int ptx_take_parameters(parser_t *p);
int ptx_give_results(parser_t *p);
int ptx_take_results(parser_t *p, const ptx_inst_t *call);
int ptx_targets_statement(parser_t *p, const token_t *name);
/* A variable in local memory that no name stands for, of 16 bytes so far; its number in *at. */
int ptx_hidden_variable(parser_t *p, const char *name, uint32_t unit, uint32_t line, uint32_t *at);

/* ---- calls.c ---- */
/* Behind .alias. */
int ptx_alias_statement(parser_t *p);
ptx_call_kind_t ptx_call_kind(const char *name);
/* The function of this name, or that has this other name; UINT32_MAX none with a body. */
uint32_t ptx_unit_named(const ptx_module_t *m, const char *name);
/* An address of unit `u` that is taken, it has one for each name: that of function `*from` or of the next
 * one after it, behind which `*from` is then; 0 no more. */
uint64_t ptx_taken_address(const ptx_module_t *m, uint32_t u, size_t *from);
/* The first unit from `from` on that the call may be of; UINT32_MAX none. Through a register it may be any
 * whose address is taken, with such parameters and results. */
uint32_t ptx_callee(const ptx_module_t *m, const called_t *c, uint32_t from);
/* Whether a call of `from`, or of what it calls, is one of `to`; `open` are those that have been asked. */
bool ptx_leads_to(const ptx_module_t *m, uint32_t from, uint32_t to, uint8_t *open);

/* ---- depot.c ---- */
/* Functions that call themselves get .local variables for each call. */
int ptx_give_depots(parser_t *p);

/* ---- link.c ---- */
/* The kernels of the module, from its units. */
int ptx_link(parser_t *p);

/* ---- cfg.c ---- */
/* Reconvergence points of n instructions with their targets. -1 when out of memory. */
int ptx_reconverge(ptx_inst_t *inst, uint32_t n);

/* ---- timing.c ---- */
/* Fills inst->warp except its pc, once its registers have their numbers within the kernel. */
void ptx_time(ptx_inst_t *inst, const ptx_reg_t *regs);

#endif
