/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of tb/workload/launch: a program as read, and the state of its host. */
#ifndef LAUNCH_STATE_H
#define LAUNCH_STATE_H

#include "workload/launch/launch.h"

enum {
  LAUNCH_DEPTH = 64, /* maximum nesting of expressions */
  LAUNCH_LOOPS = 16, /* maximum nesting of repeats */
  LAUNCH_WORD = 64,  /* maximum size of a name, including its 0 */
  LAUNCH_STATEMENTS = 1 << 16
};

/* ---- elements -------------------------------------------------------------------------------- */

typedef enum {
#define TYPE(name, bytes, class) LAUNCH_TYPE_##name,
#include "workload/launch/launch.def"
  LAUNCH_TYPES
} launch_type_t;

/* A number of the host: a 64-bit integer, which wraps, or a double. */
typedef struct {
  bool real;
  int64_t i;
  double d;
} launch_value_t;

launch_value_t launch_integer(int64_t i);
launch_value_t launch_real(double d);
double launch_as_real(launch_value_t v);
bool launch_true(launch_value_t v);

/* The type of this name; LAUNCH_TYPES if there is none. */
launch_type_t launch_type_of(const char *name);
const char *launch_type_name(launch_type_t t);
unsigned launch_type_bytes(launch_type_t t);
bool launch_type_real(launch_type_t t);
bool launch_type_signed(launch_type_t t);
launch_value_t launch_load(launch_type_t t, const void *from);
/* Stores the value. False if an integer type cannot hold it, because it is out of range or not an
 * integer. `either`: signed types also accept what fits unsigned, and unsigned types what fits
 * signed. */
bool launch_store(launch_type_t t, void *to, launch_value_t v, bool either);
/* Writes what is legal for the type: "an integer from -128 to 127". */
void launch_type_legal(launch_type_t t, bool either, char *to, size_t n);
/* Rounds the value to `t`, a floating-point type. */
double launch_round(launch_type_t t, double d);
/* Number of steps of the type between two numbers; UINT64_MAX if one of them is NaN. */
uint64_t launch_ulps(launch_type_t t, launch_value_t a, launch_value_t b);
/* Prints the value for a text file, with "%.9g" or similar, so that it reads back as the same
 * number. */
void launch_print(launch_type_t t, launch_value_t v, char *to, size_t n);

/* ---- the program ----------------------------------------------------------------------------- */

typedef enum {
  LAUNCH_OP_NONE,
#define STATEMENT(word, rest, doc) LAUNCH_OP_##word,
#include "workload/launch/launch.def"
  LAUNCH_OPS
} launch_op_t;

typedef enum {
  LAUNCH_CALL_NONE,
#define FUNCTION(name, least, most, doc) LAUNCH_CALL_##name,
#include "workload/launch/launch.def"
  LAUNCH_CALLS
} launch_call_t;

typedef enum {
  LAUNCH_HIDDEN, /* the variable of a sum or repeat that has ended */
  LAUNCH_VALUE,  /* a variable of the host */
  LAUNCH_ON_GPU, /* a buffer, or a variable of the PTX text */
  LAUNCH_ON_HOST
} launch_kind_t;

typedef struct {
  char name[LAUNCH_WORD];
  launch_kind_t kind;
  launch_value_t value; /* LAUNCH_VALUE */
  bool fixed;           /* LAUNCH_VALUE: set on the command line */
  bool texture, loose;
  launch_type_t type;
  uint64_t count, addr; /* number of elements; address on the GPU */
  uint8_t *at;          /* host address; NULL: not created yet */
} launch_symbol_t;

typedef enum {
  LAUNCH_CONSTANT,
  LAUNCH_NAME,    /* the value of `symbol` */
  LAUNCH_ELEMENT, /* symbol[a[0]] */
  LAUNCH_UNARY,   /* - ! ~ */
  LAUNCH_BINARY,  /* op: the first character, or LAUNCH_LE and the like */
  LAUNCH_CHOICE,  /* a[0] ? a[1] : a[2] */
  LAUNCH_CALL,    /* op: launch_call_t, n operands */
  LAUNCH_OVER     /* op: sum, least, most; over `symbol` from a[0] to a[1] - 1, of a[2] */
} launch_node_kind_t;

/* Operators of more than one character. */
enum {
  LAUNCH_LE = 128,
  LAUNCH_GE,
  LAUNCH_EQ,
  LAUNCH_NE,
  LAUNCH_SHL,
  LAUNCH_SHR,
  LAUNCH_AND,
  LAUNCH_OR
};

