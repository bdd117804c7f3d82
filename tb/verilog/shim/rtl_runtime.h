/* SPDX-License-Identifier: Apache-2.0 */
// Verilator's run-time headers, precompiled once, with the hooks that keep Verilator from printing
// and aborting.
#ifndef RTL_RUNTIME_H
#define RTL_RUNTIME_H

int rtl_runtime_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define VL_PRINTF rtl_runtime_printf
#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_USER_FINISH
#define VL_USER_WARN

#include <cstring>
#include <new>

// Verilator uses the copy of a module's name unchecked, but out of memory strdup returns NULL.
inline char *rtl_runtime_strdup(const char *text) {
  char *copy = strdup(text);
  if (!copy) throw std::bad_alloc();
  return copy;
}
#define strdup rtl_runtime_strdup

#include "verilated.h"

// Where Verilog leaves a value open (x), every version uses the model's power-up value. From 5.026
// on the value would always be random, and two builds could not be compared.
#ifndef RTL_RUNTIME_LIBRARY
#define VL_RAND_RESET_ASSIGN_I(bits) VL_RAND_RESET_I(bits)
#define VL_RAND_RESET_ASSIGN_Q(bits) VL_RAND_RESET_Q(bits)
#define VL_RAND_RESET_ASSIGN_W(bits, words) VL_RAND_RESET_W(bits, words)
#endif

// Whether inputs may have changed since the last evaluation. False if the evaluation is only for
// the clock's edge (verilate.sh).
bool rtl_runtime_inputs_moved(const VerilatedContext *context);

#endif
