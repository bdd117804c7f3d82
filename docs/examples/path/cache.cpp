// SPDX-License-Identifier: Apache-2.0
// A small write-back cache for `mrpb conform --path --so` (docs/conform/path.md, "C and C++"):
// direct-mapped, several misses at a time, one for each set. Requests that need a set with a miss
// wait in order behind it.
//   -DSTALE_LINE: a line that was asked for before a flush stays valid after it
//   -DLOST_WRITE: a store to a line that is being fetched is forgotten if its victim is dirty
#include "mrpb_path.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <vector>

namespace {

constexpr unsigned sets = 8, waiting = 4;

struct set_t {
  enum { idle, write_back, ask, fetch } state = idle;
  bool valid = false, dirty = false;
  bool evicts = false;     // its miss had a dirty victim
  uint64_t line = 0, next = 0; // the line that is there, and the one that is fetched
  std::vector<uint8_t> bytes;
  std::deque<mrpb_path_request_t> queue;
};

class cache_t {
public:
  cache_t(const mrpb_path_sizes_t &sizes, const mrpb_path_host_t &host)
      : size(sizes), host(host), set(::sets) {
    for (auto &s : set) s.bytes.resize(size.line);
  }

  bool request(const mrpb_path_request_t &r) {
    set_t &s = set_of(r.addr);
    if (flushing || s.queue.size() == waiting) return false;
    s.queue.push_back(r);
    return true;
  }

  // The number of a read is its set.
  void reply(unsigned id, const uint8_t *line) {
    set_t &s = set[id];
    std::copy(line, line + size.line, s.bytes.begin());
    s.state = set_t::idle;
    s.line = s.next;
    s.valid = true;
    s.dirty = false;
    serve(s);
    s.evicts = false;
  }

  // Writes back what is dirty, and forgets every line.
  bool flush() {
    flushing = true;
    for (auto &s : set) {
#ifdef STALE_LINE
      const bool busy = s.state == set_t::write_back;
#else
      const bool busy = s.state != set_t::idle || !s.queue.empty();
#endif
      if (busy || (s.valid && s.dirty && !write_back(s))) return false;
      s.dirty = false;
    }
    for (auto &s : set) s.valid = false;
    flushing = false;
    return true;
  }

  void cycle() {
    for (auto &s : set) {
      if (s.state == set_t::idle) serve(s);
      if (s.state == set_t::idle && !s.queue.empty()) miss(s);
      if (s.state == set_t::write_back && write_back(s)) s.state = set_t::ask;
      if (s.state == set_t::ask && host.read(host.ctx, index_of(s), s.next))
        s.state = set_t::fetch;
    }
  }

private:
  mrpb_path_sizes_t size;
  mrpb_path_host_t host;
  std::vector<set_t> set;
  bool flushing = false;

  uint64_t line_of(uint64_t addr) const { return addr - addr % size.line; }
  set_t &set_of(uint64_t addr) { return set[addr / size.line % sets]; }
  unsigned index_of(const set_t &s) const { return static_cast<unsigned>(&s - set.data()); }

  // Serves the requests at the head that hit.
  void serve(set_t &s) {
    while (!s.queue.empty() && s.valid && s.line == line_of(s.queue.front().addr)) {
      access(s, s.queue.front());
      s.queue.pop_front();
    }
  }

  void access(set_t &s, const mrpb_path_request_t &r) {
    uint8_t *word = &s.bytes[r.addr % size.line];
    if (!r.write) {
      host.answer(host.ctx, r.lane, r.tag, word);
      return;
    }
#ifdef LOST_WRITE
    if (s.evicts && &r != &s.queue.front()) return;
    if (s.evicts && s.queue.size() > 1) return;
#endif
    for (unsigned i = 0; i < size.word; i++)
      if (r.mask >> i & 1) word[i] = r.data[i];
    s.dirty = true;
  }

  void miss(set_t &s) {
    s.next = line_of(s.queue.front().addr);
    s.evicts = s.valid && s.dirty;
    s.state = s.evicts ? set_t::write_back : set_t::ask;
    if (!s.evicts) s.valid = false;
  }

  bool write_back(set_t &s) {
    std::vector<uint8_t> mask((size.line + 7) / 8, 0xff);
    if (!host.write(host.ctx, index_of(s), s.line, s.bytes.data(), mask.data())) return false;
    s.valid = s.dirty = false;
    return true;
  }
};

void *create(const mrpb_path_sizes_t *sizes, const mrpb_path_host_t *host) {
  if (1u << sizes->id_bits < ::sets) return nullptr;
  return new (std::nothrow) cache_t(*sizes, *host);
}
bool request(void *self, const mrpb_path_request_t *r) {
  return static_cast<cache_t *>(self)->request(*r);
}
void reply(void *self, unsigned id, const uint8_t *line) {
  static_cast<cache_t *>(self)->reply(id, line);
}
bool flush(void *self) {
  return static_cast<cache_t *>(self)->flush();
}
void cycle(void *self) {
  static_cast<cache_t *>(self)->cycle();
}
void destroy(void *self) {
  delete static_cast<cache_t *>(self);
}

} // namespace

extern "C" const mrpb_path_cache_t *mrpb_path(void) {
  static const mrpb_path_cache_t cache = {create, request, reply, flush, cycle, destroy};
  return &cache;
}
