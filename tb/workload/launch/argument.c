/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a launch as pieces of its parameter block: see launch_state.h. */
#include "workload/launch/launch_state.h"

#include <inttypes.h>
#include <string.h>

/* The type of a parameter for which the launch file gives no type; LAUNCH_TYPES: it needs
 * braces. */
static launch_type_t type_of(const ptx_param_t *p, launch_piece_t *piece) {
  static const launch_type_t integer[] = {
      [1] = LAUNCH_TYPE_i8, [2] = LAUNCH_TYPE_i16, [4] = LAUNCH_TYPE_i32, [8] = LAUNCH_TYPE_i64};
  const unsigned bytes = ptx_type_bytes(p->type);
  if (bytes != p->bytes || p->type == PTX_PRED || bytes > 8) return LAUNCH_TYPES;
  if (p->type == PTX_F32) return LAUNCH_TYPE_f32;
  if (p->type == PTX_F64) return LAUNCH_TYPE_f64;
  piece->either = true; /* compilers declare an int as .u32 */
  piece->any = p->type == PTX_B32 || p->type == PTX_B64;
  return integer[bytes];
}

/* "&NAME", "&NAME[EXPR]", or "NAME" of a buffer: an address. Returns 1 if it is not one. */
static int pointer(launch_reader_t *r, launch_piece_t *piece) {
  const bool given = launch_take_sign(r, '&');
  const uint32_t s = r->token.kind == LAUNCH_IDENTIFIER ? launch_find(r->p, r->token.text) : 0;
  const bool holds = s && r->p->symbols[s].kind != LAUNCH_VALUE;
  if (!given && (!holds || r->at[strspn(r->at, " \t")] == '[')) return 1;
  if (holds && r->p->symbols[s].kind == LAUNCH_ON_HOST)
    return mrpb_fail(r->err, "%s: an array of the host; legal: a buffer", r->p->symbols[s].name);
  piece->symbol = launch_name_elements(r);
  piece->pointer = true;
  if (!piece->symbol) return -1;
  if (!given || !launch_take_sign(r, '[')) return 0;
  piece->expr = launch_expr(r);
  return piece->expr ? launch_need_sign(r, ']', "']'") : -1;
}

/* [TYPE] VALUE; *typed: a type is given. */
static int read_piece(launch_reader_t *r, launch_piece_t *piece, bool *typed) {
  const launch_type_t t =
      r->token.kind == LAUNCH_IDENTIFIER ? launch_type_of(r->token.text) : LAUNCH_TYPES;
  const char next = r->at[strspn(r->at, " \t")];
  *typed = t < LAUNCH_TYPES && next != '('; /* f32(X) is a value */
  if (*typed) {
    piece->type = t;
    launch_next(r);
  }
  const int is_pointer = pointer(r, piece);
  if (is_pointer <= 0) return is_pointer;
  piece->expr = launch_expr(r);
  return piece->expr ? 0 : -1;
}

static int add(launch_reader_t *r, launch_statement_t *s, const launch_piece_t *piece) {
  launch_piece_t *to = LAUNCH_PUSH(r->p, pieces, r->err);
  if (!to) return -1;
  *to = *piece;
  s->n++;
  return 0;
}

/* A pointer needs 8 bytes, or 4 in a text with 32-bit addresses, whatever type is given. */
static int check_pointer(launch_reader_t *r, const ptx_kernel_t *k, const launch_piece_t *piece,
                         uint32_t bytes) {
  const bool wide = bytes == 8 || (bytes == 4 && k->narrow);
  if (!piece->pointer || (wide && !launch_type_real(piece->type))) return 0;
  return mrpb_fail(r->err, "%s: a buffer; legal: where 8 bytes of an integer are expected",
                   r->p->symbols[piece->symbol].name);
}

/* Called behind '{': reads members at their natural alignment, which must add up to the parameter's
 * size. */
