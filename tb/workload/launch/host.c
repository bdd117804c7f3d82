/* SPDX-License-Identifier: Apache-2.0 */
/* The host of a launch file: executes its statements in turn, up to the next launch. See
 * launch_state.h. */
#include "workload/launch/launch_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef int (*do_fn)(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err);

static int fail(const launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err,
                const char *what) {
  return mrpb_fail(err, "%s:%" PRIu32 ": %s", p->name, s->line, what);
}

/* ---- symbols with elements ----------------------------------------------------------------------- */

static int do_let(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  launch_value_t v;
  if (launch_eval(p, s->expr[0], &v, err) != 0) return -1;
  if (!p->symbols[s->symbol].fixed) p->symbols[s->symbol].value = v;
  return 0;
}

/* The number of elements; if none is given, that of the values. */
static int number(launch_program_t *p, const launch_statement_t *s, uint64_t *count,
                  mrpb_err_t *err) {
  const launch_symbol_t *of = &p->symbols[s->symbol];
  int64_t n = 0;
  launch_from_t f;
  if (s->expr[0]) {
    const int64_t most = MEMORY_CAPACITY / launch_type_bytes(of->type);
    if (launch_eval_integer(p, s->expr[0], "number of elements", 1, most, &n, err) != 0) return -1;
    *count = (uint64_t)n;
    return 0;
  }
  const int rc = launch_from_open(&f, p, &s->values, of->name, of->type, UINT64_MAX, s->line, err);
  *count = f.count;
  launch_from_close(&f);
  return rc;
}

static int do_buffer(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  launch_symbol_t *of = &p->symbols[s->symbol];
  mrpb_err_t why = {{0}};
  if (number(p, s, &of->count, err) != 0) return -1;
  const uint64_t bytes = of->count * launch_type_bytes(of->type);
  if (of->texture) memory_align(p->memory, MEMORY_TEXTURE);
  of->addr = memory_array(p->memory, of->name, bytes, &why);
  if (!of->addr) return fail(p, s, err, why.text);
  of->at = memory_at(p->memory, of->addr, bytes);
  return s->values.by == LAUNCH_BY_NOTHING ? 0 : launch_fill(p, &s->values, of, s->line, err);
}

static int do_array(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  launch_symbol_t *of = &p->symbols[s->symbol];
  char why[100];
  if (number(p, s, &of->count, err) != 0) return -1;
  const uint64_t bytes = of->count * launch_type_bytes(of->type);
  if (bytes > LAUNCH_MOST_BYTES - p->host_bytes) {
    snprintf(why, sizeof why, "%" PRIu64 " bytes of an array; legal: the %" PRIu64 " left", bytes,
             LAUNCH_MOST_BYTES - p->host_bytes);
    return fail(p, s, err, why);
  }
  of->at = calloc(of->count, launch_type_bytes(of->type));
  if (!of->at) return fail(p, s, err, "out of memory");
  p->host_bytes += bytes;
  return s->values.by == LAUNCH_BY_NOTHING ? 0 : launch_fill(p, &s->values, of, s->line, err);
}

/* Called after the workload is created, so that the text's variables have their addresses. */
static int do_variable(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  launch_symbol_t *of = &p->symbols[s->symbol];
  const ptx_variable_t *v = ptx_variable(p->module, s->other);
  of->count = v->bytes / launch_type_bytes(of->type);
  of->addr = v->space == PTX_CONST ? 0 : v->address;
  of->at = v->space == PTX_CONST ? memory_const(p->memory) + v->address
                                 : (uint8_t *)memory_at(p->memory, v->address, v->bytes);
  return of->at ? 0 : fail(p, s, err, "a variable without an address");
}

static int do_texture(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  (void)err;
  ptx_bind(p->module, s->other, p->symbols[s->symbol].addr);
  return 0;
}

static int do_fill(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  return launch_fill(p, &s->values, &p->symbols[s->symbol], s->line, err);
}

static int do_copy(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  const launch_symbol_t *from = &p->symbols[s->symbol], *to = &p->symbols[s->other];
  const unsigned bytes = launch_type_bytes(from->type);
  int64_t a = 0, b = 0;
  if (launch_eval_integer(p, s->expr[0], "element", 0, (int64_t)from->count, &a, err) != 0 ||
      launch_eval_integer(p, s->expr[1], "element", 0, (int64_t)to->count, &b, err) != 0)
    return -1;
  const int64_t has = (int64_t)from->count - a, room = (int64_t)to->count - b;
  int64_t n = has;
  if (launch_eval_integer(p, s->expr[2], "count", 0, has < room ? has : room, &n, err) != 0)
    return -1;
  if (n > room) {
    char why[2 * LAUNCH_WORD + 100];
    snprintf(why, sizeof why,
             "copy of %" PRId64 " elements to the %" PRId64 " of %s; legal: fewer, by count N", n,
             room, to->name);
    return fail(p, s, err, why);
  }
  p->steps += (uint64_t)n;
  memmove(to->at + (uint64_t)b * bytes, from->at + (uint64_t)a * bytes, (size_t)n * bytes);
  return 0;
}

static int do_write(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  const launch_symbol_t *of = &p->symbols[s->symbol];
  launch_file_t *f = &p->files[s->other];
  const uint64_t bytes = of->count * launch_type_bytes(of->type);
  f->count = of->count;
  f->bytes = malloc(bytes);
  if (!f->bytes) return fail(p, s, err, "out of memory");
  memcpy(f->bytes, of->at, bytes);
  return 0;
}

/* ---- launches ------------------------------------------------------------------------------------ */

