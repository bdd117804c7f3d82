/* SPDX-License-Identifier: Apache-2.0 */
/* Chains in the temporary file: more of them than fit in memory, in any order, short and long
 * additions, several tables; what is read is what was added. A trace of any length takes no more
 * memory than a short one. */
#define _DEFAULT_SOURCE /* wait4 */
#include "trace_help.h"
#include "workload/trace/spill.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

Suite *test_spill_suite(void);

enum { TABLES = 2, CHAINS = SPILL_OPEN + 4000, ROUNDS = 3, MOST = 3 * SPILL_PIECE };

/* How many bytes chain `c` gets in a round, and which. */
static size_t length_of(unsigned c, unsigned round) {
  return c % 1000 == 7 ? MOST - c % 50 : c % 3 == round ? 0 : 1 + (c * 7 + round) % 40;
}

static void fill(uint8_t bytes[MOST], unsigned table, unsigned c, unsigned round) {
  for (unsigned i = 0; i < length_of(c, round); i++)
    bytes[i] = (uint8_t)(table * 131 + c * 17 + round * 29 + i);
}

static void add_round(spill_t *s, const uint64_t first[TABLES], unsigned round) {
  uint8_t bytes[MOST];
  mrpb_err_t err = {""};
  for (unsigned k = 0; k < CHAINS * TABLES; k++) {
    const unsigned at =
        (unsigned)((uint64_t)k * 7919 % (CHAINS * TABLES)); /* all, in another order */
    const unsigned t = at % TABLES, c = at / TABLES;
    const size_t n = length_of(c, round);
    if (n == 0) continue;
    fill(bytes, t, c, round);
    ck_assert_int_eq(spill_add(s, first[t] + c * SPILL_STEP, bytes, n, (uint8_t)(round + 1), &err),
                     0);
  }
}

static void check_chain(spill_t *s, uint64_t chain, unsigned t, unsigned c, spill_cursor_t *at) {
  static uint8_t want[ROUNDS * MOST], got[ROUNDS * MOST];
  mrpb_err_t err = {""};
  size_t n = 0, m = 0;
  int more;
  for (unsigned r = 0; r < ROUNDS; n += length_of(c, r), r++) fill(want + n, t, c, r);
  ck_assert_int_eq(spill_seek(s, chain, at, &err), 0);
  while ((more = spill_next(s, at, &err)) > 0) {
    ck_assert_uint_le(m + at->n, n);
    memcpy(got + m, at->bytes, at->n);
    m += at->n;
  }
  ck_assert_int_eq(more, 0);
  ck_assert_uint_eq(m, n);
  ck_assert_msg(memcmp(want, got, n) == 0, "table %u chain %u", t, c);
}

START_TEST(chains) {
  mrpb_err_t err = {""};
  uint64_t first[TABLES];
  spill_t *s = spill_open(&err);
  spill_cursor_t at = {0};
  ck_assert_msg(s != NULL, "%s", err.text);
  for (unsigned t = 0; t < TABLES; t++)
    ck_assert_int_eq(spill_chains(s, CHAINS, &first[t], &err), 0);
  ck_assert_int_eq(spill_mark(s, first[1] + 5 * SPILL_STEP, &err), 0);
  for (unsigned r = 0; r < ROUNDS; r++) add_round(s, first, r);
  ck_assert_int_eq(spill_mark(s, first[1] + 5 * SPILL_STEP, &err),
                   ROUNDS - 1); /* none in the last */
  ck_assert_int_eq(spill_flush(s, &err), 0);
  ck_assert_int_eq(spill_mark(s, first[0] + 6 * SPILL_STEP, &err), ROUNDS);
  for (unsigned t = 0; t < TABLES; t++)
    for (unsigned c = 0; c < CHAINS; c++) check_chain(s, first[t] + c * SPILL_STEP, t, c, &at);
  free(at.bytes);
  spill_close(s);
}
END_TEST