typedef struct {
  uint8_t kind, op, n;
  uint32_t symbol, line;
  uint32_t a[4]; /* other nodes */
  launch_value_t value;
} launch_node_t;

typedef enum {
  LAUNCH_BY_NOTHING,
  LAUNCH_BY_EXPR,   /* evaluated for each element i */
  LAUNCH_BY_RANDOM, /* expr: from, to, seed */
  LAUNCH_BY_LIST,
  LAUNCH_BY_FILE
} launch_by_t;

typedef struct {
  launch_by_t by;
  uint32_t expr[3];
  uint32_t first, n; /* list: range in launch_program_t.lists */
  const char *file;
} launch_values_t;

/* A piece of the parameter block. */
typedef struct {
  uint32_t offset;
  launch_type_t type;
  bool either;  /* an integer may be signed or unsigned */
  bool any;     /* untyped: a real number is stored as floating point of that size */
  bool pointer; /* the address of `symbol`, or of its element `expr` if that is not 0 */
  uint32_t symbol, expr;
} launch_piece_t;

typedef struct {
  launch_op_t op;
  uint32_t line, symbol, other;
  uint32_t
      expr[9]; /* nodes, 0: none. launch: grid, block, shared, regs; compare: abs, rel, ulp; ... */
  uint32_t first, n; /* launch: pieces */
  uint32_t jump;     /* repeat: its end; end, stop: the repeat */
  launch_values_t values;
  const char *file;
  const ptx_kernel_t *kernel;
} launch_statement_t;

typedef struct {
  uint32_t at; /* index of the repeat */
  int64_t done, times;
} launch_loop_t;

typedef struct {
  const char *path;
  bool text;
  launch_type_t type;
  uint64_t count;
  uint8_t *bytes; /* NULL until the write is executed */
} launch_file_t;

#define LAUNCH_ARRAY(type, name)                                                                   \
  type *name;                                                                                      \
  size_t n_##name, room_##name

struct launch_program {
  const char *name; /* name of the file */
  LAUNCH_ARRAY(launch_symbol_t, symbols);
  LAUNCH_ARRAY(launch_node_t, nodes); /* nodes[0] means none */
  LAUNCH_ARRAY(uint32_t, lists);
  LAUNCH_ARRAY(launch_piece_t, pieces);
  LAUNCH_ARRAY(launch_statement_t, statements);
  LAUNCH_ARRAY(char *, texts); /* owned */
  LAUNCH_ARRAY(const char *, inputs);
  LAUNCH_ARRAY(launch_file_t, files);
  ptx_module_t *module;
  memory_t *memory;
  workload_t *workload; /* NULL until it is created */
  /* The state of the host. */
  uint32_t at;
  launch_loop_t loop[LAUNCH_LOOPS];
  unsigned loops;
  uint64_t steps, most_steps; /* since the last launch */
  uint64_t host_bytes, compared;
  simt_launch_t launch;
  bool only;  /* the launch was filled in by calls */
  bool ready; /* `launch` is the next launch */
  int result; /* 0, WORKLOAD_DIFFERS or WORKLOAD_FAILED */
  mrpb_err_t why;
};

/* Makes room for one more element of `array`, zeroed; NULL and a message if out of memory. */
#define LAUNCH_PUSH(p, array, err)                                                                 \
  launch_push((p), (void **)&(p)->array, &(p)->n_##array, &(p)->room_##array, sizeof *(p)->array,  \
              (err))
void *launch_push(launch_program_t *p, void **array, size_t *n, size_t *room, size_t size,
                  mrpb_err_t *err);
/* Returns a copy that the program owns; NULL and a message if out of memory. */
const char *launch_keep(launch_program_t *p, const char *text, mrpb_err_t *err);
/* The path of file `name`; relative to the launch file's folder if `input`, which means that it is
 * read. NULL and a message on an error. */
const char *launch_path(launch_program_t *p, const char *name, bool input, mrpb_err_t *err);

/* ---- lexer.c --------------------------------------------------------------------------------- */

typedef enum {
  LAUNCH_LINE_END,
  LAUNCH_IDENTIFIER,
  LAUNCH_NUMBER,
  LAUNCH_STRING,
  LAUNCH_SIGN, /* `sign`: the character, or LAUNCH_LE and the like */
  LAUNCH_BAD   /* a message has been noted */
} launch_token_kind_t;

typedef struct {
  launch_token_kind_t kind;
  unsigned sign;
  launch_value_t value;
  char text[1024]; /* identifier; string without its quotes; other tokens unchanged */
} launch_token_t;