static int structure(launch_reader_t *r, launch_statement_t *s, const ptx_param_t *p) {
  uint32_t at = 0, align = 1;
  do {
    launch_piece_t piece = {.type = LAUNCH_TYPE_i64};
    bool typed;
    if (read_piece(r, &piece, &typed) != 0) return -1;
    if (!typed && !piece.pointer)
      return mrpb_fail(
          r->err, "%s: a member without a type; legal in braces: TYPE VALUE, or a buffer", p->name);
    const uint32_t bytes = launch_type_bytes(piece.type);
    if (check_pointer(r, s->kernel, &piece, bytes) != 0) return -1;
    at = (at + bytes - 1) / bytes * bytes;
    if (bytes > align) align = bytes;
    piece.offset = p->offset + at;
    at += bytes;
    if (at > p->bytes) break;
    if (add(r, s, &piece) != 0) return -1;
  } while (launch_take_sign(r, ','));
  at = (at + align - 1) / align * align;
  if (at != p->bytes)
    return mrpb_fail(r->err, "%s: %s%" PRIu32 " bytes; legal: the %" PRIu32 " of the parameter",
                     p->name, at > p->bytes ? "at least " : "", at, p->bytes);
  return launch_need_sign(r, '}', "',' or '}'");
}

static int check_type(launch_reader_t *r, const ptx_kernel_t *k, const ptx_param_t *p,
                      const launch_piece_t *piece, bool typed) {
  const bool real = p->type == PTX_F32 || p->type == PTX_F64;
  const bool integer = p->type >= PTX_U8 && p->type <= PTX_S64;
  if (!typed) return check_pointer(r, k, piece, p->bytes);
  const unsigned bytes = launch_type_bytes(piece->type);
  const bool is_real = launch_type_real(piece->type);
  if (bytes != p->bytes || (real && !is_real) || (integer && is_real))
    return mrpb_fail(r->err, "%s: %s; legal: a type of .%s, %" PRIu32 " bytes", p->name,
                     launch_type_name(piece->type), ptx_type_name(p->type), p->bytes);
  return check_pointer(r, k, piece, bytes);
}

static int read_argument(launch_reader_t *r, launch_statement_t *s, const ptx_param_t *p) {
  launch_piece_t piece = {.offset = p->offset};
  bool typed = false;
  if (p->offset + p->bytes > SIMT_MAX_PARAM_BYTES)
    return mrpb_fail(r->err, "%s: ends at byte %" PRIu32 "; legal: %d bytes of parameters", p->name,
                     p->offset + p->bytes, SIMT_MAX_PARAM_BYTES);
  if (launch_take_sign(r, '{')) return structure(r, s, p);
  piece.type = type_of(p, &piece);
  if (piece.type == LAUNCH_TYPES)
    return mrpb_fail(r->err, "%s: %" PRIu32 " bytes; legal: {TYPE VALUE, ...}", p->name, p->bytes);
  if (read_piece(r, &piece, &typed) != 0 || check_type(r, s->kernel, p, &piece, typed) != 0)
    return -1;
  if (typed) piece.any = piece.either = false;
  return add(r, s, &piece);
}

int launch_read_arguments(launch_reader_t *r, launch_statement_t *s) {
  const ptx_kernel_t *k = s->kernel;
  unsigned i = 0;
  if (launch_need_sign(r, '(', "'('") != 0) return -1;
  s->first = (uint32_t)r->p->n_pieces;
  if (!launch_is_sign(r, ')')) do {
      if (i == k->n_params)
        return mrpb_fail(r->err, "%.60s has %u parameters; more arguments are given", k->name,
                         k->n_params);
      if (read_argument(r, s, &k->params[i++]) != 0) return -1;
    } while (launch_take_sign(r, ','));
  if (i < k->n_params && launch_is_sign(r, ')'))
    return mrpb_fail(r->err, "%.60s has %u parameters; %u arguments are given", k->name,
                     k->n_params, i);
  return launch_need_sign(r, ')', "',' or ')'");
}
