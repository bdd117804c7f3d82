/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the calls of a cache into the ports of the contract. Answers of a lane, and one request to
 * memory, wait here until they are taken. */
#define _POSIX_C_SOURCE 200809L
#include "verify/path/object.h"

#include "verify/path/mrpb_path.h"
#include "verify/path/path.h"
#include "bits.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  void *handle;
  const char *path;
  contract_watch_t *watch;
  const mrpb_path_cache_t *cache;
  path_cfg_t cfg;
  mrpb_path_sizes_t sizes;
} path_object_t;

typedef struct {
  uint64_t tag, word;
} answer_t;

enum { ANSWERS = 2 * PATH_TAGS };

/* A cache that runs. */
typedef struct {
  const path_object_t *of;
  mrpb_path_host_t host;
  void *cache;
  bool asks, flushed; /* a request to memory waits; the cache has done the flush */
  const char *wrong;  /* what the cache called wrongly; NULL: nothing */
  path_in_t in;       /* of this cycle */
  path_out_t memory;  /* the request that waits */
  unsigned first[PATH_LANES], n[PATH_LANES]; /* answers, as rings */
  answer_t answer[PATH_LANES][ANSWERS];
} dut_t;

/* ---- what the cache calls ---- */

static void take_answer(void *ctx, unsigned lane, unsigned tag, const uint8_t *data) {
  dut_t *d = ctx;
  const path_cfg_t *c = &d->of->cfg;
  if (lane >= c->LANES || tag >> c->TAG_W)
    d->wrong = "answer: a lane or a tag out of range";
  else if (d->n[lane] == ANSWERS)
    d->wrong = "answer: more answers than there are tags";
  if (d->wrong) return;
  answer_t *a = &d->answer[lane][(d->first[lane] + d->n[lane]++) % ANSWERS];
  *a = (answer_t){.tag = tag};
  for (unsigned i = 0; data && i < c->WORD; i++) a->word |= (uint64_t)data[i] << 8 * i;
}

static bool ask(dut_t *d, bool write, unsigned id, uint64_t line) {
  const path_cfg_t *c = &d->of->cfg;
  if (id >> c->ID_W || line > bits_mask(c->ADDR_W))
    d->wrong = "read, write: a number or a line out of range";
  if (d->asks || d->wrong) return false;
  d->asks = true;
  memset(&d->memory, 0, sizeof d->memory);
  d->memory.mem_valid_o = 1;
  d->memory.mem_write_o = write;
  d->memory.mem_id_o = id;
  d->memory.mem_addr_o = line;
  for (unsigned i = 0; i < c->LINE; i++) words_put(d->memory.mem_mask_o, i, 1, 1);
  return true;
}

static bool take_read(void *ctx, unsigned id, uint64_t line) {
  return ask(ctx, false, id, line);
}

static bool take_write(void *ctx, unsigned id, uint64_t line, const uint8_t *data,
                       const uint8_t *mask) {
  dut_t *d = ctx;
  if (!ask(d, true, id, line)) return false;
  for (unsigned i = 0; i < d->of->cfg.LINE; i++) {
    words_put(d->memory.mem_mask_o, i, 1, mask[i / 8] >> i % 8 & 1);
    words_put(d->memory.mem_data_o, 8 * i, 8, data[i]);
  }
  return true;
}

/* ---- the functions of a design ---- */

/* The cache is in this function from now on. */
static void enter(const path_object_t *o, const char *function) {
  hang_enter(&o->watch->hang, function);
}

static bool begin(dut_t *d) {
  d->asks = d->flushed = false;
  memset(d->n, 0, sizeof d->n);
  enter(d->of, "create()");
  d->cache = d->of->cache->create(&d->of->sizes, &d->host);
  return d->cache != NULL;
}

static void *dut_create(void *ctx, uint64_t seed) {
  dut_t *d = calloc(1, sizeof *d);
  (void)seed;
  if (!d) return NULL;
  d->of = ctx;
  d->host = (mrpb_path_host_t){d, take_answer, take_read, take_write};
  if (begin(d)) return d;
  free(d);
  return NULL;
}

static void dut_destroy(void *self) {
  dut_t *d = self;
  enter(d->of, "destroy()");
  if (d->cache) d->of->cache->destroy(d->cache);
  free(d);
}

static void reset(dut_t *d) {
  enter(d->of, "destroy()");
  d->of->cache->destroy(d->cache);
  if (!begin(d)) d->wrong = "create: NULL after a reset";
}

static void memory_answers(dut_t *d) {
  uint8_t line[BYTES_LINE];
  for (unsigned i = 0; i < d->of->cfg.LINE; i++)
    line[i] = (uint8_t)words_get(d->in.mem_rsp_data_i, 8 * i, 8);
  enter(d->of, "reply()");
  d->of->cache->reply(d->cache, (unsigned)d->in.mem_rsp_id_i, line);
}

static uint64_t offer(dut_t *d) {
  const path_cfg_t *c = &d->of->cfg;
  uint64_t taken = 0;
  for (unsigned l = 0; l < c->LANES; l++) {
    if (!(d->in.req_valid_i >> l & 1)) continue;
    const path_request_t r = path_request(c, &d->in, l);
    mrpb_path_request_t q = {.lane = l,
                             .tag = (unsigned)r.tag,
                             .write = r.write,
                             .bypass = r.bypass,
                             .addr = r.addr,
                             .mask = (uint8_t)r.mask};
    for (unsigned i = 0; i < c->WORD; i++) q.data[i] = (uint8_t)(r.data >> 8 * i);
    enter(d->of, "request()");
    taken |= (uint64_t)d->of->cache->request(d->cache, &q) << l;
  }
  return taken;
}

