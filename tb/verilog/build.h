/* SPDX-License-Identifier: Apache-2.0 */
/* What lib.c needs of files and of the tools: keys, temporary directories, calls of
 * verilate.sh, and the one line that says what went wrong. Internal to tb/cosim. */
#ifndef RTL_BUILD_H
#define RTL_BUILD_H

#include "err.h"
#include "module.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The exit code that a failure asks for; most functions returns 0 or one of these. */
enum { RTL_OK = 0, RTL_BAD_INPUT = 2, RTL_BAD_TOOL = 5 };

#define RTL_NO_LIMIT UINT32_MAX

enum {
  RTL_PATH = 1024,
  RTL_MOST = 1 << 26, /* bytes of a file of Verilog, or of what a tool says */
  RTL_SECONDS = 3600  /* of one call of a tool, which is then killed */
};

/* FNV-1a over everything that goes into a build; start with RTL_HASH_START. */
#define RTL_HASH_START UINT64_C(0xcbf29ce484222325)
uint64_t rtl_hash_bytes(uint64_t hash, const void *data, size_t n);
uint64_t rtl_hash_text(uint64_t hash, const char *text);
/* The contents of a file; 0, or -1 and a message. */
int rtl_hash_file(uint64_t *hash, const char *path, mrpb_err_t *err);
/* The Verilog files of `dir` that `stem` reaches by naming them (an over-approximation: every word
 * that is the name of a file counts), and all its header files. 0, or -1 and a message if a file
 * cannot be read. */
int rtl_hash_sources(uint64_t *hash, const char *dir, const char *stem, mrpb_err_t *err);

/* Whole file, terminated by a 0; NULL if it cannot be read. The caller frees it. */
char *rtl_read_file(const char *path, size_t *size);
bool rtl_exists(const char *path);
bool rtl_is_folder(const char *path);
/* snprintf into a path of RTL_PATH bytes; false if it does not fit. */
bool rtl_path(char *path, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The project's folder, above the running program or else above the working directory. 0, or -1 and
 * a message. */
int rtl_find_root(char root[RTL_PATH], mrpb_err_t *err);

/* `dir`, given with --rtl, is a folder that can be read. 0, or -1 and a message. */
int rtl_check_dir(const char *dir, mrpb_err_t *err);

/* A new directory <cache>/tmp.<pid>.<n>; those of dead processes are removed. 0, or -1 and a
 * message. */
int rtl_temp_dir(char *path, const char *cache, mrpb_err_t *err);
/* Removes a directory and what is in it, except files named `keep` (may be NULL; the directory then
 * stays). */
void rtl_remove_tree(const char *path, const char *keep);
/* Removes the folders of `folder` whose names begin with `prefix`. */
void rtl_remove_named(const char *folder, const char *prefix);
/* Makes the finished `temp` visible as `final`; if somebody else was faster, theirs is used. */
int rtl_publish(const char *temp, const char *final, mrpb_err_t *err);

/* Runs argv[0] with both outputs appended to `log`; the exit status (128 + signal if it
 * was killed, after RTL_SECONDS, or with this process), or -1 if it could not be run. */
int rtl_run(const char *const *argv, const char *log);
/* With another limit; RTL_NO_LIMIT where argv has its own. */
int rtl_run_for(const char *const *argv, const char *log, unsigned seconds);

/* The folder `dir` by a name that every tool takes: itself, or a link in `cache` if there is a
 * blank or the like in it. 0, or -1 and a message. */
int rtl_tool_dir(const char *cache, const char *dir, char link[RTL_PATH], mrpb_err_t *err);

/* Does this line of Verilator's count? Errors do, and warnings by name: those of kinds that came
 * with later versions do not, nor does its closing report. */
bool rtl_complaint(const char *line);
/* First message of a failed verilation in `log`, as one line. `stem` and the folder explain what
 * was expected. Returns the exit code (RTL_BAD_INPUT for the user's Verilog, RTL_BAD_TOOL
 * otherwise). */
int rtl_explain(const char *log, const char *stem, const char *dir, const char *tools_dir,
                mrpb_err_t *err);
/* `line` as the message, "TOOL: ..." if there is one, with `dir` where it says `tools_dir`. */
void rtl_say_dir(const char *line, const char *tools_dir, const char *dir, const char *tool,
                 mrpb_err_t *err);

/* Compares the verilated ports and registers in `dir` with the ports table. 0, or -1 and a message.
 */
int rtl_check(const char *dir, const char *rtl_dir, const module_class_t *cls, const uint32_t *cfg,
              mrpb_err_t *err);

#endif