/* Bytes between chains, longer than what is kept in memory before it is written. */
START_TEST(bytes) {
  enum { LONG = 1 << 20 };
  mrpb_err_t err = {""};
  uint8_t *in = malloc(LONG), *out = malloc(LONG);
  uint64_t where[8];
  spill_t *s = spill_open(&err);
  for (unsigned i = 0; i < LONG; i++) in[i] = (uint8_t)(i * 2654435761U >> 24);
  for (unsigned i = 0; i < 8; i++)
    ck_assert_int_eq(spill_write(s, in, i % 2 ? LONG : 1000 + i, &where[i], &err), 0);
  ck_assert_int_eq(spill_patch(s, where[6], "patched", 7, &err), 0); /* both still in memory */
  ck_assert_int_eq(spill_patch(s, where[0], "patched", 7, &err), 0); /* and long written */
  for (unsigned i = 0; i < 8; i++) {
    const size_t n = i % 2 ? LONG : 1000 + i, from = i == 0 || i == 6 ? 7 : 0;
    ck_assert_int_eq(spill_read(s, where[i], out, n, &err), 0);
    ck_assert(memcmp(in + from, out + from, n - from) == 0);
    if (from) ck_assert(memcmp(out, "patched", from) == 0);
  }
  spill_close(s);
  free(in);
  free(out);
}
END_TEST

START_TEST(no_folder) {
  mrpb_err_t err = {""};
  workload_t *w;
  const char *was = getenv("TMPDIR");
  char *kept = was ? strdup(was) : NULL;
  setenv("TMPDIR", "/nonexistent", 1);
  ck_assert_int_eq(trace_open(&w, "tests/data/trace/tracer5.traceg", NULL, &err), -1);
  if (kept)
    setenv("TMPDIR", kept, 1);
  else
    unsetenv("TMPDIR");
  free(kept);
  ck_assert_msg(strstr(err.text, "a temporary file in /nonexistent cannot be made"), "%s",
                err.text);
}
END_TEST

/* ---- any length ------------------------------------------------------------ */

/* A grouped trace of `blocks` blocks of 8 warps of 1000 instructions, as long as it takes. */
static void generate(const char *path, unsigned blocks) {
  static char warp[1 << 17];
  size_t n = 0;
  FILE *f = fopen(path, "w");
  if (!f) _exit(1);
  for (unsigned i = 0; i < 999; i++)
    n += (size_t)sprintf(warp + n,
                         i % 3 ? "%04x ffffffff 1 R9 IMAD.MOV.U32 2 R8 R255 0 0 0 NoVal \n"
                               : "%04x ffffffff 1 R8 LDG.E 1 R2 4 1 0x7f1000000100 4 0 0 NoVal \n",
                         16 * i % 4096);
  sprintf(warp + n, "0ff0 ffffffff 0 EXIT 0 0 0 0 NoVal \n");
  fprintf(f,
          "-kernel name = k\n-grid dim = (%u,1,1)\n-block dim = (256,1,1)\n"
          "-accelsim tracer version = 6\n",
          blocks);
  for (unsigned b = 0; b < blocks; b++) {
    fprintf(f, "#BEGIN_TB\nthread block = %u,0,0\n", b);
    for (unsigned w = 0; w < 8; w++) fprintf(f, "warp = %u\ninsts = 1000\n%s", w, warp);
  }
  _exit(fclose(f) != 0);
}

/* The peak memory, in MB, of a process that reads it and walks through it, 64 warps at once. */
static long walked(unsigned blocks) {
  char name[64];
  struct rusage used;
  int status = 0;
  temp_name(name, "-pipe");
  ck_assert_int_eq(mkfifo(name, 0600), 0);
  const pid_t writer = fork();
  if (writer == 0) generate(name, blocks);
  const pid_t reader = fork();
  if (reader == 0) {
    mrpb_err_t err = {""};
    workload_t *w;
    if (trace_open(&w, name, NULL, &err) != 0) _exit(1);
    _exit(workload_run_within(w, 0, &err) != 0);
  }
  ck_assert(wait4(reader, &status, 0, &used) == reader && status == 0);
  ck_assert(waitpid(writer, &status, 0) == writer && status == 0);
  remove(name);
  return used.ru_maxrss >> 10;
}

/* 60 MB of text and 120: the same memory, a megabyte more or less, and far below 256 MB. */
START_TEST(any_length) {
#ifdef __SANITIZE_ADDRESS__
  const long most = LONG_MAX, more = 64; /* most of it is the sanitizer's */
#else
  const long most = 128, more = 4;
#endif
  const long once = walked(125), twice = walked(250);
  ck_assert_msg(twice <= once + more && twice < most, "%ld MB, then %ld", once, twice);
}
END_TEST

Suite *test_spill_suite(void) {
  Suite *s = suite_create("spill");
  TCase *t = tcase_create("spill"), *any = tcase_create("length");
  tcase_add_test(t, chains);
  tcase_add_test(t, bytes);
  tcase_add_test(t, no_folder);
  tcase_add_test(any, any_length);
  tcase_set_tags(any, "heavy"); /* other processes, and their memory */
  suite_add_tcase(s, t);
  suite_add_tcase(s, any);
  return s;
}
