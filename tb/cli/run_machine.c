/* SPDX-License-Identifier: Apache-2.0 */
/* See run_machine.h. */
#include "cli/run_machine.h"
#include "base/team.h"
#include "cli/options.h"

#include <inttypes.h>
#include <string.h>

static int check_l1(const run_asks_t *a, mrpb_err_t *err) {
  const unit_choice_t *c = a->choice;
  if (c->mrpb != UNIT_C || c->mshr != UNIT_C || c->prt != UNIT_C)
    return mrpb_fail(err, "--impl l1: contains MRPB, MSHR table and PRT; legal: l1= alone");
  if (a->requests) return mrpb_fail(err, "--requests: legal: without --impl l1");
  if (a->profile) return mrpb_fail(err, "--by-pc, --by-buffer: legal: without --impl l1");
  if (a->timeline) return mrpb_fail(err, "--timeline, --maps: legal: without --impl l1");
  return 0;
}

/* Refuses Verilog of a unit that no SM has: it would compare nothing. */
static int check_pipeline(const run_asks_t *a, const config_t *cfg, const char *path,
                          mrpb_err_t *err) {
  const unit_choice_t *choice = a->choice;
  const bool prt = cfg->mrpb && cfg->bypass_tracking == CONFIG_TRACKING_PRT;
  if (choice->l1_path) return check_l1(a, err);
  if (choice->mrpb != UNIT_C && !(cfg->mrpb && cfg->mrpb_reorder))
    return mrpb_fail(err, "--impl mrpb: no SM of %.200s has an MRPB with queues; legal: %s", path,
                     prt ? "mshr= or prt=" : "mshr=");
  if (choice->prt != UNIT_C && !prt)
    return mrpb_fail(err, "--impl prt: no SM of %.200s has a PRT; legal: mshr=", path);
  return 0;
}

static int check_in_order(const run_asks_t *a, const config_t *cfg, const char *path,
                          mrpb_err_t *err) {
  const bool prt = cfg->table == DEVICE_TABLE_PRT, mrpb = cfg->mrpb && cfg->mrpb_reorder;
  if (a->choice->l1_path)
    return mrpb_fail(err, "--impl l1: the cores of %.200s are in order; legal: CORE = pipeline",
                     path);
  if ((a->choice->mrpb != UNIT_C && !mrpb) || (prt ? a->choice->mshr : a->choice->prt) != UNIT_C)
    return mrpb_fail(err, "--impl: the cores of %.200s have no such unit; legal: %s%s", path,
                     mrpb ? "mrpb= or " : "", prt ? "prt=" : "mshr=");
  return 0;
}

int run_machine_load(config_t *m, const char *path, const char *const sets[], unsigned n,
                     const run_asks_t *asks, mrpb_err_t *err) {
  if (config_load(m, path, err) != 0) return -1;
  for (unsigned i = 0; i < n; i++)
    if (config_set(m, sets[i], err) != 0) return -1;
  if (config_check(m, path, err) != 0) return -1;
  return m->core == CONFIG_CORE_IN_ORDER ? check_in_order(asks, m, path, err)
                                         : check_pipeline(asks, m, path, err);
}

int run_machine_choose(run_sms_t *sms, unit_choice_t *choice, const config_t *m, mrpb_err_t *err) {
  const int last = (int)m->sms - 1;
  const int first = m->core == CONFIG_CORE_IN_ORDER || last == 0 ? 0 : 1;
  if (!sms->impl_given && choice->sm >= 0) choice->sm = first;
  if (choice->sm > last)
    return mrpb_fail(err, "--impl-sm %d; legal: 0 to %d or all", choice->sm, last);
  const uint64_t usual = choice->sm >= 0 ? (uint64_t)choice->sm : (uint64_t)first;
  if (!sms->vcd_given) sms->vcd = usual;
  if (sms->vcd > (uint64_t)last)
    return mrpb_fail(err, "--vcd-sm %" PRIu64 "; legal: 0 to %d", sms->vcd, last);
  if (!sms->activity_given) sms->activity = usual;
  if (sms->activity > (uint64_t)last)
    return mrpb_fail(err, "--activity-sm %" PRIu64 "; legal: 0 to %d", sms->activity, last);
  return 0;
}

int run_machine_check(bool *check, bool off, const unit_choice_t *choice, mrpb_err_t *err) {
  const bool alone = choice->mrpb == UNIT_RTL || choice->mshr == UNIT_RTL ||
                     choice->prt == UNIT_RTL || choice->l1 == UNIT_RTL;
  if (off && *check) return mrpb_fail(err, "--check, --no-check: legal: one of them");
  if (off && !alone)
    return mrpb_fail(err, "--no-check: legal: with --impl UNIT=rtl, which checks by default");
  *check |= alone && !off;
  return 0;
}

int run_machine_threads(unsigned *threads, const char *name, const char *value, mrpb_err_t *err) {
  const unsigned there = team_processors();
  mrpb_err_t unsaid = {{0}};
  uint64_t n = 0;
  *threads = team_free_processors();
  if (strcmp(value, "auto") == 0) return 0;
  if (cli_number(name, value, 1, TEAM_MOST, &n, &unsaid) != 0)
    return mrpb_fail(err, "%s %.40s: legal: 1 to %d, auto", name, value, (int)TEAM_MOST);
  *threads = n < there ? (unsigned)n : there;
  return 0;
}
