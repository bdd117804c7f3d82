/* SPDX-License-Identifier: Apache-2.0 */
/* Each kind of cores before each kind of memory: programs compute what the host computes, and
 * every load has what its thread may see; every
 * request is answered, and latencies, sectors, room and ends are as worked out here. */
#include "gpu/gpu.h"
#include "mixture_help.h"
#include "workload/mini_help.h"
#include "workload/program_help.h"

Suite *test_machines_suite(void);

typedef struct {
  config_t cfg;
  bool in_order, ports, check;
  workload_t *w;
  const mrpb_gpu_memory_t *memory;
  gpu_t *gpu;
} rig_t;

static void load(rig_t *r, const char *device) {
  r->cfg = mixture(r->in_order, r->ports, device);
}

static gpu_end_t run(rig_t *r, mrpb_err_t *err) {
  const gpu_setup_t s = {.cfg = &r->cfg, .workload = r->w, .memory = r->memory, .check = r->check};
  ck_assert_msg(gpu_create(&r->gpu, &s, err) == 0, "%s", err->text);
  return gpu_run(r->gpu, err);
}

static void must_run(rig_t *r) {
  mrpb_err_t err = {{0}};
  const gpu_end_t end = run(r, &err);
  ck_assert_msg(end == GPU_DONE, "end %d: %s", (int)end, err.text);
  ck_assert_msg(workload_check(r->w, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(gpu_icnt_stats(r->gpu, ICNT_REQUEST).packets,
                    gpu_icnt_stats(r->gpu, ICNT_REPLY).packets);
}

static void close_rig(rig_t *r) {
  gpu_destroy(r->gpu);
  workload_close(r->w);
}

/* ---- programs ----------------------------------------------------------------- */

static const struct {
  const char *device;
  bool in_order, ports;
} machine[] = {{"h200", false, true}, {"k20", false, true},    {"h200", true, false},
               {"k20", true, false},  {"gtx280", true, false}, {"m2070", true, false},
               {"h200", true, true},  {"h200", false, false}};
static const struct {
  const char *name;
  uint32_t size;
} program[] = {{"atax", 64},  {"gemm", 64}, {"bfs", 4096}, {"srad-u", 64},
               {"kms", 1024}, {"lud", 64},  {"hs", 64}};
enum { MACHINES = sizeof machine / sizeof *machine, PROGRAMS = sizeof program / sizeof *program };

START_TEST(values_are_right) {
  const unsigned m = (unsigned)_i / PROGRAMS, p = (unsigned)_i % PROGRAMS;
  rig_t r = {.in_order = machine[m].in_order, .ports = machine[m].ports, .check = true};
  r.w = open_program(program[p].name, (program_options_t){.size = program[p].size});
  load(&r, machine[m].device);
  must_run(&r);
  const check_stats_t *k = gpu_check_stats(r.gpu);
  ck_assert_uint_gt(k->loads, 0);
  ck_assert_uint_eq(k->loads, k->hits + k->fills + k->bypasses);
  close_rig(&r);
}
END_TEST

/* ---- pipeline cores before ports -------------------------------------------------- */

/* SM cycles of all reads from leaving the L1D to their replies: `n` lines, one after another, that
 * the DRAM has. */
static uint64_t read_cycles(uint32_t latency, unsigned n) {
  const mini_op_t op[] = {{WARP_LOAD, false, 0, 4, 0, 0}, {WARP_ALU, true, 0, 0, 0, 0}};
  rig_t r = {.ports = true, .w = mini_create(op, 2, n, 1, 32)};
  load(&r, "k20");
  mini_t *m = (mini_t *)r.w;
  for (unsigned i = 0; i < n; i++) m->op[2 * i].base = 4096 + 128 * i;
  r.cfg.l1i_sets = 0;
  r.cfg.tlb1_sets = 0;
  r.cfg.dram_load_latency = latency;
  must_run(&r);
  const sm_stats_t s = gpu_sm_stats(r.gpu);
  ck_assert_uint_eq(s.read_replies, n);
  ck_assert_uint_eq(gpu_l2_stats(r.gpu).read_misses, n);
  close_rig(&r);
  return s.read_latency_sum;
}

START_TEST(ports_answer_after_their_latency) {
  enum { N = 20, BEFORE = 400, AFTER = 533 };
  ck_assert_uint_eq(read_cycles(AFTER, N) - read_cycles(BEFORE, N), N * (AFTER - BEFORE));
}
END_TEST

/* ---- in-order cores before flits -------------------------------------------------- */

enum { HEADER = 8, SECTOR = 32, LINE = 128 };

/* Three loads of one line at once: two of its first sector, of which the second joins the first; one
 * of its third. With sectors the latter is a request of its own, of a sector; without, the first
 * brings the line. */
START_TEST(requests_ask_for_sectors) {
  const mini_op_t op[] = {{WARP_LOAD, false, 4096, 0, 0, 0},
                          {WARP_LOAD, false, 4100, 0, 0, 0},
                          {WARP_LOAD, false, 4160, 0, 0, 0}};
  rig_t r = {.in_order = true, .w = mini_create(op, 3, 1, 1, 32)};
  load(&r, "h200");
  r.cfg.inst1_sets = 0;
  r.cfg.sectors = _i == 1;
  must_run(&r);
  const icnt_stats_t reply = gpu_icnt_stats(r.gpu, ICNT_REPLY);
  ck_assert_uint_eq(reply.packets, _i == 1 ? 2 : 1);
  ck_assert_uint_eq(reply.bytes, _i == 1 ? 2 * (HEADER + SECTOR) : HEADER + LINE);
  ck_assert_uint_eq(gpu_l1d_stats(r.gpu).misses, _i == 1 ? 2 : 1);
  ck_assert_uint_eq(gpu_l1d_stats(r.gpu).merges, _i == 1 ? 1 : 2);
  close_rig(&r);
}
END_TEST

/* Every store is a packet of two flits, and an SM sends one in an interconnect cycle. */
START_TEST(stores_wait_for_room) {
  enum { WARPS = 8, STORES = 20, PACKETS = WARPS * STORES * WARP_LANES };
  const mini_op_t op[] = {{WARP_STORE, false, 4096, LINE, WARP_LANES * LINE, 0}};
  rig_t r = {.in_order = true, .w = mini_create(op, 1, STORES, 1, WARPS * WARP_LANES)};
  load(&r, "h200");
  r.cfg.inst1_sets = 0;
  r.cfg.icnt_inject = 5; /* the least: the largest packet */
  must_run(&r);
  const icnt_stats_t sent = gpu_icnt_stats(r.gpu, ICNT_REQUEST);
  ck_assert_uint_eq(sent.packets, PACKETS);
  ck_assert_uint_eq(sent.flits, 2 * PACKETS);
  ck_assert_uint_eq(gpu_l2_stats(r.gpu).writes, PACKETS);
  ck_assert_uint_ge(gpu_cycles(r.gpu), 2 * PACKETS * (uint64_t)r.cfg.clock_mhz / r.cfg.clock_icnt);
  close_rig(&r);
}
END_TEST

/* Half of the warps wait at one barrier, the others at another, for all warps. */
START_TEST(no_warp_can_go_on) {
  mrpb_err_t err = {{0}};
  rig_t r = {.in_order = true, .ports = _i == 1};
  r.w = open_text(PTX_HEAD "{ .reg .u32 %t; .reg .pred %p;\n"
                           "mov.u32 %t, %tid.x; setp.lt.u32 %p, %t, 32;\n"
                           "@%p bar.sync 1, 64;\n@!%p bar.sync 2, 64;\nret; }\n",
                  64, 4096);
  load(&r, "h200");
  ck_assert_int_eq(run(&r, &err), GPU_HANG);
  close_rig(&r);
}
END_TEST

/* ---- a memory of the user's --------------------------------------------------------- */

typedef struct {
  gpu_t **gpu;
  uint64_t reads, writes;
} memory_ctx_t;

static bool accept(void *ctx, const mrpb_gpu_request_t *request) {
  memory_ctx_t *m = ctx;
  mrpb_err_t err = {{0}};
  *(request->is_write ? &m->writes : &m->reads) += 1;
  ck_assert_int_eq(gpu_reply(*m->gpu, request->id, &err), 0);
  return true;
}

START_TEST(in_order_cores_before_a_users_memory) {
  rig_t r = {.in_order = true};
  memory_ctx_t ctx = {.gpu = &r.gpu};
  const mrpb_gpu_memory_t memory = {.ctx = &ctx, .accept = accept};
  r.memory = &memory;
  r.w = open_program("atax", (program_options_t){.size = 64});
  load(&r, "h200");
  must_run(&r);
  ck_assert_uint_eq(ctx.reads + ctx.writes, gpu_icnt_stats(r.gpu, ICNT_REQUEST).packets);
  ck_assert_uint_gt(ctx.reads, 0);
  ck_assert_uint_eq(ctx.writes, gpu_sm_stats(r.gpu).store_lines);
  close_rig(&r);
}
END_TEST

/* ---- cores of the user's before ports ------------------------------------------------- */

typedef struct {
  gpu_t *gpu;
  uint64_t sent, cycle, answered; /* cycles: of the request, this one, of the reply */
} cores_ctx_t;

static void send_one(void *ctx, uint64_t cycle) {
  cores_ctx_t *c = ctx;
  mrpb_err_t err = {{0}};
  const mrpb_gpu_request_t read = {.id = 7, .address = 4096, .bytes = 32, .sm = 2};
  c->cycle = cycle;
  if (cycle == c->sent) ck_assert_int_eq(gpu_request(c->gpu, &read, &err), 1);
}

/* Replies come before the tick of their cycle. */
static void answered(void *ctx, uint32_t core, uint64_t id) {
  cores_ctx_t *c = ctx;
  ck_assert_uint_eq(core, 2);
  ck_assert_uint_eq(id, 7);
  c->answered = c->cycle + 1;
}

START_TEST(a_users_cores_before_ports) {
  mrpb_err_t err = {{0}};
  cores_ctx_t ctx = {.sent = 10};
  const mrpb_gpu_cores_t cores = {.ctx = &ctx, .reply = answered, .tick = send_one};
  rig_t r = {.ports = true, .w = NULL};
  load(&r, "k20");
  r.cfg.tlb1_sets = 0;
  const gpu_setup_t s = {.cfg = &r.cfg, .cores = &cores};
  ck_assert_msg(gpu_create(&ctx.gpu, &s, &err) == 0, "%s", err.text);
  ck_assert(gpu_step(ctx.gpu, 2000, false, &err));
  ck_assert_uint_eq(ctx.answered, ctx.sent + r.cfg.dram_load_latency);
  gpu_destroy(ctx.gpu);
}
END_TEST

START_TEST(what_does_not_go_together) {
  mrpb_err_t err = {{0}};
  const mrpb_gpu_memory_t memory = {.accept = accept};
  rig_t r = {.ports = true, .w = NULL};
  load(&r, "h200");
  gpu_setup_t s = {.cfg = &r.cfg, .memory = &memory};
  ck_assert_int_eq(gpu_create(&r.gpu, &s, &err), -1);
  ck_assert_str_eq(err.text, "ports: legal: without a memory of yours");
  ck_assert_ptr_null(r.gpu);
}
END_TEST

Suite *test_machines_suite(void) {
  Suite *s = suite_create("machines");
  TCase *t = tcase_create("cores and memories");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, values_are_right, 0, MACHINES * PROGRAMS);
  tcase_add_test(t, ports_answer_after_their_latency);
  tcase_add_loop_test(t, requests_ask_for_sectors, 0, 2);
  tcase_add_test(t, stores_wait_for_room);
  tcase_add_loop_test(t, no_warp_can_go_on, 0, 2);
  tcase_add_test(t, in_order_cores_before_a_users_memory);
  tcase_add_test(t, a_users_cores_before_ports);
  tcase_add_test(t, what_does_not_go_together);
  suite_add_tcase(s, t);
  return s;
}