static void flush(dut_t *d) {
  enter(d->of, "flush()");
  d->flushed = d->of->cache->flush(d->cache);
}

static void dut_comb(void *self, const uint64_t *in, uint64_t *words) {
  dut_t *d = self;
  const path_cfg_t *c = &d->of->cfg;
  path_out_t *out = (path_out_t *)(void *)words;
  memset(out, 0, sizeof *out);
  d->in = *(const path_in_t *)(const void *)in;
  if (!d->in.srst_ni) reset(d);
  if (d->wrong || !d->in.srst_ni) return;
  if (d->in.mem_rsp_valid_i) memory_answers(d);
  const uint64_t taken = d->flushed ? 0 : offer(d); /* after its flush, none until that is done */
  if (d->in.flush_i && !d->flushed) flush(d);
  enter(d->of, "cycle()");
  d->of->cache->cycle(d->cache);
  if (d->asks) *out = d->memory;
  out->req_ready_o = taken;
  out->flush_done_o = d->flushed && !d->asks; /* what it has asked for waits here */
  for (unsigned l = 0; l < c->LANES; l++) {
    const answer_t *a = &d->answer[l][d->first[l]];
    if (!d->n[l]) continue;
    out->rsp_valid_o |= UINT64_C(1) << l;
    words_put(out->rsp_tag_o, l * c->TAG_W, c->TAG_W, a->tag);
    words_put(out->rsp_data_o, l * 8 * c->WORD, 8 * c->WORD, a->word);
  }
  d->flushed &= !out->flush_done_o;
}

static void dut_edge(void *self) {
  dut_t *d = self;
  d->asks &= !d->in.mem_ready_i;
  for (unsigned l = 0; l < d->of->cfg.LANES; l++) {
    if (!d->n[l] || !(d->in.rsp_ready_i >> l & 1)) continue;
    d->first[l] = (d->first[l] + 1) % ANSWERS;
    d->n[l]--;
  }
}

static void dut_watch(void *self) {
  (void)self;
}

static const char *dut_stopped(void *self) {
  return ((const dut_t *)self)->wrong;
}

static const shim_table_t table = {.stem = "path",
                                   .in_words = sizeof(path_in_t) / sizeof(uint64_t),
                                   .out_words = sizeof(path_out_t) / sizeof(uint64_t),
                                   .comb = dut_comb,
                                   .edge = dut_edge,
                                   .watch = dut_watch,
                                   .stopped = dut_stopped,
                                   .destroy = dut_destroy};

/* ---- the shared object ---- */

typedef struct {
  path_object_t *of;
  mrpb_err_t *err;
  bool fits;
} opening_t;

static void look_at(path_object_t *o, mrpb_err_t *err) {
  enter(o, "loading it");
  o->handle = dlopen(o->path, RTLD_NOW | RTLD_LOCAL);
  void *symbol = o->handle ? dlsym(o->handle, "mrpb_path") : NULL;
  const mrpb_path_cache_t *(*entry)(void) = NULL;
  memcpy(&entry, &symbol, sizeof entry); /* ISO C has no cast from void * to a function */
  enter(o, "mrpb_path()");
  o->cache = entry ? entry() : NULL;
  const mrpb_path_cache_t *k = o->cache;
  if (!o->handle)
    mrpb_fail(err, "%.450s", dlerror());
  else if (!k || !k->create || !k->request || !k->reply || !k->cycle || !k->destroy)
    mrpb_fail(err, "%s: no cache; legal: mrpb_path() of mrpb_path.h, with its functions", o->path);
}

/* Loads it, and makes an instance for once. */
static void open_object(void *ctx) {
  opening_t *p = ctx;
  look_at(p->of, p->err);
  if (p->err->text[0]) return;
  dut_t *first = dut_create(p->of, 0);
  p->fits = first != NULL;
  if (first) dut_destroy(first);
  if (!first) mrpb_fail(p->err, "%s: does not have this size, or there is no memory", p->of->path);
}

static const shim_table_t *at_size(void *ctx, contract_watch_t *watch, const uint32_t *cfg,
                                   void *to, mrpb_err_t *err) {
  path_object_t *o = ctx;
  path_has_t *has = to;
  const path_cfg_t *c = path_sizes(cfg);
  opening_t opening = {.of = o, .err = err};
  o->watch = watch;
  o->cfg = *c;
  o->sizes = (mrpb_path_sizes_t){.word = c->WORD,
                                 .lanes = c->LANES,
                                 .line = c->LINE,
                                 .address_bits = c->ADDR_W,
                                 .tag_bits = c->TAG_W,
                                 .id_bits = c->ID_W};
  const int sig = crash_try(watch->crash, open_object, &opening);
  if (sig)
    mrpb_fail(err, "%s: %s crashes (signal %d, %s)", o->path, watch->hang.doing, sig,
              strsignal(sig));
  if (sig || !opening.fits) return NULL;
  hang_leave(&watch->hang);
  *has = (path_has_t){.write = true,
                      .mask = true,
                      .bypass = true,
                      .rsp_ready = true,
                      .flush = o->cache->flush != NULL,
                      .mem_ready = true,
                      .mem = true,
                      .mem_write = true,
                      .mem_id = true,
                      .mem_mask = true};
  return &table;
}

int path_object_run(const char *path, const contract_run_t *run, unsigned patience,
                    mrpb_err_t *err) {
  const char *base = strrchr(path, '/');
  path_object_t o = {.path = path};
  const contract_object_t object = {.top = base ? base + 1 : path,
                                    .patience = patience,
                                    .ctx = &o,
                                    .table = at_size,
                                    .create = dut_create};
  return contract_run_object(run, &object, err);
}
