/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps: a list of points, each a program on a configuration, and one SQLite file with the result
 * of each (docs/sweep.md). Only one process writes to the file. A point runs in a process of its
 * own, and the writing process fetches the result from it. */
#ifndef SWEEP_H
#define SWEEP_H

#include "config/config.h"
#include "err.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Results of another version are not used. tests/gpu/test_golden.c says when it must grow. */
enum { SWEEP_RESULTS_VERSION = 2 };

enum {
  SWEEP_MOST_POINTS = 100000,
  SWEEP_MOST_CHOICES = 32, /* lines of `config`, lines of `vary`, values in one `vary` */
  SWEEP_MOST_WORDS = 96,   /* of a program; of a line */
  SWEEP_HASH = 17          /* bytes of a hash as text, with the terminator */
};

/* ---- points ------------------------------------------------------------------------------------ */

/* What runs: arguments of `mrpb run`, in the order of its table of options. */
typedef struct {
  char *name;    /* shown to people; programs with the same name share cost estimates */
  char *options; /* the words, quoted for a shell */
  char **word;   /* ends with NULL */
  unsigned n_words;
  bool cut; /* runs only a part of the program */
  uint64_t hash;
} sweep_program_t;

typedef struct {
  unsigned program; /* its number in the list */
  config_t cfg;
  uint64_t hash; /* of the configuration */
  /* Of the points of a group only the best counts, so the others may be ended; 0: this one counts
   * by itself. */
  uint64_t group;
} sweep_point_t;

/* Every point and every program is in the list once. Must be all zeros at first. */
typedef struct {
  sweep_program_t *program;
  sweep_point_t *point;
  size_t n_programs, n, room_programs, room;
  size_t *slot, n_slots; /* hash table of the points; 0: free, else the point's number + 1 */
} sweep_list_t;

/* The hash of a program whose options name no file. */
uint64_t sweep_words_hash(const char *const *word, unsigned n);
/* Finds the program with this hash, or adds it. Returns its number, or -1 and a message in err. */
int sweep_list_program(sweep_list_t *l, const char *name, const char *const *word, unsigned n,
                       bool cut, uint64_t hash, mrpb_err_t *err);
/* Returns the number of a point; SIZE_MAX if it is not in the list. */
size_t sweep_list_find(const sweep_list_t *l, uint64_t program, uint64_t configuration);
/* Adds a point. Returns 0, or -1 and a message in err if out of memory or beyond
 * SWEEP_MOST_POINTS. */
int sweep_list_add(sweep_list_t *l, unsigned program, const config_t *cfg, mrpb_err_t *err);
/* The same for a point of a group. A point that is also in another group, or in none, counts by
 * itself. */
int sweep_list_add_to(sweep_list_t *l, unsigned program, const config_t *cfg, uint64_t group,
                      mrpb_err_t *err);
/* Which keys differ between the points: an array of config_count() values, which the caller frees;
 * NULL if out of memory. */
bool *sweep_list_keys(const sweep_list_t *l);
void sweep_list_free(sweep_list_t *l);

/* The parts of a sweep, to be crossed. The caller owns the texts. */
typedef struct {
  const char *config[SWEEP_MOST_CHOICES], *vary[SWEEP_MOST_CHOICES];
  unsigned n_configs, n_varies;
  const char **set, **point; /* assignments; a line holds several, separated by blanks */
  size_t n_sets, n_points, room_sets, room_points;
} sweep_cross_t;

/* Adds the point of every program of the list at every choice. Returns 0, or -1 and a message in
 * err. */
int sweep_cross(sweep_list_t *l, const sweep_cross_t *x, mrpb_err_t *err);

/* Takes the words after `program` in a sweep file and adds the program to the list. The caller
 * provides this function, because only it knows the options of `mrpb run`. */
typedef int (*sweep_take_program_t)(sweep_list_t *l, int n, char **word, mrpb_err_t *err);
/* Reads a sweep file and adds its programs and points to `l`, which need not be empty. Returns 0,
 * or -1 and "FILE:LINE: ..." in err. */
int sweep_read(sweep_list_t *l, const char *path, sweep_take_program_t program, mrpb_err_t *err);

/* A configuration as text for `mrpb run -c`, with no comment except its hash. The caller frees it;
 * NULL if out of memory. */
char *sweep_config_text(const config_t *cfg, uint64_t hash);
void sweep_hash_text(uint64_t hash, char text[SWEEP_HASH]);

/* ---- the store ----------------------------------------------------------------------------------- */

