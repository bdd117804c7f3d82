/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of buffers, and numbers of the host: see launch_state.h. */
#include "workload/launch/launch_state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef enum { SIGNED, UNSIGNED, REAL } class_t;

static const struct {
  const char *name;
  unsigned bytes;
  class_t class;
} types[LAUNCH_TYPES] = {
#define TYPE(name, bytes, class) {#name, bytes, class},
#include "workload/launch/launch.def"
};

launch_value_t launch_integer(int64_t i) {
  return (launch_value_t){.i = i};
}

launch_value_t launch_real(double d) {
  return (launch_value_t){.real = true, .d = d};
}

double launch_as_real(launch_value_t v) {
  return v.real ? v.d : (double)v.i;
}

bool launch_true(launch_value_t v) {
  return v.real ? v.d != 0 : v.i != 0;
}

launch_type_t launch_type_of(const char *name) {
  unsigned t = 0;
  while (t < LAUNCH_TYPES && strcmp(types[t].name, name) != 0) t++;
  return (launch_type_t)t;
}

const char *launch_type_name(launch_type_t t) {
  return types[t].name;
}

unsigned launch_type_bytes(launch_type_t t) {
  return types[t].bytes;
}

bool launch_type_real(launch_type_t t) {
  return types[t].class == REAL;
}

const char *launch_type_row(unsigned i) {
  return i < LAUNCH_TYPES ? types[i].name : NULL;
}

/* ---- 16-bit floating point ---------------------------------------------------------------------- */

typedef struct {
  int bits, least,
      most; /* bits of the significand, with the leading one; least and largest normal exponent */
} format_t;

static format_t format_of(launch_type_t t) {
  return t == LAUNCH_TYPE_f16 ? (format_t){11, -14, 15} : (format_t){8, -126, 127};
}

static double round_short(format_t f, double d) {
  if (d == 0 || !isfinite(d)) return d;
  int e = ilogb(d);
  if (e < f.least) e = f.least;
  const double step = ldexp(1, e - f.bits + 1), r = nearbyint(d / step) * step;
  return fabs(r) >= ldexp(1, f.most + 1) ? copysign(INFINITY, d) : r;
}

static uint16_t encode(format_t f, double d) {
  const uint16_t sign = signbit(d) ? 0x8000 : 0;
  const int shift = f.bits - 1;
  const double r = fabs(round_short(f, d));
  const uint16_t all = (uint16_t)((f.most + 1 - f.least + 1) << shift);
  if (isnan(d)) return 0x7fff;
  if (isinf(r)) return sign | all;
  if (r < ldexp(1, f.least)) return sign | (uint16_t)ldexp(r, shift - f.least);
  const int e = ilogb(r);
  const uint16_t fraction = (uint16_t)(ldexp(r, shift - e) - ldexp(1, shift));
  return (uint16_t)(sign | (e - f.least + 1) << shift | fraction);
}

static double decode(format_t f, uint16_t bits) {
  const int shift = f.bits - 1, e = (bits & 0x7fff) >> shift, fraction = bits & ((1 << shift) - 1);
  double d = e ? ldexp((1 << shift) + fraction, f.least + e - 1 - shift)
               : ldexp(fraction, f.least - shift);
  if (e == f.most + 1 - f.least + 1) d = fraction ? (double)NAN : (double)INFINITY;
  return bits & 0x8000 ? -d : d;
}

double launch_round(launch_type_t t, double d) {
  if (t == LAUNCH_TYPE_f64) return d;
  return t == LAUNCH_TYPE_f32 ? (double)(float)d : round_short(format_of(t), d);
}

/* ---- in memory ---------------------------------------------------------------------------------- */

launch_value_t launch_load(launch_type_t t, const void *from) {
  uint64_t bits = 0;
  float f;
  double d;
  memcpy(&bits, from, types[t].bytes);
  if (t == LAUNCH_TYPE_f32) return memcpy(&f, from, 4), launch_real((double)f);
  if (t == LAUNCH_TYPE_f64) return memcpy(&d, from, 8), launch_real(d);
  if (types[t].class == REAL) return launch_real(decode(format_of(t), (uint16_t)bits));
  const unsigned above = 64 - 8 * types[t].bytes;
  if (types[t].class == UNSIGNED) return launch_integer((int64_t)bits);
  return launch_integer((int64_t)(bits << above) >> above);
}

static void store_real(launch_type_t t, void *to, double d) {
  const float f = (float)d;
  uint16_t bits;
  if (t == LAUNCH_TYPE_f64) {
    memcpy(to, &d, 8);
  } else if (t == LAUNCH_TYPE_f32) {
    memcpy(to, &f, 4);
  } else {
    bits = encode(format_of(t), d);
    memcpy(to, &bits, 2);
  }
}

/* The range of an integer type of less than 64 bits. */
static void ends(launch_type_t t, bool either, int64_t *least, int64_t *most) {
  const unsigned bits = 8 * types[t].bytes;
  const bool is_signed = types[t].class == SIGNED;
  *least = is_signed || either ? -(INT64_C(1) << (bits - 1)) : 0;
  *most = is_signed && !either ? (INT64_C(1) << (bits - 1)) - 1 : (INT64_C(1) << bits) - 1;
}

bool launch_store(launch_type_t t, void *to, launch_value_t v, bool either) {
  int64_t least, most;
  if (types[t].class == REAL) return store_real(t, to, launch_as_real(v)), true;
  if (v.real) return false;
  if (types[t].bytes < 8) {
    ends(t, either, &least, &most);
    if (v.i < least || v.i > most) return false;
  }
  memcpy(to, &v.i, types[t].bytes);
  return true;
}

void launch_type_legal(launch_type_t t, bool either, char *to, size_t n) {
  int64_t least = 0, most = 0;
  if (types[t].class == REAL) {
    snprintf(to, n, "a number");
  } else if (types[t].bytes == 8) {
    snprintf(to, n, "an integer of 64 bits");
  } else {
    ends(t, either, &least, &most);
    snprintf(to, n, "an integer from %" PRId64 " to %" PRId64, least, most);
  }
}

/* Maps numbers of a floating-point type to integers in their order, with -0 equal to 0; false for
 * NaN. */
static bool place_of(launch_type_t t, launch_value_t v, int64_t *place) {
  uint64_t bits = 0;
  const unsigned above = 64 - 8 * types[t].bytes;
  if (isnan(launch_as_real(v))) return false;
  store_real(t, &bits, launch_as_real(v));
  const int64_t all = (int64_t)(bits << above);
  *place = (all < 0 ? INT64_MIN - all : all) >> above;
  return true;
}

uint64_t launch_ulps(launch_type_t t, launch_value_t a, launch_value_t b) {
  int64_t x = a.i, y = b.i;
  if (types[t].class == REAL && (!place_of(t, a, &x) || !place_of(t, b, &y))) return UINT64_MAX;
  return x > y ? (uint64_t)x - (uint64_t)y : (uint64_t)y - (uint64_t)x;
}

void launch_print(launch_type_t t, launch_value_t v, char *to, size_t n) {
  const int digits = t == LAUNCH_TYPE_f64 ? 17 : t == LAUNCH_TYPE_f32 ? 9 : 5;
  if (v.real)
    snprintf(to, n, "%.*g", digits, v.d);
  else if (t == LAUNCH_TYPE_u64)
    snprintf(to, n, "%" PRIu64, (uint64_t)v.i);
  else
    snprintf(to, n, "%" PRId64, v.i);
}
