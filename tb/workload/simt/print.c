/* SPDX-License-Identifier: Apache-2.0 */
/* vprintf of a kernel, as clang and nvcc call it: a format and a list of values, each aligned to
 * its size. The text is stored with block, warp and order, and written when the launch has ended,
 * so that it does not depend on which warp was first. */
#include "workload/simt/simt_state.h"
#include "base/memory_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINE = 4096, MOST_TEXT = 16 << 20, MOST_SPEC = 24 };

typedef struct {
  warp_stream_t *w;
  const simt_op_t *op;
  unsigned lane;
  uint64_t format, values, at; /* generic addresses; bytes of the values read so far */
  uint32_t n;                  /* number of values read so far */
  FILE *to;
} print_t;

static uint8_t byte_at(const print_t *p, uint64_t addr, bool *there) {
  const simt_t *t = p->w->sim;
  const ptx_kernel_t *k = p->w->kernel->kernel;
  const ptx_space_t space = simt_space_of(addr);
  const uint64_t local = addr - SIMT_LOCAL_WINDOW;
  *there = true;
  if (space == PTX_LOCAL && local < k->local_bytes)
    return p->w->local[(size_t)p->lane * simt_local_stride(k) + local];
  const uint8_t *from = space == PTX_GLOBAL ? memory_at(t->setup.memory, addr, 1) : NULL;
  *there = from != NULL;
  return from ? *from : 0;
}

static uint64_t value(print_t *p, unsigned bytes) {
  uint64_t v = 0;
  bool there = true;
  p->at = (p->at + bytes - 1) / bytes * bytes;
  for (unsigned i = 0; i < bytes && there; i++)
    v |= (uint64_t)byte_at(p, p->values + p->at + i, &there) << 8 * i;
  p->at += bytes;
  p->n++;
  if (!there)
    simt_fault(p->w, p->op, p->lane, "printf: its values are outside the thread's memory");
  return v;
}

/* Reads the string at `addr`; a long one is cut. */
static void text(print_t *p, char line[MOST_LINE], uint64_t addr) {
  bool there = true;
  size_t n = 0;
  while (n + 1 < MOST_LINE) {
    line[n] = (char)byte_at(p, addr + n, &there);
    if (!there || line[n] == '\0') break;
    n++;
  }
  line[n] = '\0';
  if (!there) simt_fault(p->w, p->op, p->lane, "printf: %%s at 0x%" PRIx64 ": not a string", addr);
}

/* The formats come from the program; their letters and flags have been checked. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* One conversion: the flags, such as "%5", without a length, and the letter. */
static void convert(print_t *p, const char *flags, unsigned bytes, char letter) {
  char spec[MOST_SPEC + 4], line[MOST_LINE];
  if (letter == 's') {
    snprintf(spec, sizeof spec, "%ss", flags);
    text(p, line, value(p, 8));
    fprintf(p->to, spec, line);
  } else if (letter == 'p') {
    fprintf(p->to, "0x%" PRIx64, value(p, 8));
  } else if (strchr("fFeEgGaA", letter)) {
    const uint64_t bits = value(p, 8);
    double d;
    memcpy(&d, &bits, sizeof d);
    snprintf(spec, sizeof spec, "%s%c", flags, letter);
    fprintf(p->to, spec, d);
  } else if (letter == 'c') {
    fputc((int)(value(p, 4) & 255), p->to);
  } else {
    const bool is_signed = letter == 'd' || letter == 'i';
    uint64_t v = value(p, bytes < 4 ? 4 : bytes);
    if (bytes < 8) v = is_signed ? (uint64_t)(int64_t)(int32_t)v : (uint32_t)v;
    snprintf(spec, sizeof spec, "%sll%c", flags, letter);
    fprintf(p->to, spec, v);
  }
}

#pragma GCC diagnostic pop

