// SPDX-License-Identifier: Apache-2.0
// A FIFO as a reader writes it first: an item leaves in the cycle after it has entered.
module fifo #(
    parameter DEPTH = 8,
    parameter DATA_W = 8
) (
    input               clk,
    input               rst,
    input  [DATA_W-1:0] s_data,
    input               s_last,
    input               s_valid,
    output              s_ready,
    output [DATA_W-1:0] m_data,
    output              m_last,
    output              m_valid,
    input               m_ready
);
  localparam W = $clog2(DEPTH);
  reg [DATA_W:0] mem[0:DEPTH-1];
  reg [W:0] head, tail;
  wire [W:0] count = tail - head;
  assign s_ready = count != DEPTH;
  assign m_valid = tail != head;
  assign {m_last, m_data} = mem[head[W-1:0]];
  always @(posedge clk) begin
    if (s_valid && s_ready) mem[tail[W-1:0]] <= {s_last, s_data};
    if (s_valid && s_ready) tail <= tail + 1'd1;
    if (m_valid && m_ready) head <= head + 1'd1;
    if (rst) {head, tail} <= 0;
  end
endmodule
