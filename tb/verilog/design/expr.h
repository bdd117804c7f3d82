/* SPDX-License-Identifier: Apache-2.0 */
/* Expressions of a map: Verilog's, over names that a scope knows. docs/verify/door.md */
#ifndef DESIGN_EXPR_H
#define DESIGN_EXPR_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { EXPR_NAME_SIZE = 128, EXPR_DEEP = 64, EXPR_WIDEST = 4096 };

typedef struct expr expr_t;

/* u_table.ent_q[i].busy: names, elements and parts, one behind the other. */
typedef enum { STEP_NAME, STEP_INDEX, STEP_RANGE } step_kind_t;
typedef struct step {
  step_kind_t kind;
  char name[EXPR_NAME_SIZE];
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
  uint64_t value;          /* of a number */
  unsigned width;          /* of a number that has one; 0: as wide as it must be */
  const expr_t *a, *b, *c; /* operands; of a concatenation: its first, which leads to the `next` */
  const expr_t *next;
  const step_t *path;
};

/* Owns what was parsed. */
typedef struct expr_pool expr_pool_t;
expr_pool_t *expr_pool_open(void);
void expr_pool_close(expr_pool_t *pool);

/* Reads from *text as far as an expression (a path) goes, and the blanks behind it. NULL and a message:
 * what stands where something else is legal. */
const expr_t *expr_parse(expr_pool_t *pool, const char **text, mrpb_err_t *err);
const step_t *expr_parse_path(expr_pool_t *pool, const char **text, mrpb_err_t *err);

/* A signal that a path is: bits lsb .. lsb + width - 1 of `name`. */
typedef struct {
  char name[EXPR_NAME_SIZE];
  unsigned lsb, width, whole; /* whole: bits of all of `name` */
} signal_t;

/* What names mean. `constant` is asked first; a scope of constants has no `signal`. */
typedef struct {
  void *ctx;
  bool (*constant)(void *ctx, const char *name, uint64_t *value);
  int (*signal)(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err);
  uint64_t (*value)(void *ctx, const signal_t *s); /* for expr_eval */
} scope_t;

/* The value of an expression of constants. 0, or -1 and a message. */
int expr_constant(const expr_t *e, const scope_t *s, uint64_t *value, mrpb_err_t *err);
/* Whether it is a constant that no literal gives a size: as many bits as its value needs. */
bool expr_unsized(const expr_t *e, const scope_t *s, uint64_t *value);
/* The least bits that hold a value: 1 to 64. */
unsigned expr_bits(uint64_t value);
/* Bits of its value; of operators on constants alone, no fewer than hold it. Every name and part of it is looked up. 0, or -1 and a message. */
int expr_width(const expr_t *e, const scope_t *s, unsigned *width, mrpb_err_t *err);
/* Whether a path in it begins with `name`. */
bool expr_names(const expr_t *e, const char *name);
/* As Verilog; expr_width has accepted it. */
void expr_print(const expr_t *e, const scope_t *s, FILE *f);
/* Its value now; expr_width has accepted it, and found at most 64 bits in every part of it. */
uint64_t expr_eval(const expr_t *e, const scope_t *s);

/* A path as the user wrote it. */
void expr_path_text(const step_t *path, const scope_t *s, char *text, size_t size);

#endif
