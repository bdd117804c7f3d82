/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU as a library with kernels from a text: textures, launch files, several texts, printf. */
#define _DEFAULT_SOURCE /* mkdtemp */
#include "base/files.h"
#include "gpu/gpu_library_help.h"

#include <stdlib.h>
#include <unistd.h>

/* b[i] = t[i], with t[i] = 5 * i. */
START_TEST(textures) {
  static const char text[] =
      ".version 3.2\n.target sm_20\n.address_size 64\n.global .texref t;\n"
      ".visible .entry k(.param .u64 b) {\n"
      ".reg .b32 %r<8>; .reg .b64 %rd<4>;\n"
      "ld.param.u64 %rd1, [b]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
      "add.s64 %rd3, %rd1, %rd2; tex.1d.v4.s32.s32 {%r3, %r4, %r5, %r6}, [t, {%r1}];\n"
      "st.global.u32 [%rd3], %r3; ret; }\n";
  uint64_t t, b;
  uint32_t v[64];
  mrpb_err_t err = {{0}};
  mrpb_gpu_t *g = create();
  for (uint32_t i = 0; i < 64; i++) v[i] = 5 * i;
  ck_assert_msg(!mrpb_gpu_ptx(g, text, sizeof text - 1, "tex.ptx", &err), "%s", err.text);
  ck_assert_int_eq(mrpb_gpu_alloc(g, sizeof v, &t, &err), 0);
  ck_assert_int_eq(mrpb_gpu_alloc(g, sizeof v, &b, &err), 0);
  ck_assert_int_eq(mrpb_gpu_write(g, t, v, sizeof v, &err), 0);
  const void *const args[] = {&b};
  const mrpb_gpu_launch_t l = {.block = {64}, .args = args, .n_args = 1};
  ck_assert_int_eq(mrpb_gpu_launch(g, &l, &err), 0);
  EXPECT(mrpb_gpu_texture(g, "t", t + 256, &err), "a multiple of 512");
  EXPECT(mrpb_gpu_texture(g, "u", t, &err), "not in the text");
  ck_assert_msg(!mrpb_gpu_texture(g, "t", t, &err), "%s", err.text);
  run(g);
  memset(v, 0, sizeof v);
  ck_assert_int_eq(mrpb_gpu_read(g, b, v, sizeof v, &err), 0);
  for (uint32_t i = 0; i < 64; i++) ck_assert_uint_eq(v[i], 5 * i);
  ck_assert_uint_gt(count(g, "sm.texture_misses"), 0);
  mrpb_gpu_destroy(g);
}
END_TEST

