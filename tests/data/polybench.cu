// SPDX-License-Identifier: Apache-2.0
/* The kernels of PolyBench/GPU 1.0 with their sizes as constants: N rows and columns, inner loops
 * cut to K. tests/workload/folded.sh compiles them with clang 14 and compares the result with the
 * texts of model C under tb/workload/programs/polybench/. Threads and blocks have the compiler's
 * own names, so no header is needed. */
typedef float real;
#define KERNEL extern "C" __attribute__((global)) void
#define X (int)(__nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x())
#define Y (int)(__nvvm_read_ptx_sreg_ctaid_y() * __nvvm_read_ptx_sreg_ntid_y() + __nvvm_read_ptx_sreg_tid_y())

#ifdef CONV2D
KERNEL convolution2d_kernel(real *A, real *B) {
  int j = X, i = Y;
  real c11 = +0.2, c21 = +0.5, c31 = -0.8;
  real c12 = -0.3, c22 = +0.6, c32 = -0.9;
  real c13 = +0.4, c23 = +0.7, c33 = +0.10;
  if (i < N - 1 && j < N - 1 && i > 0 && j > 0)
    B[i * N + j] = c11 * A[(i - 1) * N + (j - 1)] + c12 * A[(i - 1) * N + (j + 0)] +
                   c13 * A[(i - 1) * N + (j + 1)] + c21 * A[(i + 0) * N + (j - 1)] +
                   c22 * A[(i + 0) * N + (j + 0)] + c23 * A[(i + 0) * N + (j + 1)] +
                   c31 * A[(i + 1) * N + (j - 1)] + c32 * A[(i + 1) * N + (j + 0)] +
                   c33 * A[(i + 1) * N + (j + 1)];
}
#endif

#ifdef CONV3D
KERNEL convolution3d_kernel(real *A, real *B, int i) {
  int k = X, j = Y;
  real c11 = +2, c21 = +5, c31 = -8;
  real c12 = -3, c22 = +6, c32 = -9;
  real c13 = +4, c23 = +7, c33 = +10;
  if (i < N - 1 && j < N - 1 && k < N - 1 && i > 0 && j > 0 && k > 0)
    B[i * (N * N) + j * N + k] = c11 * A[(i - 1) * (N * N) + (j - 1) * N + (k - 1)] +
                                 c13 * A[(i + 1) * (N * N) + (j - 1) * N + (k - 1)] +
                                 c21 * A[(i - 1) * (N * N) + (j - 1) * N + (k - 1)] +
                                 c23 * A[(i + 1) * (N * N) + (j - 1) * N + (k - 1)] +
                                 c31 * A[(i - 1) * (N * N) + (j - 1) * N + (k - 1)] +
                                 c33 * A[(i + 1) * (N * N) + (j - 1) * N + (k - 1)] +
                                 c12 * A[(i + 0) * (N * N) + (j - 1) * N + (k + 0)] +
                                 c22 * A[(i + 0) * (N * N) + (j + 0) * N + (k + 0)] +
                                 c32 * A[(i + 0) * (N * N) + (j + 1) * N + (k + 0)] +
                                 c11 * A[(i - 1) * (N * N) + (j - 1) * N + (k + 1)] +
                                 c13 * A[(i + 1) * (N * N) + (j - 1) * N + (k + 1)] +
                                 c21 * A[(i - 1) * (N * N) + (j + 0) * N + (k + 1)] +
                                 c23 * A[(i + 1) * (N * N) + (j + 0) * N + (k + 1)] +
                                 c31 * A[(i - 1) * (N * N) + (j + 1) * N + (k + 1)] +
                                 c33 * A[(i + 1) * (N * N) + (j + 1) * N + (k + 1)];
}
#endif

#ifdef MM
KERNEL mm_kernel(real *a, real *b, real *c) {
  int j = X, i = Y;
  if (i < N && j < N)
    for (int k = 0; k < K; k++) c[i * N + j] += a[i * N + k] * b[k * N + j];
}
#endif

