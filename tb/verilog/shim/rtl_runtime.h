/* SPDX-License-Identifier: Apache-2.0 */
// Verilator's run-time headers, precompiled once; with the hooks that keep it from printing and
// aborting.
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

// Verilator takes the copy of a module's name as it comes: without memory there is none.
inline char *rtl_runtime_strdup(const char *text) {
  char *copy = strdup(text);
  if (!copy) throw std::bad_alloc();
  return copy;
}
#define strdup rtl_runtime_strdup

#include "verilated.h"

// What Verilog leaves open (x) is what the model powers up with, in every version: from 5.026 on it would be random always, and
// two builds could not be compared.
#ifndef RTL_RUNTIME_LIBRARY
#define VL_RAND_RESET_ASSIGN_I(bits) VL_RAND_RESET_I(bits)
#define VL_RAND_RESET_ASSIGN_Q(bits) VL_RAND_RESET_Q(bits)
#define VL_RAND_RESET_ASSIGN_W(bits, words) VL_RAND_RESET_W(bits, words)
#endif

// Inputs may have changed since the last evaluation; not if that is for the clock's edge alone (verilate.sh).
bool rtl_runtime_inputs_moved(const VerilatedContext *context);

#endif