/* Reads a conversion behind '%': flags and width, length, letter. Returns the place behind it. */
static uint64_t conversion(print_t *p, uint64_t at) {
  char flags[MOST_SPEC] = "%";
  bool there = true;
  unsigned bytes = 4;
  size_t n = 1;
  char c = (char)byte_at(p, at, &there);
  for (; there && c && strchr("-+ #0123456789.*", c); c = (char)byte_at(p, ++at, &there)) {
    if (c == '*')
      n += (size_t)snprintf(flags + n, sizeof flags - n, "%d", (int)(value(p, 4) % 1000));
    else if (n + 1 < sizeof flags)
      flags[n++] = c;
    if (n >= sizeof flags) n = sizeof flags - 1;
    flags[n] = '\0';
  }
  for (; there && c && strchr("hlLjzt", c); c = (char)byte_at(p, ++at, &there))
    if (c != 'h') bytes = 8;
  if (c == '%')
    fputc('%', p->to);
  else if (there && c && strchr("diouxXcspfFeEgGaA", c))
    convert(p, flags, bytes, c);
  else
    simt_fault(p->w, p->op, p->lane, "printf: a conversion that C lacks");
  return at + 1;
}

static void print_lane(print_t *p) {
  bool there = true;
  for (uint64_t at = p->format;;) {
    const char c = (char)byte_at(p, at, &there);
    if (!there)
      simt_fault(p->w, p->op, p->lane, "printf: its format is outside the thread's memory");
    if (!there || c == '\0') return;
    at++;
    if (c == '%')
      at = conversion(p, at);
    else
      fputc(c, p->to);
  }
}

/* ---- texts kept until the end of the launch
 * ----------------------------------------------------------- */

static void keep(warp_stream_t *w, const simt_op_t *op, unsigned lane, char *line, size_t size) {
  simt_t *t = w->sim;
  simt_line_t *more = t->lines;
  if (t->n_lines == t->max_lines) {
    t->max_lines = t->max_lines ? 2 * t->max_lines : 64;
    more = realloc(t->lines, t->max_lines * sizeof *more);
  }
  if (!more || t->line_bytes + size > MOST_TEXT) {
    t->max_lines = more ? t->max_lines : t->n_lines;
    if (more) t->lines = more;
    free(line);
    simt_fault(w, op, lane, "printf: more than %d bytes in a launch", MOST_TEXT);
    return;
  }
  t->lines = more;
  t->line_bytes += size;
  t->lines[t->n_lines] = (simt_line_t){line, size, w->block->number, w->ordinal, t->n_lines};
  t->n_lines++;
}

void simt_print(warp_stream_t *w, const simt_op_t *op, uint32_t lanes) {
  const ptx_call_t *c = op->inst->call;
  for (uint32_t left = lanes; left; left &= left - 1) {
    const unsigned lane = (unsigned)__builtin_ctz(left);
    uint8_t *local = w->local + (size_t)lane * simt_local_stride(w->kernel->kernel);
    char *line = NULL;
    size_t size = 0;
    print_t p = {.w = w, .op = op, .lane = lane, .to = memory_file(&line, &size)};
    if (!p.to) {
      simt_fault(w, op, lane, "printf: out of memory");
      return;
    }
    memcpy(&p.format, local + c->in[0].from, 8);
    memcpy(&p.values, local + c->in[1].from, 8);
    print_lane(&p);
    if (c->n_out) memcpy(local + c->out[0].to, &p.n, sizeof p.n);
    if (fclose(p.to) == 0) {
      keep(w, op, lane, line, size);
    } else {
      free(line);
      simt_fault(w, op, lane, "printf: out of memory");
    }
  }
}

static int by_place(const void *a, const void *b) {
  const simt_line_t *x = a, *y = b;
  if (x->block != y->block) return x->block < y->block ? -1 : 1;
  if (x->warp != y->warp) return x->warp < y->warp ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

void simt_print_out(simt_t *t) {
  if (t->n_lines) qsort(t->lines, t->n_lines, sizeof *t->lines, by_place);
  for (size_t i = 0; i < t->n_lines; i++) {
    if (t->print_to) fwrite(t->lines[i].text, 1, t->lines[i].bytes, t->print_to);
    free(t->lines[i].text);
  }
  free(t->lines);
  t->lines = NULL;
  t->n_lines = t->max_lines = t->line_bytes = 0;
}
