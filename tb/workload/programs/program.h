/* SPDX-License-Identifier: Apache-2.0 */
/* A program of the paper: a PTX text and the host code around it. The host code allocates, fills
 * the inputs, launches, and at the end compares the memory with its own computation. Each program
 * has a file in tb/workload/programs/<suite>/, with its PTX text beside it (embedded in the
 * binary). */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "workload/simt/simt.h"

typedef enum { PROGRAM_MODEL_A, PROGRAM_MODEL_B, PROGRAM_MODEL_C } program_model_t;
/* "A", "B", "C". */
const char *program_model_name(program_model_t model);

typedef struct {
  uint32_t cut;   /* cut innermost loops to this many iterations, with the true pitch; 0: whole */
  uint32_t size;  /* problem size N instead of the paper's; 0: the paper's */
  uint32_t steps; /* outer steps (time steps, iterations, launches); 0: the paper's */
  program_model_t model; /* the compiler whose instruction mix is used, if there are both texts */
  bool acc_reload;       /* load the accumulator from memory in every iteration */
} program_options_t;

typedef struct {
  ptx_module_t *module; /* open may bind its textures; read-only afterwards */
  memory_t *memory;
  program_options_t options;
} program_host_t;

typedef struct {
  const char *name;  /* "atax", "srad-u" */
  const char *suite; /* "polybench", "rodinia", "micro" */
  const char *type;  /* contention as in Table 2: "CI", "IW", "XW"; "" if the paper gives none */
  const char *doc;
  /* Names of the embedded texts, such as "polybench/atax.a.ptx"; b is NULL if there is only one. */
  const char *ptx_a, *ptx_b;
  /* Model C: the text with sizes as constants (fold.h), and the paper's size; NULL: none. */
  const char *ptx_c;
  uint32_t paper_size;
  size_t state_bytes; /* size of the program's state, which is zeroed before open */
  /* Allocates and fills the memory. Returns 0, or -1 and a message, such as for an option that the
   * program does not support. */
  int (*open)(void *state, const program_host_t *h, mrpb_err_t *err);
  bool (*next)(void *state, const program_host_t *h, simt_launch_t *l);
  double (*progress)(const void *state, const program_host_t *h);
  /* Compares every array that the program writes with the host's own computation. Returns 0, or -1
   * and the first difference: array, index, value, expected value. */
  int (*check)(void *state, const program_host_t *h, mrpb_err_t *err);
  void (*close)(void *state); /* frees what the state points to; NULL if there is nothing */
  /* Options that the program takes; others are refused. --size: size_min to size_max; 0 0: none. */
  bool takes_cut, takes_steps, takes_acc_reload;
  uint32_t size_min, size_max;
} program_t;

/* The i-th program; NULL after the last. Each is an `extern const program_t program_<name>`, listed
 * in tb/workload/programs/programs.def. */
const program_t *program_at(unsigned i);

/* Opens program `name` as a workload. Returns 0, or -1 and a message, with the nearest known name
 * if there is no such program. */
int program_open(workload_t **out, const char *name, const program_options_t *options,
                 mrpb_err_t *err);

/* Checks whether there is such a program and whether it takes these options. Returns 0, or -1 and
 * the message of program_open. */
int program_check(const char *name, const program_options_t *options, mrpb_err_t *err);

/* Helpers for host code. Allocates n elements; returns the address, or 0 and a message if there is
 * no room. */
uint64_t program_alloc(const program_host_t *h, const char *array, uint64_t n, uint32_t elem_bytes,
                       mrpb_err_t *err);
/* A launch of `kernel` with this shape; all parameters are still zero. */
void program_launch(const program_host_t *h, simt_launch_t *l, const char *kernel, uint32_t gx,
                    uint32_t gy, uint32_t bx, uint32_t by, uint32_t regs);
/* Compares n words of `array` at `addr` with `want`, bit by bit; 0, or -1 and the first
 * difference. */
int program_compare_f32(const program_host_t *h, const char *array, uint64_t addr,
                        const float *want, uint64_t n, mrpb_err_t *err);
int program_compare_i32(const program_host_t *h, const char *array, uint64_t addr,
                        const int32_t *want, uint64_t n, mrpb_err_t *err);
/* Fills an array with input values: a fixed pseudo-random sequence from `seed` of floats in [0,
 * 1). */
void program_fill_f32(const program_host_t *h, uint64_t addr, uint64_t n, uint64_t seed);
/* Writes the same values into an array of the host. */
void program_random_f32(float *to, uint64_t n, uint64_t seed);
/* Compares an array that no kernel may write with the values of program_fill_f32. */
int program_compare_random_f32(const program_host_t *h, const char *array, uint64_t addr,
                               uint64_t n, uint64_t seed, mrpb_err_t *err);
/* The smaller of --cut and `trips`; `trips` without --cut. */
uint32_t program_cut(const program_host_t *h, uint32_t trips);

#endif
