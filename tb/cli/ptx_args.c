/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a user's kernel: see ptx_args.h. */
#include "cli/ptx_args.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char legal[] = "legal: NUMBER, i8: to i64:, u8: to u64:, f32:, f64:NUMBER, buf:BYTES, "
                            "buf:BYTES:rand[:SEED], buf:BYTES:iota, buf:@FILE, hex:DIGITS";

typedef struct {
  launch_program_t *program;
  simt_launch_t *launch;
  unsigned i;
  const char *text;
  mrpb_err_t *err;
} arg_t;

static const ptx_param_t *param(const arg_t *a) {
  return &a->launch->kernel->params[a->i];
}

static int refuse(const arg_t *a, const char *why) {
  const ptx_param_t *p = param(a);
  return mrpb_fail(a->err, "--arg %s: argument %u, .param .%s %s: %s", a->text, a->i,
                   ptx_type_name(p->type), p->name, why);
}

/* ---- numbers --------------------------------------------------------------- */

typedef enum { CLASS_ANY, CLASS_SIGNED, CLASS_UNSIGNED, CLASS_REAL } class_t;

static class_t class_of(ptx_type_t t) {
  if (t == PTX_F32 || t == PTX_F64) return CLASS_REAL;
  if (t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64) return CLASS_SIGNED;
  return t == PTX_U8 || t == PTX_U16 || t == PTX_U32 || t == PTX_U64 ? CLASS_UNSIGNED : CLASS_ANY;
}

static int real(const arg_t *a, const char *v, unsigned bytes) {
  char *end = NULL;
  uint64_t bits = 0;
  double d = strtod(v, &end);
  float f = strtof(v, NULL);
  if (end == v || *end) return refuse(a, "not a number");
  if (bytes == 4)
    memcpy(&bits, &f, 4);
  else
    memcpy(&bits, &d, 8);
  simt_param(a->launch, a->i, bits);
  return 0;
}

/* Reads a decimal or 0x number that fits into `bytes` bytes as a signed one, an unsigned one, or
 * either. */
static int integer(const arg_t *a, const char *v, unsigned bytes, class_t c) {
  unsigned bits = 8 * bytes;
  bool minus = v[0] == '-';
  char *end = NULL;
  errno = 0;
  uint64_t m = v[minus] >= '0' && v[minus] <= '9' ? strtoull(v + minus, &end, 0) : 0;
  if (!end || *end) return refuse(a, "not an integer");
  uint64_t most = c == CLASS_SIGNED ? UINT64_MAX >> (65 - bits) : UINT64_MAX >> (64 - bits);
  uint64_t least = c == CLASS_UNSIGNED ? 0 : UINT64_C(1) << (bits - 1);
  if (errno == ERANGE || m > (minus ? least : most)) {
    char why[80];
    snprintf(why, sizeof why, "legal: %s%" PRIu64 " to %" PRIu64, least ? "-" : "", least, most);
    return refuse(a, why);
  }
  simt_param(a->launch, a->i, minus ? 0 - m : m);
  return 0;
}

/* Reads "i32" and the like: returns its bytes and gives its class; 0 bytes if it is none. */
static unsigned kind(const char *text, size_t n, class_t *c) {
  static const struct {
    const char *name;
    unsigned bytes;
  } sizes[] = {{"8", 1}, {"16", 2}, {"32", 4}, {"64", 8}};
  *c = text[0] == 'f' ? CLASS_REAL : text[0] == 'u' ? CLASS_UNSIGNED : CLASS_SIGNED;
  if (n < 2 || !strchr("isuf", text[0])) return 0;
  for (unsigned i = *c == CLASS_REAL ? 2 : 0; i < 4; i++)
    if (strlen(sizes[i].name) == n - 1 && strncmp(sizes[i].name, text + 1, n - 1) == 0)
      return sizes[i].bytes;
  return 0;
}

static int number(const arg_t *a) {
  const ptx_param_t *p = param(a);
  const char *v = a->text, *colon = strchr(v, ':');
  class_t declared = class_of(p->type);
  class_t c = declared == CLASS_REAL ? CLASS_REAL : CLASS_ANY; /* compilers declare int as .u32 */
  if (p->bytes > 8 || p->type == PTX_PRED)
    return refuse(a, "a structure or an array; legal: hex: and two digits for each byte");
  if (colon) {
    unsigned bytes = kind(v, (size_t)(colon - v), &c);
    if (bytes == 0) return refuse(a, legal);
    bool fits = declared == CLASS_ANY || (declared == CLASS_REAL) == (c == CLASS_REAL);
    if (bytes != p->bytes || !fits) return refuse(a, "the kind does not match the parameter");
    v = colon + 1;
  }
  bool is_real = c == CLASS_REAL || (!colon && declared == CLASS_ANY && strpbrk(v, ".eE") &&
                                     v[1] != 'x' && p->bytes >= 4);
  return is_real ? real(a, v, p->bytes) : integer(a, v, p->bytes, c);
}

