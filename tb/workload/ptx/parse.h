/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the PTX reader: tokens, the module under construction, and the parsing steps. Steps
 * return 0, or -1 after the first error has been noted with its place. */
#ifndef PTX_PARSE_H
#define PTX_PARSE_H

#include "workload/ptx/ptx.h"
#include "workload/ptx/table.h"

typedef enum {
  TOKEN_END,
  TOKEN_BAD,   /* the error has been noted */
  TOKEN_NAME,  /* add, %r1, $L__BB0_1 */
  TOKEN_DOT,   /* .s32: `at` points behind the dot */
  TOKEN_INT,   /* value in `bits` */
  TOKEN_FLOAT, /* value in `bits`, float_bytes wide */
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

/* Memory chunks that live as long as the module. */
typedef struct arena_chunk arena_chunk_t;

typedef struct {
  ptx_variable_t v;
  uint32_t kernel; /* the kernel that it belongs to; PTX_NO_KERNEL: the module */
  uint32_t line;
  uint32_t used_by; /* the last kernel that names it */
  bool external;
  bool in_stack; /* of a function that calls itself: address is an offset in depot.c's stack */
} variable_t;

/* An operand to be filled in by ptx_bind. */
typedef struct {
  ptx_inst_t *inst;
  uint64_t addend;
  uint16_t variable;
  uint8_t src;
} fixup_t;

/* A .param variable of a call or function, within the area of the calling kernel or function. */
typedef struct {
  uint32_t offset, bytes;
} slot_t;

typedef struct {
  token_t name;
  slot_t slot;
  uint32_t depth; /* brace depth */
} arg_t;

/* A call as written; ptx_inst_t.target is its number until ptx_link. */
typedef struct {
  const char *name;
  uint32_t line;
  bool indirect; /* through a register */
  unsigned n_in, n_out;
  const slot_t *in, *out;
} called_t;

/* A function that the text has named so far. The i-th has the address functions_at + PTX_FUNCTION *
 * i. */
typedef struct {
  const char *name;
  bool taken;
} function_t;
/* `.alias name, of;` */
typedef struct {
  const char *name, *of;
} alias_t;
enum { PTX_FUNCTIONS = 0x00100000 /* first function, first text */, PTX_FUNCTION = 16 };

/* A kernel or a function on its own, before linking. */
typedef struct {
  ptx_kernel_t k;
  uint32_t index, line; /* its number; the line of its head */
  uint32_t area;        /* variable with the parameters of calls; PTX_NO_AREA: none */
  uint32_t stack;       /* variable with the stack of depot.c; 0: none */
  bool function;
  unsigned n_in, n_out;
  const slot_t *in, *out; /* parameters and results of a function */
} unit_t;

struct ptx_module {
  const char *name; /* name of the file */
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
  bool narrow;        /* 32-bit addresses */
  ptx_module_t *next; /* the text that was read after this one */
};

/* module.c: like ptx_survey, but places code and functions behind those of `before`, the previous
 * text; NULL if this is the first one. */
int ptx_read_after(ptx_module_t **out, const ptx_module_t *before, const char *text, size_t size,
                   const char *name, mrpb_err_t *err);

/* A `.reg` declaration: one register, or `count` registers that share a prefix. */
typedef struct {
  const char *name;
  size_t length;
  uint32_t count, line; /* count 0: not a range */
  uint32_t depth;       /* brace depth */
  ptx_type_t type;
  uint8_t vector;   /* elements of each vector register, 0: not a vector */
  uint32_t *number; /* register number of each element, 0: not used yet */
} reg_decl_t;

typedef struct {
  const char *name;
  size_t length;
  uint32_t line, target;
} label_t;

/* `name: .branchtargets` with `n` of the body's entries, beginning at `first`. */
typedef struct {
  token_t name;
  uint32_t first, n;
} table_t;

/* A parameter or result of a function that is declared as a register. It is passed through a slot
 * of the area. */
typedef struct {
  uint32_t reg;
  ptx_type_t type;
  slot_t slot;
  bool out;
} reg_param_t;

/* The kernel or function being read. */
typedef struct {
  ptx_kernel_t k;
  uint32_t index;
  ptx_param_t *params;
  ptx_inst_t *insts;
  ptx_reg_t *regs;
  reg_decl_t *decls;
  label_t *labels, *branches; /* a branch's `target` is the index of the branch itself */
  size_t n_params, params_room, n_insts, insts_room, regs_room;
  size_t n_head; /* instructions at the beginning that load parameters into registers */
  size_t n_regs, n_decls, decls_room, n_labels, labels_room, n_branches, branches_room;
  unsigned n_copies, n_vectors;     /* number of cp.async; number of vector declarations */
  uint32_t copy[PTX_COPIES], carry; /* hidden registers, 0: not used yet */
  uint32_t depth, depth_line[64];
  bool function;
  arg_t *args;
  table_t *tables;            /* tables of brx */
  label_t *entries, *indexed; /* entries of the tables; each brx with the name of its table */
  size_t n_args, args_room, n_tables, tables_room, n_entries, entries_room, n_indexed, indexed_room;
  uint32_t area, area_bytes, area_most; /* its variable; bytes in use, and their maximum */
  reg_param_t *reg_params, *returned;   /* of the function; results of the call being read */
  size_t n_reg_params, reg_params_room, n_returned, returned_room;
} body_t;

/* A position of the reader: just before the current token. */
typedef struct {
  const char *at;
  uint32_t line;
  token_t tok;
} ptx_place_t;

typedef struct {
  const char *name; /* name of the file */
  const char *at, *end;
  uint32_t line;
  token_t tok;
  mrpb_err_t *err;
  ptx_module_t *m;
  body_t *body;
  bool saw_version, saw_target;
  bool exhausted;     /* out of memory, so not an error of a kernel */
  ptx_place_t *outer; /* register declarations outside of kernels: places behind their .reg */
  size_t n_outer, outer_room;
} parser_t;

/* ---- lexer.c ---- */
void ptx_next(parser_t *p); /* reads the next token into p->tok */
void ptx_skip_line(parser_t *p);
__attribute__((format(printf, 3, 4))) int ptx_fail(parser_t *p, uint32_t line, const char *fmt,
                                                   ...);
int ptx_no_memory(parser_t *p, uint32_t line);
/* The token as messages show it. */
const char *ptx_show(const token_t *t, char out[PTX_SHOWN]);

static inline bool ptx_token_is(const token_t *t, char punct) {
  return t->kind == TOKEN_PUNCT && *t->at == punct;
}
bool lexer_spells(const token_t *t, const char *text);
/* Skips `punct`; otherwise the error says what is expected. */
int ptx_expect(parser_t *p, char punct, const char *where);
bool ptx_accept(parser_t *p, char punct);

/* ---- refuse.c ---- */
ptx_place_t ptx_place(const parser_t *p);
void ptx_go_back(parser_t *p, const ptx_place_t *to);
/* Keeps the noted error as the reason why unit `u` is refused, and continues behind its body; the
 * rest of its head begins at `from`. Returns 0, 1 if the unit is a declaration without a body, or
 * -1 if its end cannot be found. */
int ptx_refuse_unit(parser_t *p, const ptx_place_t *from, unit_t *u);
/* Moves the noted error into the arena, so that none is noted afterwards. NULL if out of memory. */
const char *ptx_keep_error(parser_t *p);

/* ---- store.c ---- */
void *ptx_alloc(parser_t *p, size_t bytes); /* zeroed; NULL with the error noted */
char *ptx_copy_name(parser_t *p, const char *at, size_t length);
/* Returns `array` with room for more than n elements if memory allows; *room tells whether it
 * does. */
void *ptx_grow(parser_t *p, void *array, size_t n, size_t *room, size_t elem);
void ptx_free_arena(ptx_module_t *m);
/* Makes room for one more element of o->array, which has o->count elements. 0, or -1 with the error
 * noted. */
#define PTX_GROW(p, o, array, count)                                                               \
  ((o)->array = ptx_grow(p, (o)->array, (o)->count, &(o)->array##_room, sizeof *(o)->array),       \
   (o)->count < (o)->array##_room ? 0 : -1)

/* ---- declare.c ---- */
int ptx_variable_statement(parser_t *p, ptx_space_t space, bool external);
int ptx_texture_statement(parser_t *p);
int ptx_reg_statement(parser_t *p);
/* Called behind .reg: reads `.b32 name` of a parameter that is declared as a register. */
int ptx_reg_parameter(parser_t *p, reg_decl_t *d);
int ptx_params(parser_t *p);
/* Called behind .param: reads `.align 8 .b8 name[16]` into name, alignment and bytes. */
int ptx_param_declaration(parser_t *p, token_t *name, uint64_t *align, uint64_t *bytes);
variable_t *ptx_find_variable(parser_t *p, const char *at, size_t length);

/* function.c: marks the function of this name as taken and returns its address; 0 if there is
 * none. */
uint64_t ptx_function_address(ptx_module_t *m, const char *name, size_t length);

/* ---- registers.c ---- */
/* Number of the register that `t` names; 0 if none is declared, -1 on an error. */
int ptx_register(parser_t *p, const token_t *t);
/* The declaration of the vector of this name; NULL if there is none. An element is called `q.x`,
 * which the lexer returns as one name. */
const reg_decl_t *ptx_vector_register(const body_t *b, const char *at, size_t length);
/* The element of a vector that the character names; -1 if none. */
int ptx_element(char c);
/* Number of the k-th hidden register, which has no name in the text; -1 on an error. */
int ptx_hidden_register(parser_t *p, unsigned k);
/* Number of the predicate register that holds the carry of add.cc and the like; -1 on an error. */
int ptx_carry(parser_t *p);
/* Number of a new register that nothing else uses; -1 on an error. */
int ptx_fresh_register(parser_t *p, ptx_type_t type);
/* For an undeclared name: "; nearest: %r1", or what a range declares, or "". */
void ptx_suggest(parser_t *p, const token_t *t, char *out, size_t size);
void ptx_leave_scope(parser_t *p);
/* Adds the declaration to the current scope. */
int ptx_add_decl(parser_t *p, reg_decl_t *d);

/* ---- operand.c ---- */
enum {
  WIDER = 1, /* a wider integer register */
  NEGATABLE = 2,
  SPECIAL_TOO = 4,
  SYMBOL_TOO = 8,
  WIDER_BITS = 16 /* for floating point: a wider .b register */
};
int ptx_source(parser_t *p, ptx_operand_t *o, ptx_type_t type, unsigned allow);
int ptx_destination(parser_t *p, ptx_operand_t *o, ptx_type_t type, unsigned allow);
/* Reads `{a, b}` of up to `max` operands, or a single operand; their number goes into *n. */
int ptx_vector(parser_t *p, ptx_operand_t *o, unsigned max, unsigned *n, ptx_type_t type,
               bool destination, unsigned allow);
/* Reads the `[register + offset]` of a load or store into src[0] and offset. */
int ptx_address(parser_t *p, ptx_inst_t *i);

/* ---- expression.c: 64-bit constant expressions ---- */
int ptx_expression(parser_t *p, uint64_t *value);
/* Reads an expression without sums and looser operators: one term of an offset. */
int ptx_product(parser_t *p, uint64_t *value);

/* ---- inst.c, modifier.c, check.c ---- */
int ptx_instruction(parser_t *p, const token_t *opcode, uint32_t guard, bool negated);
int ptx_modifiers(parser_t *p, const token_t *opcode, const ptx_row_t *row, ptx_inst_t *i,
                  char text[PTX_NAME]);
/* Checks combinations of modifiers that the row alone does not rule out; `text` is the opcode with
 * all of its modifiers. */
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
/* Sets what the modifiers mean for the timing. */
void ptx_settle_access(ptx_inst_t *i);
int ptx_atomic(parser_t *p, ptx_inst_t *i);
/* Reads `, policy` behind the operands if a modifier announces it; the policy is dropped. */
int ptx_cache_policy(parser_t *p, const ptx_inst_t *i);

/* ---- body.c ---- */
int ptx_body(parser_t *p);

/* ---- limits.c ---- */
/* Reads `.maxntid 256` and similar directives, up to the body. */
int ptx_limits(parser_t *p);
/* PTX of nvopencc ends the declaration of a function without a ';'. True if the next token belongs
 * outside of the function. */
bool ptx_declaration_ends(const parser_t *p);

/* ---- function.c ---- */
/* Reads results, name and parameters. */
int ptx_function_head(parser_t *p, unit_t *u);
/* Called behind .param. Its slot goes into `slot` unless that is NULL. */
int ptx_argument_statement(parser_t *p, slot_t *slot);
/* NULL if there is none of this name. */
const arg_t *ptx_find_argument(const body_t *b, const token_t *t);
/* Called at the end of a scope, before its depth is left. */
void ptx_leave_arguments(body_t *b);
int ptx_call_operands(parser_t *p, ptx_inst_t *i);
/* Add the instructions that move parameters in registers to their places: at the beginning of a
 * function, before it returns, and behind a call, with the guard of the call. */
int ptx_take_parameters(parser_t *p);
int ptx_give_results(parser_t *p);
int ptx_take_results(parser_t *p, const ptx_inst_t *call);
int ptx_targets_statement(parser_t *p, const token_t *name);
/* Adds a variable in local memory that has no name in the text, initially of 16 bytes; its number
 * goes into *at. */
int ptx_hidden_variable(parser_t *p, const char *name, uint32_t unit, uint32_t line, uint32_t *at);

/* ---- calls.c ---- */
/* Called behind .alias. */
int ptx_alias_statement(parser_t *p);
ptx_call_kind_t ptx_call_kind(const char *name);
/* The unit of the function with this name or alias; UINT32_MAX if none has a body. */
uint32_t ptx_unit_named(const ptx_module_t *m, const char *name);
/* An address of unit `u` that is taken; it has one for each of its names. Searches the functions
 * from *from on and leaves *from behind the one found. 0 if there are no more. */
uint64_t ptx_taken_address(const ptx_module_t *m, uint32_t u, size_t *from);
/* The first unit from `from` on that the call may reach; UINT32_MAX if none. A call through a
 * register may reach any function whose address is taken and whose parameters and results fit. */
uint32_t ptx_callee(const ptx_module_t *m, const called_t *c, uint32_t from);
/* Whether unit `from` calls unit `to`, directly or through others; `open` marks the units already
 * visited. */
bool ptx_leads_to(const ptx_module_t *m, uint32_t from, uint32_t to, uint8_t *open);

/* ---- depot.c ---- */
/* Gives functions that call themselves their own .local variables for each call. */
int ptx_give_depots(parser_t *p);

/* ---- link.c ---- */
/* Builds the kernels of the module from its units. */
int ptx_link(parser_t *p);

/* ---- cfg.c ---- */
/* Finds the reconvergence points of n instructions whose targets are set. -1 if out of memory. */
int ptx_reconverge(ptx_inst_t *inst, uint32_t n);

/* ---- timing.c ---- */
/* Fills inst->warp except for its pc, once the registers have their numbers within the kernel. */
void ptx_time(ptx_inst_t *inst, const ptx_reg_t *regs);

#endif
