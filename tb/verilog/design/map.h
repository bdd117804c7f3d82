/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a map as statements. The meaning of its names is in verilog/design/bind.h.
 * docs/verify/door.md */
#ifndef DESIGN_MAP_H
#define DESIGN_MAP_H

#include "verilog/design/expr.h"

#include <stdbool.h>

enum { MAP_NAME = EXPR_NAME_SIZE, MAP_SAID = 1024, MAP_MOST = 1024, MAP_LATEST = 16 };

typedef enum {
  MAP_MODULE,
  MAP_TOP,
  MAP_PARAM,
  MAP_CLOCK,
  MAP_RESET,
  MAP_IN,
  MAP_OUT,
  MAP_LATE,
  MAP_WHEN,
  MAP_ASSUME,
  MAP_NONE,
  MAP_REG,
  MAP_SHOW,
  MAP_AFTER,
  /* of streams, docs/verify/streams.md */
  MAP_STREAM,
  MAP_SERVE,
  MAP_KIND,
  /* in maps of the contract, docs/conform/README.md */
  MAP_SIZE,
  MAP_STATE,
  MAP_HOLD,
  MAP_OFF
} map_kind_t;

/* Latencies of a stream that are no bound. */
enum { MAP_LATENCY_MOST = 1000000, MAP_LATENCY_FREE, MAP_LATENCY_MEASURED };

/* A list of names becomes one statement for each name. */
typedef struct {
  map_kind_t kind;
  unsigned line;
  char name
      [MAP_NAME];   /* module top param size clock reset late when after none hold off stream serve:
                     the one it names */
  const step_t *to; /* in out reg state serve: left of the = */
  const expr_t
      *from; /* param size in out state serve: right of it; when after: before the :; assume */
  const step_t *path; /* reg: right of the =, after `inverted`; show */
  bool inverted;
  char said[MAP_SAID];  /* the text of `from`, for reports */
  char words[MAP_NAME]; /* the comment after the statement */
  bool high, async;     /* reset */
  unsigned late;
  const expr_t *valid, *ready, *payload, *tag; /* stream; serve: valid is its condition */
  char of[MAP_NAME];                           /* stream: the one that it answers, or "" */
  unsigned long latency;                       /* stream */
} map_statement_t;

typedef struct {
  char file[1024]; /* for messages */
  expr_pool_t *pool;
  map_statement_t *statement;
  unsigned n;
} map_t;

/* The number of lines with a statement. */
unsigned map_lines(const map_t *m);

/* Reads `path`; NULL gives a map without statements. map_free frees it, also after a failure.
 * Returns 0, or -1 and a message in err: "FILE:LINE: what is wrong; what is legal". */
int map_read(map_t *m, const char *path, mrpb_err_t *err);
void map_free(map_t *m);

/* Finds the statement of a kind that may occur only once; NULL if there is none. */
const map_statement_t *map_one(const map_t *m, map_kind_t kind);
/* Writes "FILE:LINE: " and the message to err. Returns -1. */
int map_fail(const map_t *m, const map_statement_t *s, mrpb_err_t *err, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
