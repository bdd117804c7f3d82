/* SPDX-License-Identifier: Apache-2.0 */
/* Wave files as a user names them: they appear only when complete (base/output.h), and are FST if
 * the name ends in ".fst". vcd2fst, of GTKWave's package, makes the FST from the finished VCD. */
#ifndef WAVE_FILE_H
#define WAVE_FILE_H

#include "base/output.h"

#include <stdbool.h>

/* Gives the name to write the VCD to. Returns 0, or -1 and a message that begins with `path` if it
 * cannot be written, or if it needs vcd2fst and that is missing. */
int wave_file_temp(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err);
/* True, with a message, if `path` ends in ".fst" and vcd2fst is missing; false if `path` is
 * NULL. */
bool wave_file_no_tool(const char *path, mrpb_err_t *err);
/* Commits the VCD `temp`, which must be complete and closed. Returns 0, or -1 and a message; no
 * file is then left. */
int wave_file_commit(const char *path, const char *temp, mrpb_err_t *err);

/* Gives the name of the save file that belongs to the wave: "dir/mshr.vcd" -> "dir/mshr.gtkw".
 * `dump` is the wave's name as seen from there. Returns 0, or -1 and a message if the name is too
 * long; `save` is empty if the wave is not a file (a pipe, /dev/stdout). */
int wave_file_save(const char *path, char save[OUTPUT_NAME], const char **dump, mrpb_err_t *err);

#endif
