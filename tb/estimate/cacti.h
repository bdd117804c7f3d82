/* SPDX-License-Identifier: Apache-2.0 */
/* CACTI 6.5 and 7.0: writes complete inputs and runs a named binary on them. CACTI silently accepts
 * missing or misspelt input lines and ends most failures with exit status 0. Therefore every line
 * that a version reads is written, and a run is judged only by what it prints.
 * docs/estimate/storage.md lists what CACTI cannot model and what is written instead. */
#ifndef ESTIMATE_CACTI_H
#define ESTIMATE_CACTI_H

#include "err.h"
#include "estimate/storage.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum { CACTI_6_5, CACTI_7_0, CACTI_VERSIONS } cacti_version_t;
typedef enum { CACTI_HP, CACTI_LSTP, CACTI_LOP, CACTI_CELLS } cacti_cell_t;

/* CACTI's limits: the least bytes of an array, and the nodes in nm. */
enum { CACTI_LEAST_BYTES = 64 };
enum { CACTI_LEAST_NODE_6_5 = 32, CACTI_LEAST_NODE = 22, CACTI_MOST_NODE = 90 };

typedef struct {
  const char *binary;   /* NULL: do not run CACTI */
  uint32_t node;        /* nm: 32 to 90 for 6.5, 22 to 90 for 7.0 */
  uint32_t temperature; /* K, 300 to 400 in steps of 10 */
  uint32_t bus;         /* data bus in bits; 0: one word, 256 for caches; at most one word */
  uint32_t seconds;     /* time limit of one run */
  cacti_cell_t cell;    /* of cells and periphery, for data and tags */
  bool dual; /* a port for each access of a cycle; otherwise the accesses share one port in turn */
  bool ecc;
} cacti_options_t;

/* Sets the paper's options: 45 nm, 350 K, high performance, a bus of one word, split cycle, ECC. */
void cacti_defaults(cacti_options_t *o);

typedef enum { CACTI_RAM, CACTI_CACHE, CACTI_CAM, CACTI_FULLY } cacti_type_t;

/* The contents of an input. FULLY is a fully associative cache. */
typedef struct {
  cacti_type_t type;
  uint32_t size, block, ways; /* bytes, bytes; 0 ways: CAM and FULLY */
  uint32_t bus;               /* bits */
  uint32_t tag_bits;          /* 0: CACTI's default for 42-bit addresses */
  uint32_t rw, read, write, search;
  uint32_t node, temperature;
  cacti_cell_t cell;
  uint32_t ecc; /* 0 or 1 */
} cacti_input_t;
_Static_assert(sizeof(cacti_input_t) == 14 * sizeof(uint32_t), "compared as bytes");

enum { CACTI_NOTE = 256, CACTI_TEXT = 6144 };

/* Makes the input for an array. Returns false if the array has none (a single register, or tags
 * that are stored with their data). `note` says what differs from the array; "" if nothing does. */
bool cacti_input(const storage_array_t *a, const cacti_options_t *o, cacti_version_t v,
                 cacti_input_t *in, char note[CACTI_NOTE]);
/* The paper's two structures (paper 001, section 6), and a CCWS victim tag store of 3840 bytes. */
typedef enum { CACTI_PAPER_MRPB, CACTI_PAPER_L1, CACTI_PAPER_CCWS, CACTI_PAPERS } cacti_paper_t;
cacti_input_t cacti_paper(cacti_paper_t which);

/* Writes every line of the input, once. */
void cacti_write(const cacti_input_t *in, cacti_version_t v, char text[CACTI_TEXT]);

typedef struct {
  double height, width; /* mm */
  double area;          /* mm2, height x width */
  double access, cycle; /* ns */
  double search;        /* ns, of a CAM; otherwise 0 */
  double read, write;   /* nJ per access; write 0: not printed (6.5) */
  double find;          /* nJ per search, of a CAM and a fully associative cache; otherwise 0 */
  double leakage;       /* mW, including gate leakage if printed */
} cacti_result_t;

/* Reads what a run has printed. Returns false if there is no access time or area. */
bool cacti_parse(const char *text, cacti_result_t *r);

/* A binary that has been tried. */
typedef struct {
  char binary[1024],
      folder[1024]; /* absolute; it runs in its own folder, which holds the tables of 7.0 */
  cacti_version_t version;
  char named[32]; /* as it calls itself: "6.5", "7.0.3DD" */
  uint32_t seconds;
  bool (*stop)(void);
  bool late, stopped; /* the last run was killed: by its time limit, or by stop() */
} cacti_t;

/* Gets the absolute name of an existing file; needed because 7.0 runs in its own folder. */
int cacti_absolute(const char *file, char path[1024], mrpb_err_t *err);

/* Finds out the version by running the paper's MRPB; `probe` holds the absolute names of its two
 * inputs. Returns -1 and a message in err if there is no such program, or it is not CACTI 6.5 or
 * 7.0. */
int cacti_open(cacti_t *c, const cacti_options_t *o, bool (*stop)(void),
               const char *const probe[CACTI_VERSIONS], mrpb_err_t *err);
/* Runs an input file (absolute name); `label` is its name in messages. Returns -1 and a message in
 * err if it gives no result. */
int cacti_run(cacti_t *c, const char *file, const char *label, cacti_result_t *r, mrpb_err_t *err);

const char *cacti_version_name(cacti_version_t v);
const char *cacti_cell_name(cacti_cell_t c);

#endif
