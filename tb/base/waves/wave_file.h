/* SPDX-License-Identifier: Apache-2.0 */
/* Wave files as a user names them: complete or not there at all (base/output.h), and FST if the name
 * ends in ".fst". FST is made from the finished VCD by vcd2fst, of GTKWave's package. */
#ifndef WAVE_FILE_H
#define WAVE_FILE_H

#include "base/output.h"

#include <stdbool.h>

/* The name to write the VCD to; -1 and a message that begins with `path` if it cannot be written,
 * or needs vcd2fst and that is missing. */
int wave_file_temp(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err);
/* Whether `path` (NULL: no) ends in ".fst" and there is no vcd2fst; then a message. */
bool wave_file_no_tool(const char *path, mrpb_err_t *err);
/* The VCD `temp` is complete and closed. 0, or -1 and a message, and no file. */
int wave_file_commit(const char *path, const char *temp, mrpb_err_t *err);

/* The save file that belongs to the wave: "dir/mshr.vcd" -> "dir/mshr.gtkw". `dump` is the wave's
 * name as seen from there. -1 and a message if the name is too long; an empty `save` if the wave is
 * no file (a pipe, /dev/stdout). */
int wave_file_save(const char *path, char save[OUTPUT_NAME], const char **dump, mrpb_err_t *err);

#endif
