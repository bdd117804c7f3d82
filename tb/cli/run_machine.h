/* SPDX-License-Identifier: Apache-2.0 */
/* The GPU of `mrpb run`: its configuration, and which of its SMs an option is for. */
#ifndef CLI_RUN_MACHINE_H
#define CLI_RUN_MACHINE_H

#include "config/config.h"
#include "parts/unit.h"

/* The SMs of --vcd-sm and --activity-sm, and whether the user chose them. */
typedef struct {
  bool impl_given, vcd_given, activity_given;
  uint64_t vcd, activity;
} run_sms_t;

/* What is asked of the run: some kinds of GPU cannot do it. */
typedef struct {
  const unit_choice_t *choice;
  bool check, wave, activity, requests, profile, timeline;
} run_asks_t;

/* Reads the configuration `path` and applies `n` assignments. Returns 0, or -1 and a message in err:
 * a key is wrong, or what is asked of the run needs parts that this GPU lacks. */
int run_machine_load(config_t *m, const char *path, const char *const sets[], unsigned n,
                     const run_asks_t *asks, mrpb_err_t *err);
/* Chooses the SM that runs the Verilog (choice->sm) and the one for waves and activity: by default
 * the SM to which the first block goes. Returns 0, or -1 and a message in err. */
int run_machine_choose(run_sms_t *sms, unit_choice_t *choice, const config_t *m, mrpb_err_t *err);

/* Reads --threads: a number, or `auto`, the free processors. No more than there are. */
int run_machine_threads(unsigned *threads, const char *name, const char *value, mrpb_err_t *err);

/* If only the Verilog answers, its answers can be checked only by the data that travel, so the
 * check is then on unless `off`. Returns 0, or -1 and a message in err. */
int run_machine_check(bool *check, bool off, const unit_choice_t *choice, mrpb_err_t *err);

#endif