typedef struct {
  launch_program_t *p;
  const char *at; /* behind the token */
  launch_token_t token;
  uint32_t line;
  uint32_t open[LAUNCH_LOOPS]; /* the repeats that are open */
  unsigned n_open, depth;
  bool element;  /* `i` is the number of an element */
  bool launched; /* there was a launch or a variable of the text, so textures are bound */
  const launch_options_t *options;
  mrpb_err_t *err;
} launch_reader_t;

/* Reads the next token of the line. */
void launch_next(launch_reader_t *r);
bool launch_is_sign(const launch_reader_t *r, unsigned sign);
bool launch_is_word(const launch_reader_t *r, const char *word);
/* Takes the sign or word; false, without effect, if the token is another one. */
bool launch_take_sign(launch_reader_t *r, unsigned sign);
bool launch_take_word(launch_reader_t *r, const char *word);
/* Returns -1 with the message "X found where WANTED is expected". */
int launch_expected(launch_reader_t *r, const char *wanted);
int launch_need_sign(launch_reader_t *r, unsigned sign, const char *wanted);

/* ---- symbols.c ------------------------------------------------------------------------------- */

/* The symbol of this name; 0 if there is none. Symbol 0 is `i`, the number of an element. */
uint32_t launch_find(const launch_program_t *p, const char *name);
/* Creates a symbol named by the current token, which is taken; 0 and a message if the token is not
 * a name or the name exists. */
uint32_t launch_name_new(launch_reader_t *r, launch_kind_t kind);
/* The symbol with elements that the current token names, which is taken; 0 and a message on an
 * error. */
uint32_t launch_name_elements(launch_reader_t *r);

/* ---- expr.c ---------------------------------------------------------------------------------- */

/* Reads the expression at the current token; returns its node, or 0 and a message. */
uint32_t launch_expr(launch_reader_t *r);
/* Reads VALUES. 0, or -1 and a message. */
int launch_read_values(launch_reader_t *r, launch_values_t *v);

/* ---- statement.c, argument.c ----------------------------------------------------------------- */

int launch_read_line(launch_reader_t *r, const char *line);
/* Reads "(ARGUMENT, ...)" of a launch into pieces. */
int launch_read_arguments(launch_reader_t *r, launch_statement_t *s);

/* ---- eval.c ---------------------------------------------------------------------------------- */

/* Evaluates a node. 0, or -1 and a message "file:line: ...". */
int launch_eval(launch_program_t *p, uint32_t node, launch_value_t *v, mrpb_err_t *err);
/* Evaluates an integer from `least` to `most`; messages call it `what`. Node 0: *v is unchanged. */
int launch_eval_integer(launch_program_t *p, uint32_t node, const char *what, int64_t least,
                        int64_t most, int64_t *v, mrpb_err_t *err);
/* Counts one more step of the host; -1 and a message if it exceeds the maximum. */
int launch_step(launch_program_t *p, uint32_t line, mrpb_err_t *err);

/* ---- values.c -------------------------------------------------------------------------------- */

/* VALUES for `count` elements of a type, one after another. */
typedef struct {
  launch_program_t *p;
  const launch_values_t *v;
  const char *name; /* name of what is filled or compared */
  launch_type_t type;
  uint64_t count;
  uint32_t line;
  uint8_t *bytes; /* values of a file or a list */
  launch_value_t low, high;
  uint64_t random[4];
} launch_from_t;

/* A count of UINT64_MAX takes all values of a list or file. Must be closed with launch_from_close,
 * also after an error. */
int launch_from_open(launch_from_t *f, launch_program_t *p, const launch_values_t *v,
                     const char *name, launch_type_t type, uint64_t count, uint32_t line,
                     mrpb_err_t *err);
/* Value number `i`; called once for each, in ascending order. */
int launch_from_next(launch_from_t *f, uint64_t i, launch_value_t *v, mrpb_err_t *err);
void launch_from_close(launch_from_t *f);
/* Writes all values into `to`. */
int launch_fill(launch_program_t *p, const launch_values_t *v, const launch_symbol_t *to,
                uint32_t line, mrpb_err_t *err);
void launch_fill_random(void *to, uint64_t n, uint64_t seed);

/* ---- host.c, compare.c ----------------------------------------------------------------------- */

/* Continues to the next launch: 1, 0 at the end; WORKLOAD_DIFFERS or WORKLOAD_FAILED and a
 * message. */
int launch_go_on(launch_program_t *p, mrpb_err_t *err);
/* 0, or WORKLOAD_DIFFERS or WORKLOAD_FAILED and a message. */
int launch_compare(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err);

#endif
