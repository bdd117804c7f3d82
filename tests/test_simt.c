#include "simt_help.h"

START_TEST(vector_add) {
  rig_t r;
  ck_assert_int_eq(rig_open(&r,
                            PTX_HEAD
                            ".visible .entry add(.param .u64 a, .param .u64 b, .param .u32 n) {\n"
                            ".reg .pred %p<2>; .reg .f32 %f<4>; .reg .b32 %r<6>; .reg .b64 %rd<6>;\n"
                            "ld.param.u64 %rd1, [a]; ld.param.u64 %rd2, [b]; ld.param.u32 %r1, [n];\n"
                            "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
                            "mad.lo.s32 %r5, %r2, %r3, %r4;\n"
                            "setp.ge.s32 %p1, %r5, %r1;\n"
                            "@%p1 bra DONE;\n"
                            "cvta.to.global.u64 %rd3, %rd1; cvta.to.global.u64 %rd2, %rd2;\n"
                            "mul.wide.s32 %rd4, %r5, 4; add.s64 %rd5, %rd3, %rd4;\n"
                            "ld.global.f32 %f1, [%rd5]; add.s64 %rd4, %rd2, %rd4;\n"
                            "fma.rn.f32 %f2, %f1, 0f40000000, 0f3F800000;\n"
                            "st.global.f32 [%rd4], %f2;\n"
                            "DONE: ret; }\n",
                            3, 100),
                   0);
  enum { N = 270 };
  float *a = rig_buffer(&r, 0, N * 4), *b = rig_buffer(&r, 1, N * 4);
  simt_param(&r.launch, 2, N);
  for (int i = 0; i < N; i++) a[i] = (float)i;
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  for (int i = 0; i < N; i++) ck_assert_float_eq(b[i], (float)i * 2 + 1);
  rig_close(&r);
}
END_TEST

Suite *test_simt_suite(void);

Suite *test_simt_suite(void) {
  Suite *s = suite_create("simt");
  TCase *t = tcase_create("simt");
  tcase_add_test(t, vector_add);
  suite_add_tcase(s, t);
  return s;
}