#ifdef GEMM
KERNEL gemm_kernel(real *a, real *b, real *c) {
  int j = X, i = Y;
  if (i < N && j < N) {
    c[i * N + j] *= 2123.0f;
    for (int k = 0; k < K; k++) c[i * N + j] += 32412.0f * a[i * N + k] * b[k * N + j];
  }
}
#endif

#ifdef SYRK
/* alpha and beta are arguments here: so the reference's run has been compiled. */
KERNEL syrk_kernel(real alpha, real beta, real *a, real *c) {
  int j = X, i = Y;
  if (i < N && j < N) {
    c[i * N + j] *= beta;
    for (int k = 0; k < K; k++) c[i * N + j] += alpha * a[i * N + k] * a[j * N + k];
  }
}
#endif

#ifdef SYR2K
KERNEL syr2k_kernel(real *a, real *b, real *c) {
  int j = X, i = Y;
  if (i < N && j < N) {
    c[i * N + j] *= 4546.0f;
    for (int k = 0; k < K; k++)
      c[i * N + j] += 12435.0f * a[i * N + k] * b[j * N + k] + 12435.0f * b[i * N + k] * a[j * N + k];
  }
}
#endif

#ifdef ATAX
KERNEL atax_kernel1(real *A, real *x, real *tmp) {
  int i = X;
  if (i < N)
    for (int j = 0; j < K; j++) tmp[i] += A[i * N + j] * x[j];
}
KERNEL atax_kernel2(real *A, real *y, real *tmp) {
  int j = X;
  if (j < N)
    for (int i = 0; i < K; i++) y[j] += A[i * N + j] * tmp[i];
}
#endif

#ifdef BICG
KERNEL bicg_kernel1(real *A, real *r, real *s) {
  int j = X;
  if (j < N) {
    s[j] = 0.0f;
    for (int i = 0; i < K; i++) s[j] += A[i * N + j] * r[i];
  }
}
KERNEL bicg_kernel2(real *A, real *p, real *q) {
  int i = X;
  if (i < N) {
    q[i] = 0.0f;
    for (int j = 0; j < K; j++) q[i] += A[i * N + j] * p[j];
  }
}
#endif

#ifdef MVT
KERNEL mvt_kernel1(real *a, real *x1, real *y_1) {
  int i = X;
  if (i < N)
    for (int j = 0; j < K; j++) x1[i] += a[i * N + j] * y_1[j];
}
KERNEL mvt_kernel2(real *a, real *x2, real *y_2) {
  int i = X;
  if (i < N)
    for (int j = 0; j < K; j++) x2[i] += a[j * N + i] * y_2[j];
}
#endif

#ifdef GESUMMV
KERNEL gesummv_kernel(real *a, real *b, real *x, real *y, real *tmp) {
  int i = X;
  if (i < N) {
    for (int j = 0; j < K; j++) {
      tmp[i] += a[i * N + j] * x[j];
      y[i] += b[i * N + j] * x[j];
    }
    y[i] = 43532.0f * tmp[i] + 12313.0f * y[i];
  }
}
#endif

#ifdef FDTD
KERNEL fdtd_step1_kernel(real *fict, real *ex, real *ey, real *hz, int t) {
  int j = X, i = Y;
  if (i < N && j < N) {
    if (i == 0)
      ey[i * N + j] = fict[t];
    else
      ey[i * N + j] = ey[i * N + j] - 0.5f * (hz[i * N + j] - hz[(i - 1) * N + j]);
  }
}
KERNEL fdtd_step2_kernel(real *ex, real *ey, real *hz, int t) {
  int j = X, i = Y;
  if (i < N && j < N && j > 0)
    ex[i * (N + 1) + j] = ex[i * (N + 1) + j] - 0.5f * (hz[i * N + j] - hz[i * N + (j - 1)]);
}
KERNEL fdtd_step3_kernel(real *ex, real *ey, real *hz, int t) {
  int j = X, i = Y;
  if (i < N && j < N)
    hz[i * N + j] = hz[i * N + j] - 0.7f * (ex[i * (N + 1) + (j + 1)] - ex[i * (N + 1) + j] +
                                            ey[(i + 1) * N + j] - ey[i * N + j]);
}
#endif
