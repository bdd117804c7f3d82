/* SPDX-License-Identifier: Apache-2.0 */
/* gpgpusim.def as a table, for gpgpusim*.c. */
#ifndef GPGPUSIM_ROWS_H
#define GPGPUSIM_ROWS_H

enum { GPGPUSIM_KIND = 31 /* the place of a letter before the first number */ };

typedef enum {
  GPGPUSIM_NUMBER,
  GPGPUSIM_CLOCK,
  GPGPUSIM_WORD,
  GPGPUSIM_MUST,
  GPGPUSIM_SAME
} gpgpusim_how_t;

typedef struct {
  gpgpusim_how_t how;
  const char *option;
  unsigned group, place;
  const char *prefix;
  unsigned key, per; /* the number of the key in config.h's order; unused by SAME */
  const char *words; /* of WORD: its words; of MUST and SAME: the required value */
  const char *doc;
} gpgpusim_row_t;

extern const gpgpusim_row_t gpgpusim_rows[];
extern const unsigned gpgpusim_n_rows;

/* Returns the present name of an option. */
const char *gpgpusim_now(const char *name);

#endif
