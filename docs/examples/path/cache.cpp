// SPDX-License-Identifier: Apache-2.0
// A small write-back cache for `mrpb conform --path --so` (docs/conform/path.md, "C and C++"):
// direct-mapped, with a few misses at a time. What arrives waits in a list, which is looked through
// once a cycle from its front on; a request that finds no room for its miss stays in it. A dirty
// line that must go waits in a list too, and reads go before it.
//   -DSTALE_LINE: a read does not wait for its line that is still to be written back
//   -DLOST_WRITE: a request may overtake an older one of its line that has stayed in the list
#include "mrpb_path.h"

#include <algorithm>
#include <deque>
#include <list>
#include <new>
#include <vector>

namespace {

constexpr unsigned sets = 8, misses = 2, room = 8;
using bytes_t = std::vector<uint8_t>;

struct set_t {
  bool valid = false, dirty = false;
  uint64_t line = 0;
  bytes_t bytes;
};

struct miss_t {
  bool used = false, asked = false;
  uint64_t line = 0;
  std::vector<mrpb_path_request_t> waiting;
};

// A request, or what memory has answered to a miss.
struct event_t {
  bool reply;
  unsigned miss;
  bytes_t bytes;
  mrpb_path_request_t request;
};

struct leaving_t {
  uint64_t line;
  bytes_t bytes;
};

class cache_t {
public:
  cache_t(const mrpb_path_sizes_t &sizes, const mrpb_path_host_t &host)
      : size(sizes), host(host), set(sets), miss(misses), whole((size.line + 7) / 8, 0xff) {}

  bool request(const mrpb_path_request_t &r) {
    if (flushing || events.size() >= room) return false;
    events.push_back({false, 0, {}, r});
    return true;
  }

  void reply(unsigned id, const uint8_t *line) {
    events.push_back({true, id, bytes_t(line, line + size.line), {}});
  }

  // Writes back what is dirty, and forgets every line.
  bool flush() {
    flushing = true;
    const auto used = [](const miss_t &m) { return m.used; };
    if (!events.empty() || std::any_of(miss.begin(), miss.end(), used)) return false;
    for (auto &s : set) evict(s);
    if (!leaving.empty()) return false;
    flushing = false;
    return true;
  }

  void cycle() {
    std::vector<uint64_t> stayed; // lines of requests that stay
    for (auto e = events.begin(); e != events.end();) {
      const bool behind = !e->reply && std::count(stayed.begin(), stayed.end(), line_of(*e));
      if (!behind && take(*e)) {
        e = events.erase(e);
        continue;
      }
#ifndef LOST_WRITE
      stayed.push_back(line_of(*e));
#endif
      ++e;
    }
    ask();
  }

private:
  mrpb_path_sizes_t size;
  mrpb_path_host_t host;
  std::vector<set_t> set;
  std::vector<miss_t> miss;
  bytes_t whole; // the mask of a whole line
  std::list<event_t> events;
  std::deque<leaving_t> leaving;
  bool flushing = false;

  uint64_t line_of(const event_t &e) const { return e.request.addr / size.line * size.line; }
  set_t &set_of(uint64_t line) { return set[line / size.line % sets]; }

  bool take(const event_t &e) {
    if (e.reply) {
      fill(miss[e.miss], e.bytes);
      return true;
    }
    const uint64_t line = line_of(e);
    set_t &s = set_of(line);
    for (auto &m : miss)
      if (m.used && m.line == line) {
        m.waiting.push_back(e.request);
        return true;
      }
    if (s.valid && s.line == line) {
      serve(s, e.request);
      return true;
    }
    for (auto &m : miss)
      if (!m.used) {
        m = {true, false, line, {e.request}};
        return true;
      }
    return false;
  }

  void serve(set_t &s, const mrpb_path_request_t &r) {
    uint8_t *word = &s.bytes[r.addr % size.line];
    if (!r.write) host.answer(host.ctx, r.lane, r.tag, word);
    for (unsigned i = 0; r.write && i < size.word; i++)
      if (r.mask >> i & 1) word[i] = r.data[i];
    s.dirty |= r.write;
  }

  void fill(miss_t &m, const bytes_t &bytes) {
    set_t &s = set_of(m.line);
    evict(s);
    s = {true, false, m.line, bytes};
    for (const auto &r : m.waiting) serve(s, r);
    m.used = false;
  }

  void evict(set_t &s) {
    if (s.valid && s.dirty) leaving.push_back({s.line, s.bytes});
    s.valid = s.dirty = false;
  }

  bool leaves(uint64_t line) const {
    return std::any_of(leaving.begin(), leaving.end(),
                       [line](const leaving_t &l) { return l.line == line; });
  }

  // Misses first: their reads are what the cores wait for.
  void ask() {
    for (auto &m : miss) {
      if (!m.used || m.asked) continue;
#ifndef STALE_LINE
      if (leaves(m.line)) continue;
#endif
      m.asked = host.read(host.ctx, static_cast<unsigned>(&m - miss.data()), m.line);
    }
    if (leaving.empty()) return;
    const leaving_t &l = leaving.front();
    if (host.write(host.ctx, 0, l.line, l.bytes.data(), whole.data())) leaving.pop_front();
  }
};

void *create(const mrpb_path_sizes_t *sizes, const mrpb_path_host_t *host) {
  return 1u << sizes->id_bits < misses ? nullptr : new (std::nothrow) cache_t(*sizes, *host);
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
