/* SPDX-License-Identifier: Apache-2.0 */
/* The statements of a map about streams: docs/verify/streams.md. */
#ifndef DESIGN_MAP_STREAM_H
#define DESIGN_MAP_STREAM_H

#include "verilog/design/map.h"

/* Read what follows the word `stream`; `serve` or `kind`. Return 0, or -1 and a message in err. */
int map_stream(expr_pool_t *pool, map_statement_t *s, const char **at, mrpb_err_t *err);
int map_serve(expr_pool_t *pool, map_statement_t *s, const char **at, mrpb_err_t *err);
/* Reads the next PORT = EXPR of a `serve`. Returns 1, 0 if there is none, or -1 and a message. */
int map_serve_port(expr_pool_t *pool, map_statement_t *s, const char **at, mrpb_err_t *err);

#endif
