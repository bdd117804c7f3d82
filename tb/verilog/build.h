/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of Verilog and the tools' messages about them: the cache key of what a module is made of,
 * path names that tools accept, and the one line that says what went wrong. */
#ifndef RTL_BUILD_H
#define RTL_BUILD_H

#include "base/files.h"
#include "err.h"
#include "module.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit code that a failure calls for. Most functions return 0 or one of these. */
enum { RTL_OK = 0, RTL_BAD_INPUT = 2, RTL_BAD_TOOL = 5 };

/* Hashes the Verilog files of `dir` that `stem` reaches by naming them, and all header files. This
 * is an over-approximation: every word that is the name of a file counts. Returns 0, or -1 and a
 * message in err if a file cannot be read. */
int rtl_hash_sources(uint64_t *hash, const char *dir, const char *stem, mrpb_err_t *err);

/* Makes `folder` with a link to each of these files, and no other: what a tool reads there decides
 * even the names that it invents, so the netlist of a module must not depend on a module beside it.
 * Returns 0, or -1 and a message in err. */
int rtl_link_sources(const char *dir, const char *stem, const char *folder, mrpb_err_t *err);

/* Checks that `dir`, given with --rtl, is a folder that can be read. Returns 0, or -1 and a message
 * in err. */
int rtl_check_dir(const char *dir, mrpb_err_t *err);

/* Gives the folder `dir` a name that every tool accepts: its own, or a link in `cache` if its name
 * has a blank or a similar character. Returns 0, or -1 and a message in err. */
int rtl_tool_dir(const char *cache, const char *dir, char link[FILES_PATH], mrpb_err_t *err);

/* Whether this line of Verilator's output counts. Errors count, and so do warnings, by name: kinds
 * that later versions added do not count, nor does Verilator's closing report. */
bool rtl_complaint(const char *line);
/* Whether Verilator reports an internal failure of its own. */
bool rtl_is_internal(const char *line);
/* Turns such a line into the message: where, which version, and what to write instead if that is
 * known. Returns RTL_BAD_TOOL. */
int rtl_internal(const char *line, mrpb_err_t *err);
/* Turns the first error of a failed verilation in `log`, or the first warning if there is no error,
 * into one line. `stem` and the folder explain what was expected. Returns the exit code:
 * RTL_BAD_INPUT for the user's Verilog, RTL_BAD_TOOL otherwise. */
int rtl_explain(const char *log, const char *stem, const char *dir, const char *tools_dir,
                mrpb_err_t *err);
/* Copies the error of Yosys in `log`, if there is one, to the message, with `dir` in place of
 * `tools_dir`. */
bool rtl_yosys_error(const char *log, const char *tools_dir, const char *dir, mrpb_err_t *err);
/* Copies `line` to the message, after "TOOL: " if a tool is given, with `dir` in place of
 * `tools_dir`. */
void rtl_say_dir(const char *line, const char *tools_dir, const char *dir, const char *tool,
                 mrpb_err_t *err);

/* Compares the verilated ports and registers in `dir` with the ports table. Returns 0, or -1 and a
 * message in err. */
int rtl_check(const char *dir, const char *rtl_dir, const module_class_t *cls, const uint32_t *cfg,
              mrpb_err_t *err);

#endif
