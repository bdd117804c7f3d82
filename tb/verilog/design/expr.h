/* SPDX-License-Identifier: Apache-2.0 */
/* The expressions of a map: Verilog expressions over names that a scope knows.
 * docs/verify/door.md */
#ifndef DESIGN_EXPR_H
#define DESIGN_EXPR_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { EXPR_NAME_SIZE = 128, EXPR_DEEP = 64, EXPR_WIDEST = 4096 };

typedef struct expr expr_t;

/* A path such as u_table.ent_q[i].busy: a sequence of names, elements and parts. */
typedef enum { STEP_NAME, STEP_INDEX, STEP_RANGE } step_kind_t;
typedef struct step {
  step_kind_t kind;
  char name[EXPR_NAME_SIZE];
  bool escaped;             /* written as "\name " */
  const expr_t *high, *low; /* an index is `high` */
  const struct step *next;
} step_t;

typedef enum {
  EXPR_NUMBER,
  EXPR_PATH,
  EXPR_UNARY,
  EXPR_BINARY,
  EXPR_CHOICE,
  EXPR_CONCAT,
  EXPR_REPEAT,
  EXPR_CLOG2
} expr_kind_t;

struct expr {
  expr_kind_t kind;
  char op[4];
  uint64_t value;          /* value of a number */
  unsigned width;          /* width of a sized number; 0: as wide as needed */
  const expr_t *a, *b, *c; /* operands; in a concatenation `a` is the first, linked by `next` */
  const expr_t *next;
  const step_t *path;
};

/* Owns what was parsed. */
typedef struct expr_pool expr_pool_t;
expr_pool_t *expr_pool_open(void);
void expr_pool_close(expr_pool_t *pool);

/* Parses an expression (or a path) from *text as far as it goes, and skips the blanks after it.
 * Returns NULL and a message in err that says what stands where something else is legal. */
const expr_t *expr_parse(expr_pool_t *pool, const char **text, mrpb_err_t *err);
const step_t *expr_parse_path(expr_pool_t *pool, const char **text, mrpb_err_t *err);

/* The signal that a path denotes: bits lsb .. lsb + width - 1 of `name`. */
typedef struct {
  char name[EXPR_NAME_SIZE];
  unsigned lsb, width, whole; /* whole: the width of all of `name` */
} signal_t;

/* Gives names their meaning. `constant` is asked first; a scope of constants has no `signal`. */
typedef struct {
  void *ctx;
  bool (*constant)(void *ctx, const char *name, uint64_t *value);
  int (*signal)(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err);
  uint64_t (*value)(void *ctx, const signal_t *s); /* for expr_eval */
} scope_t;

/* Computes the value of a constant expression. Returns 0, or -1 and a message in err. */
int expr_constant(const expr_t *e, const scope_t *s, uint64_t *value, mrpb_err_t *err);
/* Whether it is a constant without a size from a literal. Such a constant has as many bits as its
 * value needs. */
bool expr_unsized(const expr_t *e, const scope_t *s, uint64_t *value);
/* The fewest bits that hold a value: 1 to 64. */
unsigned expr_bits(uint64_t value);
/* Computes the width of an expression's value; an operator on constants alone gets at least as many
 * bits as its value needs. Looks up every name and part. Returns 0, or -1 and a message in err. */
int expr_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err);
/* Whether a path in the expression begins with `name`. */
bool expr_names(const expr_t *e, const char *name);
/* Prints the expression as Verilog. Call it only after expr_width has accepted the expression. */
void expr_print(const expr_t *e, const scope_t *s, FILE *f);
/* Evaluates the expression now. Call it only after expr_width has accepted the expression and found
 * at most 64 bits in every part of it. */
uint64_t expr_eval(const expr_t *e, const scope_t *s);

/* Writes a path as the user wrote it. */
void expr_path_text(const step_t *path, const scope_t *s, char *text, size_t size);

#endif
