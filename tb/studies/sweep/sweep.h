/* SPDX-License-Identifier: Apache-2.0 */
/* Sweeps: a list of points, each a program on a configuration, and one SQLite file that keeps what
 * each came to (docs/sweep.md). Only one process writes to the file; a point's run is a process of
 * its own, which leaves what it counted where that one fetches it. */
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
  SWEEP_MOST_CHOICES = 32, /* lines of `config`, `vary`, values of one */
  SWEEP_MOST_WORDS = 96,   /* of a program, of a line */
  SWEEP_HASH = 17          /* bytes of a hash as text */
};

/* ---- points ------------------------------------------------------------------------------------ */

/* What runs: arguments of `mrpb run`, in the order of its table of options. */
typedef struct {
  char *name;    /* for people, and for what others of that name have cost */
  char *options; /* the words as a shell takes them */
  char **word;   /* NULL at the end */
  unsigned n_words;
  bool cut; /* less than the whole of it */
  uint64_t hash;
} sweep_program_t;

typedef struct {
  unsigned program; /* number in the list */
  config_t cfg;
  uint64_t hash; /* of the configuration */
} sweep_point_t;

/* No point and no program is in it twice. Begins as all zeros. */
typedef struct {
  sweep_program_t *program;
  sweep_point_t *point;
  size_t n_programs, n, room_programs, room;
  size_t *slot, n_slots; /* points by their hashes; 0: free, else the number + 1 */
} sweep_list_t;

/* The hash of a program whose options name no file. */
uint64_t sweep_words_hash(const char *const *word, unsigned n);
/* The program with this hash, added if it is not there: its number, or -1 and a message. */
int sweep_list_program(sweep_list_t *l, const char *name, const char *const *word, unsigned n,
                       bool cut, uint64_t hash, mrpb_err_t *err);
/* The number of a point; SIZE_MAX if it is not there. */
size_t sweep_list_find(const sweep_list_t *l, uint64_t program, uint64_t configuration);
/* Adds a point; -1 and a message: no memory, or more than SWEEP_MOST_POINTS. */
int sweep_list_add(sweep_list_t *l, unsigned program, const config_t *cfg, mrpb_err_t *err);
/* Which keys tell the points from each other: an array of config_count(), the caller's; NULL without
 * memory. */
bool *sweep_list_keys(const sweep_list_t *l);
void sweep_list_free(sweep_list_t *l);

/* What a sweep is made of, to be crossed; texts are the caller's. */
typedef struct {
  const char *config[SWEEP_MOST_CHOICES], *vary[SWEEP_MOST_CHOICES];
  unsigned n_configs, n_varies;
  const char **set, **point; /* assignments; of a line several, with blanks between */
  size_t n_sets, n_points, room_sets, room_points;
} sweep_cross_t;

/* Adds the point of every program of the list at every choice; -1 and a message. */
int sweep_cross(sweep_list_t *l, const sweep_cross_t *x, mrpb_err_t *err);

/* Words behind `program` in a sweep file: adds the program to the list. What the options of `mrpb
 * run` mean is known to who gives the function. */
typedef int (*sweep_take_program_t)(sweep_list_t *l, int n, char **word, mrpb_err_t *err);
/* Reads a sweep file: programs and points into `l`, which may have some. -1 and "FILE:LINE: ...". */
int sweep_read(sweep_list_t *l, const char *path, sweep_take_program_t program, mrpb_err_t *err);

/* A configuration as a file of `mrpb run -c`, without comments but its hash; NULL without memory. */
char *sweep_config_text(const config_t *cfg, uint64_t hash);
void sweep_hash_text(uint64_t hash, char text[SWEEP_HASH]);

/* ---- the store ----------------------------------------------------------------------------------- */

/* What became of a run. */
typedef struct {
  bool exited; /* `code` is its exit code, else its signal */
  int code;
  double cpu_seconds;
  long memory_kb;
  char host[128], started[24];
  char message[512]; /* of a failed one */
  char *json;        /* of one that has not; the receiver frees it */
} sweep_outcome_t;

typedef enum { SWEEP_MISSING, SWEEP_DONE, SWEEP_FAILED } sweep_state_t;

typedef struct sweep_store sweep_store_t;

/* Opens the file for reading. One that is not there, or has nothing in it, is no error: *s is NULL
 * then, in which every point is missing. */
int sweep_store_read(sweep_store_t **s, const char *path, mrpb_err_t *err);
/* Opens it for writing, or makes it with its folders; -1 and a message also if another process has
 * it. */
int sweep_store_write(sweep_store_t **s, const char *path, mrpb_err_t *err);
void sweep_store_close(sweep_store_t *s);

/* Stores a result for good, in the place of a failed one. */
int sweep_store_put(sweep_store_t *s, const sweep_program_t *program, const sweep_point_t *point,
                    const sweep_outcome_t *o, mrpb_err_t *err);
int sweep_store_state(sweep_store_t *s, uint64_t program, uint64_t configuration,
                      sweep_state_t *state, mrpb_err_t *err);
/* The result, or NULL in *o->json where it failed; false in *there if it is missing. */
int sweep_store_get(sweep_store_t *s, uint64_t program, uint64_t configuration, bool *there,
                    sweep_outcome_t *o, mrpb_err_t *err);
/* Adds every point that has a result, by program and by the hash of its configuration. */
int sweep_store_list(sweep_store_t *s, sweep_list_t *l, mrpb_err_t *err);
/* Mean CPU seconds of what is stored of a program at any configuration, of programs of that name, of
 * everything (NULL, 0): 0 if there is none. */
int sweep_store_cost(sweep_store_t *s, const char *name, uint64_t program, double *seconds,
                     mrpb_err_t *err);

/* ---- running ------------------------------------------------------------------------------------- */

typedef struct {
  const char *folder; /* of the tasks; every host sees it. It is made, and removed if it is empty */
  const char *const *option; /* of sbatch */
  unsigned n_options;
} sweep_slurm_t;

typedef struct {
  const sweep_list_t *list;
  sweep_store_t *store;
  const char *program; /* path of mrpb */
  unsigned jobs;
  const sweep_slurm_t *slurm; /* the runs are tasks of its job arrays; NULL: they are made here */
  bool retry;                 /* what has failed before is run again */
  FILE *log;                  /* a line for each point; NULL: not */
  FILE *show; /* a terminal for the progress; without a log for what fails, too; NULL: none */
  bool (*stop)(void);
} sweep_t;

/* Makes what is missing. 0; 1: some point of the list has failed, now or before; 130: stopped; -1 and
 * a message. */
int sweep_run(const sweep_t *s, mrpb_err_t *err);
/* One task of a Slurm job, in its folder: 0, its result is there; -1 and a message; 130: stopped. */
int sweep_task(const char *folder, const char *program, bool (*stop)(void), mrpb_err_t *err);

/* What that would run, and for how long. */
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
