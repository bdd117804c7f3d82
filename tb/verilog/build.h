/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of Verilog and what the tools say of them: the key of what a module is made of, names that
 * tools take, and the one line that says what went wrong. */
#ifndef RTL_BUILD_H
#define RTL_BUILD_H

#include "base/files.h"
#include "err.h"
#include "module.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit code that a failure asks for; most functions returns 0 or one of these. */
enum { RTL_OK = 0, RTL_BAD_INPUT = 2, RTL_BAD_TOOL = 5 };

/* The Verilog files of `dir` that `stem` reaches by naming them (an over-approximation: every word
 * that is the name of a file counts), and all its header files. 0, or -1 and a message if a file
 * cannot be read. */
int rtl_hash_sources(uint64_t *hash, const char *dir, const char *stem, mrpb_err_t *err);

/* `dir`, given with --rtl, is a folder that can be read. 0, or -1 and a message. */
int rtl_check_dir(const char *dir, mrpb_err_t *err);

/* The folder `dir` by a name that every tool takes: itself, or a link in `cache` if there is a
 * blank or the like in it. 0, or -1 and a message. */
int rtl_tool_dir(const char *cache, const char *dir, char link[FILES_PATH], mrpb_err_t *err);

/* Does this line of Verilator's count? Errors do, and warnings by name: those of kinds that came
 * with later versions do not, nor does its closing report. */
bool rtl_complaint(const char *line);
/* Does Verilator say of itself that it fails? */
bool rtl_is_internal(const char *line);
/* Such a line as the message: where, which version, and what to write instead if that is known. RTL_BAD_TOOL. */
int rtl_internal(const char *line, mrpb_err_t *err);
/* First message of a failed verilation in `log`, as one line. `stem` and the folder explain what
 * was expected. Returns the exit code (RTL_BAD_INPUT for the user's Verilog, RTL_BAD_TOOL
 * otherwise). */
int rtl_explain(const char *log, const char *stem, const char *dir, const char *tools_dir,
                mrpb_err_t *err);
/* The error of Yosys in `log` as the message, if there is one, with `dir` where it says `tools_dir`. */
bool rtl_yosys_error(const char *log, const char *tools_dir, const char *dir, mrpb_err_t *err);
/* `line` as the message, "TOOL: ..." if there is one, with `dir` where it says `tools_dir`. */
void rtl_say_dir(const char *line, const char *tools_dir, const char *dir, const char *tool,
                 mrpb_err_t *err);

/* Compares the verilated ports and registers in `dir` with the ports table. 0, or -1 and a message.
 */
int rtl_check(const char *dir, const char *rtl_dir, const module_class_t *cls, const uint32_t *cfg,
              mrpb_err_t *err);

#endif