/* Reads the bytes of a parameter as they lie in it, for a structure passed by value. */
static int bytes(const arg_t *a) {
  const ptx_param_t *p = param(a);
  const char *v = a->text + 4;
  if (strlen(v) != 2 * (size_t)p->bytes || strspn(v, "0123456789abcdefABCDEF") != strlen(v)) {
    char why[80];
    snprintf(why, sizeof why, "legal: %" PRIu32 " hexadecimal digits, two for each byte",
             2 * p->bytes);
    return refuse(a, why);
  }
  for (uint32_t i = 0; i < p->bytes; i++) {
    const char digits[3] = {v[2 * i], v[2 * i + 1], '\0'};
    a->launch->params[p->offset + i] = (uint8_t)strtoul(digits, NULL, 16);
  }
  return 0;
}

/* ---- buffers --------------------------------------------------------------- */

static int allocate(const arg_t *a, uint64_t bytes, launch_contents_t contents, uint64_t seed,
                    const char *file, uint64_t align) {
  mrpb_err_t why = {{0}};
  const int b = launch_add_buffer(a->program, bytes, contents, seed, file, align, &why);
  if (b < 0) return refuse(a, why.text);
  simt_param(a->launch, a->i, launch_address(a->program, b));
  return b;
}

static int buffer(const arg_t *a, uint64_t align) {
  const char *v = a->text + 4;
  char *end = NULL;
  const ptx_param_t *p = param(a);
  const bool short_enough = p->bytes == 4 && a->launch->kernel->narrow;
  if ((p->bytes != 8 && !short_enough) || class_of(p->type) == CLASS_REAL)
    return refuse(a,
                  "a buffer needs a parameter of 8 bytes, or of 4 in a text of .address_size 32");
  if (v[0] == '@') return allocate(a, 0, LAUNCH_FILE, 0, v + 1, align);
  errno = 0;
  uint64_t bytes = v[0] >= '0' && v[0] <= '9' ? strtoull(v, &end, 0) : 0, seed = 1;
  if (!end || errno == ERANGE || (*end && *end != ':')) return refuse(a, legal);
  const char *fill = *end ? end + 1 : "";
  bool is_random = strncmp(fill, "rand", 4) == 0 && (fill[4] == '\0' || fill[4] == ':');
  if (is_random && fill[4] == ':') {
    if (fill[5] < '0' || fill[5] > '9') return refuse(a, legal);
    seed = strtoull(fill + 5, &end, 0);
    if (*end) return refuse(a, legal);
  }
  if (*fill && !is_random && strcmp(fill, "iota") != 0) return refuse(a, legal);
  const launch_contents_t contents = is_random      ? LAUNCH_RANDOM
                                     : *fill == 'i' ? LAUNCH_COUNT
                                                    : LAUNCH_ZEROS;
  return allocate(a, bytes, contents, seed, NULL, align);
}

int ptx_argument(launch_program_t *p, simt_launch_t *l, unsigned i, const char *text,
                 uint64_t align, mrpb_err_t *err) {
  const arg_t a = {p, l, i, text, err};
  if (strncmp(text, "hex:", 4) == 0) return bytes(&a);
  return strncmp(text, "buf:", 4) == 0 ? buffer(&a, align) : number(&a);
}

int ptx_dimensions(const char *option, const char *text, uint32_t most, uint32_t d[3],
                   mrpb_err_t *err) {
  const char *at = text;
  unsigned n = 0;
  d[0] = d[1] = d[2] = 1;
  for (; n < 3; n++) {
    char *end = NULL;
    errno = 0;
    unsigned long long v = *at >= '0' && *at <= '9' ? strtoull(at, &end, 10) : 0;
    if (!end || errno == ERANGE || v < 1 || v > most || (*end && *end != ',')) break;
    d[n] = (uint32_t)v;
    if (*end == '\0') return 0;
    at = end + 1;
  }
  return mrpb_fail(err, "%s %s: legal: X[,Y[,Z]], each 1 to %" PRIu32, option, text, most);
}
