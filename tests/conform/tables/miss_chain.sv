// SPDX-License-Identifier: Apache-2.0
// Outstanding misses as chains: every read takes a slot, and the slots of one line are linked. The first slot of a
// chain asks for the line; its number comes back with the data, and the chain leaves link by link.
package miss_pkg;
  typedef struct packed {
    logic       valid;
    logic [7:0] line;
    logic [7:0] id;
  } req_t;
  typedef struct packed {
    logic       valid;
    logic [7:0] line;
    logic [7:0] id;
  } rsp_t;
endpackage

module miss_chain #(
    parameter int SLOTS = 8,
    parameter int SW = (SLOTS > 1) ? $clog2(SLOTS) : 1
) (
    input  logic          clock,
    input  logic          arst,
    input  miss_pkg::req_t core_req,
    output logic          core_stall,
    output logic          core_linked,
    output logic          mem_ask,
    output logic [7:0]    mem_line,
    output logic [SW-1:0] mem_slot,
    input  logic          mem_grant,
    input  logic          mem_back,
    input  logic [SW-1:0] mem_back_slot,
    output logic          mem_back_ok,
    output miss_pkg::rsp_t core_rsp,
    input  logic          core_take,
    output logic          idle
);
  logic [SLOTS-1:0] used, linked;
  logic [7:0] line_r[SLOTS], id_r[SLOTS];
  logic [SW-1:0] next_r[SLOTS];
  // The slots that have yet to ask, a ring.
  logic [SW-1:0] ask_r[SLOTS];
  logic [SW-1:0] ask_rd, ask_wr;
  logic [SW:0] ask_n;
  // The chain that leaves.
  logic leaving;
  logic [SW-1:0] leave_r;

  logic leave_fire, free_any, tail_hit, accept, ask_fire;
  logic [SW-1:0] free_i, tail_i;

  function automatic logic [SW-1:0] bump(input logic [SW-1:0] v);
    bump = (v == SW'(SLOTS - 1)) ? '0 : v + 1'b1;
  endfunction

  always_comb begin
    leave_fire = leaving && core_take;
    free_any = 1'b0;
    free_i = '0;
    tail_hit = 1'b0;
    tail_i = '0;
    for (int i = SLOTS - 1; i >= 0; i--) begin
      if (!used[i]) begin
        free_any = 1'b1;
        free_i = SW'(i);
      end
      if (used[i] && line_r[i] == core_req.line && !linked[i] && !(leave_fire && leave_r == SW'(i))) begin
        tail_hit = 1'b1;
        tail_i = SW'(i);
      end
    end
    core_stall = !free_any;
    core_linked = tail_hit;
    accept = core_req.valid && !core_stall;
    mem_ask = ask_n != '0;
    mem_slot = ask_r[ask_rd];
    mem_line = line_r[mem_slot];
    ask_fire = mem_ask && mem_grant;
    mem_back_ok = !leaving;
    core_rsp.valid = leaving;
    core_rsp.line = line_r[leave_r];
    core_rsp.id = id_r[leave_r];
    idle = used == '0;
  end

  always_ff @(posedge clock or posedge arst) begin
    if (arst) begin
      used <= '0;
      linked <= '0;
      leaving <= 1'b0;
      leave_r <= '0;
      ask_rd <= '0;
      ask_wr <= '0;
      ask_n <= '0;
    end else begin
      if (leave_fire) begin
        used[leave_r] <= 1'b0;
        leave_r <= next_r[leave_r];
        if (!linked[leave_r] && !(accept && tail_hit && tail_i == leave_r)) leaving <= 1'b0;
      end
      if (mem_back && mem_back_ok) begin
        leaving <= 1'b1;
        leave_r <= mem_back_slot;
      end
      if (ask_fire) ask_rd <= bump(ask_rd);
      if (accept) begin
        used[free_i] <= 1'b1;
        linked[free_i] <= 1'b0;
        line_r[free_i] <= core_req.line;
        id_r[free_i] <= core_req.id;
        if (tail_hit) begin
          linked[tail_i] <= 1'b1;
          next_r[tail_i] <= free_i;
        end else begin
          ask_r[ask_wr] <= free_i;
          ask_wr <= bump(ask_wr);
        end
      end
      ask_n <= ask_n + (SW+1)'(accept && !tail_hit) - (SW+1)'(ask_fire);
    end
  end
endmodule
