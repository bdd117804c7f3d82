/* atax of PolyBench/GPU 1.0 at half size: y = A^T (A x), A of 2048 x 2048 floats, two launches of 8
 * blocks of 256 threads. Kernel 1 walks rows (32 lines a load, all in one L1D set), kernel 2
 * columns. Model A is the stream of the paper's time: pointers that are walked, 9 instructions an
 * iteration. Model B is what clang 14 makes for sm_20 (-O3, loops not unrolled): 10 and 12; the
 * reference cycle counts were taken with it. Loads of parameters are plain ALU work here: the
 * constant cache is not modelled. */
#include "workload/kernels.h"
#include "workload/program.h"

#include <stdlib.h>
#include <string.h>

enum { N = 2048, PITCH = 4 * N, THREADS = 256, MAX_OPS = 40 };

#define A_BASE UINT64_C(0x80000000)
#define X_BASE UINT64_C(0x81000000)
#define Y_BASE UINT64_C(0x81002000)
#define TMP_BASE UINT64_C(0x81004000)

#define A_ROW .base = A_BASE, .thread = PITCH, .iter = 4
#define A_COLUMN .base = A_BASE, .thread = 4, .iter = PITCH
#define OWN(array) .base = array, .thread = 4
#define WALK(array) .base = array, .iter = 4

#define PROLOGUE_THREAD(r_cta, r_ntid, r_tid, r_index)                                             \
  OP_MOV(r_cta), OP_MOV(r_ntid), OP_MOV(r_tid), OP_MAD(r_index, r_cta, r_ntid, r_tid),             \
      OP_SIMPLE(PR(1), r_index, 0), OP_BRA_NEVER(PR(1))

static const program_op_t row_b[] = {
    PROLOGUE_THREAD(R(2), R(3), R(4), R(1)),
    OP_MOV(RD(8)),
    OP_MOV(RD(9)),
    OP_SIMPLE(RD(1), RD(9), 0),
    OP_MOV(RD(10)),
    OP_SIMPLE(RD(2), RD(10), 0),
    OP_SIMPLE(RD(3), RD(8), 0),
    OP_SIMPLE(R(5), R(1), 0),
    OP_MUL(RD(12), R(1), 0),
    OP_ADD(RD(4), RD(1), RD(12)),
    OP_LD4(F(6), RD(4), OWN(TMP_BASE)),
    OP_MUL(RD(13), R(5), 0),
    OP_ADD(RD(5), RD(3), RD(13)),
    OP_MOV(RD(16)),
    /* 19: the loop */
    OP_ADD(RD(14), RD(5), RD(16)),
    OP_LD4(F(4), RD(14), A_ROW),
    OP_ADD(RD(15), RD(2), RD(16)),
    OP_LD4(F(5), RD(15), WALK(X_BASE)),
    OP_FMA(F(6), F(4), F(5), F(6)),
    OP_ST4(RD(4), F(6), OWN(TMP_BASE)),
    OP_ADD(RD(16), RD(16), 0),
    OP_SIMPLE(R(6), RD(16), 0),
    OP_SIMPLE(PR(2), R(6), 0),
    OP_BRA_IF(PR(2), 19, 0, N),
    OP_EXIT,
};

static const program_op_t column_b[] = {
    PROLOGUE_THREAD(R(4), R(5), R(6), R(8)),
    OP_MOV(RD(7)),
    OP_MOV(RD(8)),
    OP_SIMPLE(RD(1), RD(8), 0),
    OP_MOV(RD(9)),
    OP_SIMPLE(RD(2), RD(9), 0),
    OP_SIMPLE(RD(3), RD(7), 0),
    OP_MUL(RD(11), R(8), 0),
    OP_ADD(RD(4), RD(2), RD(11)),
    OP_LD4(F(6), RD(4), OWN(Y_BASE)),
    OP_MOV(RD(15)),
    /* 16: the loop */
    OP_MUL(RD(12), R(8), 0),
    OP_ADD(RD(13), RD(3), RD(12)),
    OP_LD4(F(4), RD(13), A_COLUMN),
    OP_ADD(RD(14), RD(1), RD(15)),
    OP_LD4(F(5), RD(14), WALK(TMP_BASE)),
    OP_FMA(F(6), F(4), F(5), F(6)),
    OP_ST4(RD(4), F(6), OWN(Y_BASE)),
    OP_ADD(R(8), R(8), 0),
    OP_ADD(RD(15), RD(15), 0),
    OP_SIMPLE(R(7), RD(15), 0),
    OP_SIMPLE(PR(2), R(7), 0),
    OP_BRA_IF(PR(2), 16, 0, N),
    OP_EXIT,
};

/* Model A: the pointers %rd3 (A), %rd2 (x or tmp) and the counter %r8 are walked. */
#define LOOP_A(a_address, v_address, result)                                                       \
  OP_LD4(F(4), RD(3), a_address), OP_LD4(F(5), RD(2), v_address), OP_FMA(F(6), F(4), F(5), F(6)),  \
      OP_ST4(RD(4), F(6), OWN(result)), OP_ADD(RD(3), RD(3), 0), OP_ADD(RD(2), RD(2), 0),          \
      OP_ADD(R(8), R(8), 0), OP_SIMPLE(PR(2), R(8), 0), OP_BRA_IF(PR(2), 14, 0, N), OP_EXIT
#define PROLOGUE_A(result)                                                                         \
  PROLOGUE_THREAD(R(4), R(5), R(6), R(1)), OP_MOV(RD(7)), OP_MOV(RD(2)), OP_MOV(RD(9)),            \
      OP_MUL(RD(10), R(1), 0), OP_ADD(RD(4), RD(9), RD(10)), OP_LD4(F(6), RD(4), OWN(result)),     \
      OP_ADD(RD(3), RD(7), RD(10)), OP_MOV(R(8))

static const program_op_t row_a[] = {PROLOGUE_A(TMP_BASE), LOOP_A(A_ROW, WALK(X_BASE), TMP_BASE)};
static const program_op_t column_a[] = {PROLOGUE_A(Y_BASE),
                                        LOOP_A(A_COLUMN, WALK(TMP_BASE), Y_BASE)};

#define LENGTH(array) (sizeof(array) / sizeof *(array))
_Static_assert(LENGTH(row_b) <= MAX_OPS && LENGTH(column_b) <= MAX_OPS, "MAX_OPS");

/* The kernel with its loop cut. */
static program_kernel_t make(const char *name, const program_op_t *ops, unsigned n, uint32_t cut,
                             program_op_t room[MAX_OPS]) {
  program_kernel_t k = {{name, N / THREADS, THREADS, 20, 0}, room, n};
  memcpy(room, ops, n * sizeof *ops);
  for (unsigned i = 0; i < n; i++)
    if (room[i].inst.cls == WARP_BRANCH && cut && cut < room[i].trips) room[i].trips = cut;
  return k;
}

workload_t *kernels_atax(const workload_options_t *options) {
  program_op_t room[2][MAX_OPS];
  program_kernel_t k[2];
  if (options->model == WORKLOAD_MODEL_A) {
    k[0] = make("atax_kernel1", row_a, LENGTH(row_a), options->cut, room[0]);
    k[1] = make("atax_kernel2", column_a, LENGTH(column_a), options->cut, room[1]);
  } else {
    k[0] = make("atax_kernel1", row_b, LENGTH(row_b), options->cut, room[0]);
    k[1] = make("atax_kernel2", column_b, LENGTH(column_b), options->cut, room[1]);
  }
  return program_create(k, 2);
}
