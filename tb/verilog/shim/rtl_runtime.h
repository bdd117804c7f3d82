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

#include "verilated.h"

#endif
