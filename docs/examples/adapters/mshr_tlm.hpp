/* SPDX-License-Identifier: Apache-2.0 */
// The MSHR table as a TLM-2.0 target in front of a memory: reads of one line that are outstanding together are merged
// into one transaction. Clocked inside; b_transport returns when the data are there.
#ifndef MSHR_TLM_HPP
#define MSHR_TLM_HPP

#define SC_INCLUDE_DYNAMIC_PROCESSES
#include <libmrpb.h>

#include <cstring>
#include <deque>
#include <map>
#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <vector>

using namespace sc_core;
using tlm::tlm_generic_payload;

enum { LINE = 128 };
typedef std::vector<unsigned char> Line;

class MergingTarget : public sc_module {
public:
  tlm_utils::simple_target_socket<MergingTarget> in;
  tlm_utils::simple_initiator_socket<MergingTarget> out;

  SC_HAS_PROCESS(MergingTarget);
  MergingTarget(sc_module_name name, const mshr_cfg_t &cfg, sc_time period)
      : sc_module(name), in("in"), out("out"), period(period), filled(cfg.ENTRIES, Line(LINE)) {
    mrpb_err_t err = {""};
    if (mshr_create(&mshr, &cfg, &err) != 0) SC_REPORT_ERROR("mshr", err.text);
    in.register_b_transport(this, &MergingTarget::b_transport);
    SC_THREAD(clock);
  }
  ~MergingTarget() override { mshr_destroy(mshr); }

private:
  struct Read {
    uint64_t line;
    tlm_generic_payload *payload;
    sc_event done;
  };
  mshr_t *mshr;
  sc_time period;
  std::deque<uint16_t> requests,
      fills; // numbers of reads that wait for their turn; entries whose line came
  std::map<uint16_t, Read> reads; // by the number that the table remembers
  std::vector<Line> filled;       // by entry
  uint16_t next = 0;

  // A read inside one line; whatever else is refused, as TLM says it.
  void b_transport(tlm_generic_payload &payload, sc_time &delay) {
    const uint64_t first = payload.get_address(), last = first + payload.get_data_length() - 1;
    if (!payload.is_read() || first / LINE != last / LINE) {
      payload.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
      return;
    }
    wait(delay);
    delay = SC_ZERO_TIME;
    const uint16_t number = next++;
    Read &read = reads[number];
    read.line = first / LINE;
    read.payload = &payload;
    requests.push_back(number);
    wait(read.done);
    reads.erase(number);
  }

  void fetch(uint64_t line, uint16_t entry) {
    tlm_generic_payload payload;
    sc_time delay = SC_ZERO_TIME;
    Line data(LINE);
    payload.set_read();
    payload.set_address(line * LINE);
    payload.set_data_ptr(data.data());
    payload.set_data_length(LINE);
    out->b_transport(payload, delay);
    wait(delay);
    filled[entry] = data;
    fills.push_back(entry);
  }

  // In each cycle at most one request goes in, one line, and one read comes out.
  void clock() {
    for (;; wait(period)) {
      mshr_in_t i = mshr_in_t();
      mshr_out_t o;
      i.srst_ni = i.out_ready_i = 1;
      if ((i.req_valid_i = !requests.empty())) {
        i.req_addr_i = reads[requests.front()].line;
        i.req_data_i = requests.front();
      }
      if ((i.fill_valid_i = !fills.empty())) {
        i.fill_entry_i = fills.front();
        fills.pop_front();
      }
      mshr_comb(mshr, &i, &o);
      mshr_edge(mshr, &i);
      if (i.req_valid_i && o.req_ready_o) {
        const uint16_t entry = static_cast<uint16_t>(o.req_entry_o);
        const uint64_t line = i.req_addr_i;
        if (!o.req_merge_o) sc_spawn([=] { fetch(line, entry); });
        requests.pop_front();
      }
      if (o.out_valid_o) {
        Read &read = reads[static_cast<uint16_t>(o.out_data_o)];
        std::memcpy(read.payload->get_data_ptr(),
                    &filled[o.out_entry_o][read.payload->get_address() % LINE],
                    read.payload->get_data_length());
        read.payload->set_response_status(tlm::TLM_OK_RESPONSE);
        read.done.notify(SC_ZERO_TIME);
      }
    }
  }
};

#endif