/* The outcome of a run. */
typedef struct {
  bool exited; /* `code` is the exit code if true, else the signal */
  int code;
  double cpu_seconds;
  long memory_kb;
  char host[128], started[24];
  char message[512]; /* of a failed run */
  uint64_t from;     /* derived, not run: the configuration whose run proves the result; else 0 */
  uint64_t ended;    /* the cycle in which the run was ended, since it cannot be the best; else 0 */
  char *json;        /* of a successful run; the receiver frees it */
} sweep_outcome_t;

/* Ended: the run was not the best of its group, and has no result. */
typedef enum { SWEEP_MISSING, SWEEP_DONE, SWEEP_FAILED, SWEEP_ENDED } sweep_state_t;

typedef struct sweep_store sweep_store_t;

/* Opens the file for reading. A missing or empty file is no error: *s is then NULL, and every point
 * is missing in it. Returns 0, or -1 and a message in err. */
int sweep_store_read(sweep_store_t **s, const char *path, mrpb_err_t *err);
/* Opens the file for writing, or creates it and its folders. Returns 0, or -1 and a message in err,
 * also if another process has it open for writing. */
int sweep_store_write(sweep_store_t **s, const char *path, mrpb_err_t *err);
void sweep_store_close(sweep_store_t *s);

/* Stores a result permanently; it replaces a failed one. Returns 0, or -1 and a message in err. */
int sweep_store_put(sweep_store_t *s, const sweep_program_t *program, const sweep_point_t *point,
                    const sweep_outcome_t *o, mrpb_err_t *err);
int sweep_store_state(sweep_store_t *s, uint64_t program, uint64_t configuration,
                      sweep_state_t *state, mrpb_err_t *err);
/* Fetches the result. *o->json is NULL if the run failed; *there is false if the result is missing.
 * Returns 0, or -1 and a message in err. */
int sweep_store_get(sweep_store_t *s, uint64_t program, uint64_t configuration, bool *there,
                    sweep_outcome_t *o, mrpb_err_t *err);
/* Removes every derived result. */
int sweep_store_forget_derived(sweep_store_t *s, mrpb_err_t *err);
/* Adds every point that has a result, ordered by program and by the hash of its configuration. */
int sweep_store_list(sweep_store_t *s, sweep_list_t *l, mrpb_err_t *err);
/* Mean CPU seconds of the stored runs: of a program at any configuration, of all programs with that
 * name, or of everything (NULL, 0). *seconds is 0 if there are none. */
int sweep_store_cost(sweep_store_t *s, const char *name, uint64_t program, double *seconds,
                     mrpb_err_t *err);

/* ---- running ------------------------------------------------------------------------------------- */

typedef struct {
  const char *folder;        /* for the tasks; every host sees it. Created; removed if empty */
  const char *const *option; /* options of sbatch */
  unsigned n_options;
} sweep_slurm_t;

typedef struct {
  const sweep_list_t *list;
  sweep_store_t *store;
  const char *program; /* path of mrpb */
  unsigned jobs;
  const sweep_slurm_t *slurm; /* run the points as Slurm tasks; NULL: run them here */
  bool retry;                 /* repeat runs that failed before */
  bool skip_equal;            /* do not run what another run proves; not with slurm */
  const char *const *best;    /* keys: of points that differ only in these, only the best counts */
  unsigned n_best;            /* 0: the groups of the list; not with slurm */
  FILE *log;                  /* gets a line for each point; NULL: none */
  FILE *show; /* a terminal for the progress and, if there is no log, for failures; NULL: none */
  bool (*stop)(void);
} sweep_t;

/* Runs the missing points. Returns 0; 1 if some point of the list has failed, now or before; 130 if
 * it was stopped; or -1 and a message in err. */
int sweep_run(const sweep_t *s, mrpb_err_t *err);
/* Runs one task of a Slurm job, in its folder. Returns 0 if its result is there; 130 if it was
 * stopped; or -1 and a message in err. */
int sweep_task(const char *folder, const char *program, bool (*stop)(void), mrpb_err_t *err);

/* Prints what sweep_run would run, and for how long. */
int sweep_show(const sweep_t *s, FILE *out, mrpb_err_t *err);

/* ---- export --------------------------------------------------------------------------------------- */

typedef struct {
  const char *const *stat; /* statistics; n_stats 0: all */
  unsigned n_stats;
  bool json; /* else CSV */
} sweep_export_t;

int sweep_export(const sweep_list_t *l, sweep_store_t *s, const sweep_export_t *how, FILE *out,
                 mrpb_err_t *err);

#endif
