// SPDX-License-Identifier: Apache-2.0
// Reads that wait, one in each slot; a line that arrives wakes all of its reads in that cycle. A read of that very line is
// answered at once (AT_ONCE), or asks for the line anew. One slot stays free.
module wake_list #(
    parameter SLOTS = 4,
    parameter LW = 8,
    parameter AT_ONCE = 1
) (
    input  logic                     clk,
    input  logic                     rst_n,
    input  logic                     rd_v,
    input  logic [LW-1:0]            rd_line,
    input  logic [$clog2(SLOTS)-1:0] rd_slot,
    output logic                     rd_ok,
    output logic                     ask_v,
    output logic [LW-1:0]            ask_line,
    input  logic                     ask_take,
    input  logic                     rsp_v,
    input  logic [LW-1:0]            rsp_line,
    output logic [SLOTS-1:0]         wake
);
  localparam SW = $clog2(SLOTS);
  logic [SLOTS-1:0] wait_q, ask_q, same, here, mine;
  logic [LW-1:0] line_q[SLOTS];
  logic [SW:0] used;
  logic [SW-1:0] pick_q;
  logic arrives, joins;

  always_comb begin
    used = '0;
    for (int i = 0; i < SLOTS; i++) begin
      same[i] = wait_q[i] && line_q[i] == rd_line;
      here[i] = wait_q[i] && line_q[i] == rsp_line;
      used = used + (SW + 1)'(wait_q[i]);
      mine[i] = rd_slot == SW'(i);
    end
    arrives = rsp_v && rsp_line == rd_line && |same;
    rd_ok = used < (SW + 1)'(SLOTS - 1);
    joins = |same && !arrives;
    wake = rsp_v ? here : '0;
    if (AT_ONCE != 0 && rd_v && rd_ok && arrives) wake = wake | mine;
  end
  // The slot that asks stays until it has been taken.
  assign ask_v = ask_q[pick_q];
  assign ask_line = line_q[pick_q];

  always_ff @(posedge clk)
    if (!rst_n) begin
      wait_q <= '0;
      ask_q <= '0;
      pick_q <= '0;
    end else begin
      if (!ask_v) pick_q <= pick_q == SW'(SLOTS - 1) ? '0 : pick_q + 1'b1;
      if (ask_v && ask_take) ask_q[pick_q] <= 1'b0;
      if (rsp_v) wait_q <= wait_q & ~here;
      if (rd_v && rd_ok && !(AT_ONCE != 0 && arrives)) begin
        wait_q[rd_slot] <= 1'b1;
        line_q[rd_slot] <= rd_line;
        ask_q[rd_slot] <= !joins;
      end
    end
endmodule
