// SPDX-License-Identifier: Apache-2.0
// The example's cache; with -DWHERE='DO' a function of it does what no cache should. WHERE is one of
// LOADED, CREATE, REQUEST, REPLY, FLUSH, CYCLE, DESTROY.
#define mrpb_path good_path
#include "../../../docs/examples/path/cache.cpp"
#undef mrpb_path

#include <cstdlib>
#include <unistd.h>

#ifndef LOADED
#define LOADED
#endif
#ifndef CREATE
#define CREATE
#endif
#ifndef REQUEST
#define REQUEST
#endif
#ifndef REPLY
#define REPLY
#endif
#ifndef FLUSH
#define FLUSH
#endif
#ifndef CYCLE
#define CYCLE
#endif
#ifndef DESTROY
#define DESTROY
#endif

namespace wild {

volatile int *const nowhere = nullptr;
volatile unsigned deep = 1;

__attribute__((unused)) unsigned recurse() {
  return deep ? recurse() + deep : 0;
}

struct Loaded {
  Loaded() { LOADED; }
} loaded;

void *create(const mrpb_path_sizes_t *s, const mrpb_path_host_t *h) {
  CREATE;
  return good_path()->create(s, h);
}
bool request(void *self, const mrpb_path_request_t *r) {
  if (r->write && r->addr >= 0x200) {
    REQUEST;
  }
  return good_path()->request(self, r);
}
void reply(void *self, unsigned id, const uint8_t *line) {
  REPLY;
  good_path()->reply(self, id, line);
}
bool flush(void *self) {
  FLUSH;
  return good_path()->flush(self);
}
void cycle(void *self) {
  CYCLE;
  good_path()->cycle(self);
}
void destroy(void *self) {
  DESTROY;
  good_path()->destroy(self);
}

} // namespace wild

extern "C" const mrpb_path_cache_t *mrpb_path(void) {
  static const mrpb_path_cache_t cache = {wild::create, wild::request, wild::reply,
                                          wild::flush,  wild::cycle,   wild::destroy};
  return &cache;
}