static int address(const launch_program_t *p, const launch_statement_t *s,
                   const launch_piece_t *piece, int64_t element, launch_value_t *v,
                   mrpb_err_t *err) {
  const launch_symbol_t *of = &p->symbols[piece->symbol];
  const uint64_t off = (uint64_t)element * launch_type_bytes(of->type);
  if (!of->addr) return fail(p, s, err, "a .const variable has no address for a kernel");
  *v = launch_integer((int64_t)(of->addr + off));
  return 0;
}

static int fill_piece(launch_program_t *p, const launch_statement_t *s, const launch_piece_t *piece,
                      mrpb_err_t *err) {
  launch_value_t v = launch_integer(0);
  launch_type_t type = piece->type;
  int64_t element = 0;
  char legal[64], shown[40], why[200];
  if (piece->pointer) {
    const int64_t most = (int64_t)p->symbols[piece->symbol].count;
    if (launch_eval_integer(p, piece->expr, "element", 0, most, &element, err) != 0 ||
        address(p, s, piece, element, &v, err) != 0)
      return -1;
  } else if (launch_eval(p, piece->expr, &v, err) != 0) {
    return -1;
  }
  if (piece->any && v.real) type = launch_type_bytes(type) == 4 ? LAUNCH_TYPE_f32 : LAUNCH_TYPE_f64;
  if (launch_store(type, p->launch.params + piece->offset, v, piece->either)) return 0;
  launch_type_legal(type, piece->either, legal, sizeof legal);
  launch_print(LAUNCH_TYPE_f64, v, shown, sizeof shown);
  snprintf(why, sizeof why, "argument %s; legal: %s", shown, legal);
  return fail(p, s, err, why);
}

static int do_launch(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  simt_launch_t *l = &p->launch;
  int64_t shared = 0, regs = LAUNCH_REGS, threads = 1;
  *l = (simt_launch_t){.kernel = s->kernel};
  for (unsigned d = 0; d < 3; d++) {
    int64_t grid = 1, block = 1;
    if (launch_eval_integer(p, s->expr[d], "grid", 1, LAUNCH_MOST_GRID, &grid, err) != 0 ||
        launch_eval_integer(p, s->expr[3 + d], "block", 1, LAUNCH_MOST_BLOCK, &block, err) != 0)
      return -1;
    l->grid[d] = (uint32_t)grid;
    l->block[d] = (uint32_t)block;
    threads *= block;
  }
  if (threads > LAUNCH_MOST_BLOCK) return fail(p, s, err, "block: legal: up to 1024 threads");
  const int64_t most = SIMT_MAX_SHARED - (int64_t)s->kernel->shared_bytes;
  if (launch_eval_integer(p, s->expr[6], "shared", 0, most < 0 ? 0 : most, &shared, err) != 0 ||
      launch_eval_integer(p, s->expr[7], "regs", 1, LAUNCH_MOST_REGS, &regs, err) != 0)
    return -1;
  l->shared = (uint32_t)shared;
  l->regs = (uint32_t)regs;
  for (uint32_t i = 0; i < s->n; i++)
    if (fill_piece(p, s, &p->pieces[s->first + i], err) != 0) return -1;
  p->ready = true;
  return 0;
}

/* ---- repeats ------------------------------------------------------------------------------------- */

static void begin_turn(launch_program_t *p, const launch_loop_t *l) {
  const launch_statement_t *s = &p->statements[l->at];
  if (s->symbol) p->symbols[s->symbol].value = launch_integer(l->done);
  p->at = l->at + 1;
}

static int do_repeat(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  launch_loop_t *l = &p->loop[p->loops];
  *l = (launch_loop_t){.at = p->at - 1};
  if (launch_eval_integer(p, s->expr[0], "repeat", 0, INT32_MAX, &l->times, err) != 0) return -1;
  if (l->times == 0) return p->at = s->jump + 1, 0;
  p->loops++;
  begin_turn(p, l);
  return 0;
}

static int do_end(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  (void)s;
  (void)err;
  launch_loop_t *l = &p->loop[p->loops - 1];
  if (++l->done < l->times)
    begin_turn(p, l);
  else
    p->loops--;
  return 0;
}

static int do_stop(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  launch_value_t v;
  if (launch_eval(p, s->expr[0], &v, err) != 0) return -1;
  if (!launch_true(v)) return 0;
  p->loops--;
  p->at = p->statements[s->jump].jump + 1;
  return 0;
}

/* ---- the host ------------------------------------------------------------------------------------ */

static int do_ptx(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  (void)p;
  (void)s;
  (void)err;
  return 0; /* the text has already been read */
}

static int do_loose(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  return do_ptx(p, s, err);
}

static int do_compare(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  return launch_compare(p, s, err);
}

/* 0; WORKLOAD_FAILED or WORKLOAD_DIFFERS and a message. */
static int do_statement(launch_program_t *p, mrpb_err_t *err) {
  static const do_fn todo[LAUNCH_OPS] = {
      NULL,
#define STATEMENT(word, rest, doc) do_##word,
#include "workload/launch/launch.def"
  };
  const launch_statement_t *s = &p->statements[p->at++];
  if (launch_step(p, s->line, err) != 0) return WORKLOAD_FAILED;
  const int rc = todo[s->op](p, s, err);
  return rc == 0 || s->op == LAUNCH_OP_compare ? rc : WORKLOAD_FAILED;
}

int launch_go_on(launch_program_t *p, mrpb_err_t *err) {
  p->steps = 0;
  p->ready = false;
  while (p->at < p->n_statements) {
    const launch_op_t op = p->statements[p->at].op;
    if (!p->workload && (op == LAUNCH_OP_launch || op == LAUNCH_OP_variable)) return 1;
    const int rc = do_statement(p, err);
    if (rc != 0) return rc;
    if (p->ready) return 1;
  }
  return 0;
}