static void put_file(const char *path, const char *what) {
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(what, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

/* The words doubled by one text, and one added by another: what the file compares holds for the
 * n of a `let`, and is noticed for a wrong one; its file is written by verify, and only where it holds. */
START_TEST(launch_files) {
#define WORDS(name, what)                                                                          \
  ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry " name "(.param .u64 b) {\n"     \
  ".reg .b32 %r<4>; .reg .b64 %rd<4>; ld.param.u64 %rd1, [b]; mov.u32 %r1, %tid.x;\n"              \
  "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3];\n" what         \
  " st.global.u32 [%rd3], %r3; ret; }\n"
  static const char *const lets[2] = {"n=64", "m=4"};
  char folder[] = "build/tmp/gpu_library_XXXXXX", path[64], out[64], text[512];
  mrpb_err_t err = {{0}};
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/twice.ptx", folder);
  put_file(path, WORDS("twice", "add.u32 %r3, %r2, %r2;"));
  snprintf(path, sizeof path, "%s/more.ptx", folder);
  put_file(path, WORDS("more", "add.u32 %r3, %r2, 1;"));
  snprintf(path, sizeof path, "%s/a.launch", folder);
  snprintf(out, sizeof out, "%s/b.txt", folder);
  snprintf(text, sizeof text,
           "ptx \"twice.ptx\"\nptx \"more.ptx\"\nlet n = 32\nlet m = 3\nbuffer b u32[n] = i\n"
           "launch twice(b) grid 1 block n\nlaunch more(b) grid 1 block n\n"
           "compare b with 2 * i + m - 2\nwrite b to \"%s\"\n",
           out);
  put_file(path, text);
  for (unsigned wrong = 0; wrong < 2; wrong++) {
    mrpb_gpu_t *g = create();
    err.text[0] = '\0';
    ck_assert_msg(!mrpb_gpu_launch_file(g, path, lets, 1 + wrong, &err), "%s", err.text);
    EXPECT(mrpb_gpu_launch_file(g, path, lets, 1, &err), "something to run is already set");
    run(g);
    ck_assert_uint_gt(count(g, "kernels.1.cycles"), 0);
    if (wrong) {
      EXPECT(mrpb_gpu_verify(g, &err), "a.launch:8: b[0] is 1, expected 2; 64 of 64 differ");
      ck_assert_int_ne(access(out, F_OK), 0);
    } else {
      ck_assert_msg(!mrpb_gpu_verify(g, &err), "%s", err.text);
      ck_assert_int_eq(unlink(out), 0);
    }
    mrpb_gpu_destroy(g);
  }
  mrpb_gpu_t *g = create();
  EXPECT(mrpb_gpu_launch_file(g, "/nowhere.launch", NULL, 0, &err), "/nowhere.launch");
  mrpb_gpu_destroy(g);
  files_remove_tree(folder, NULL);
}
END_TEST

/* Texts one behind the other, until the first step. */
START_TEST(several_texts) {
  mrpb_err_t err = {{0}};
  mrpb_gpu_t *g = create();
  uint64_t b;
  uint32_t v[32];
  static const char twice[] = WORDS("twice", "add.u32 %r3, %r2, %r2;"),
                    more[] = WORDS("more", "add.u32 %r3, %r2, 1;");
  ck_assert_msg(!mrpb_gpu_ptx(g, twice, sizeof twice - 1, "twice", &err), "%s", err.text);
  EXPECT(mrpb_gpu_ptx(g, twice, sizeof twice - 1, "again", &err),
         "again: kernel twice is also in twice");
  ck_assert_msg(!mrpb_gpu_ptx(g, more, sizeof more - 1, "more", &err), "%s", err.text);
  ck_assert_int_eq(mrpb_gpu_alloc(g, sizeof v, &b, &err), 0);
  const void *const args[] = {&b};
  mrpb_gpu_launch_t l = {.kernel = "more", .block = {32}, .args = args, .n_args = 1};
  for (unsigned i = 0; i < 3; i++) {
    ck_assert_msg(!mrpb_gpu_launch(g, &l, &err), "%s", err.text);
    l.kernel = "twice";
  }
  run(g);
  EXPECT(mrpb_gpu_ptx(g, more, sizeof more - 1, "more", &err), "before the first step");
  ck_assert_int_eq(mrpb_gpu_read(g, b, v, sizeof v, &err), 0);
  for (unsigned i = 0; i < 32; i++) ck_assert_uint_eq(v[i], 4);
  mrpb_gpu_destroy(g);
}
END_TEST

/* What a kernel prints goes where the caller says, each launch's before the next begins. */
START_TEST(prints) {
  static const char text[] =
      ".version 3.2\n.target sm_20\n.address_size 64\n"
      ".global .b8 fmt[4] = {37, 117, 10, 0};\n"
      ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
      ".visible .entry k() {\n.reg .b32 %r<4>; .reg .b64 %rd<4>; .local .align 8 .b8 depot[8];\n"
      "mov.u32 %r1, %tid.x; st.local.u32 [depot], %r1; mov.u64 %rd1, depot; cvta.local.u64 %rd1, "
      "%rd1;\n"
      "mov.u64 %rd2, fmt; cvta.global.u64 %rd2, %rd2; { .param .b64 a; .param .b64 b; .param .b32 "
      "c;\n"
      "st.param.b64 [a], %rd2; st.param.b64 [b], %rd1; call.uni (c), vprintf, (a, b); } ret; }\n";
  const mrpb_gpu_launch_t l = {.block = {2}};
  char has[16] = "";
  mrpb_err_t err = {{0}};
  FILE *f = tmpfile();
  mrpb_gpu_t *g = create();
  ck_assert_ptr_nonnull(f);
  ck_assert_msg(!mrpb_gpu_ptx(g, text, sizeof text - 1, "print.ptx", &err), "%s", err.text);
  ck_assert_int_eq(mrpb_gpu_print_to(g, f, &err), 0);
  for (unsigned i = 0; i < 2; i++) ck_assert_int_eq(mrpb_gpu_launch(g, &l, &err), 0);
  run(g);
  EXPECT(mrpb_gpu_print_to(g, NULL, &err), "before the first step");
  mrpb_gpu_destroy(g);
  rewind(f);
  has[fread(has, 1, sizeof has - 1, f)] = '\0';
  ck_assert_str_eq(has, "0\n1\n0\n1\n");
  ck_assert_int_eq(fclose(f), 0);
}
END_TEST

Suite *test_gpu_library_texts_suite(void);

Suite *test_gpu_library_texts_suite(void) {
  Suite *s = suite_create("gpu_library_texts");
  TCase *c = tcase_create("all");
  tcase_add_test(c, textures);
  tcase_add_test(c, launch_files);
  tcase_add_test(c, several_texts);
  tcase_add_test(c, prints);
  suite_add_tcase(s, c);
  return s;
}
