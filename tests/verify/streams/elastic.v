// SPDX-License-Identifier: Apache-2.0
// An elastic FIFO of another depth whose items leave two cycles later: two registers, each with a
// place for one item, follow the memory. fault_i plants a fault; 0 plants none.
module elastic #(
    parameter DEPTH = 16,
    parameter DATA_W = 8
) (
    input               clk,
    input               rst_n,
    input               push,
    input  [  DATA_W:0] word,  // the data, then whether it is the last
    output              full,
    output              empty_n,
    output [  DATA_W:0] out,
    input               pop,
    output [       4:0] level,
    input  [       4:0] fault_i
);
  localparam W = $clog2(DEPTH);
  reg [DATA_W:0] mem[0:DEPTH-1];
  reg [W:0] head, tail;
  reg [DATA_W:0] one, two, previous;
  reg one_v, two_v;
  reg [5:0] n;       // items that have entered
  reg [3:0] stalled; // cycles in which the output has stood
  wire have = tail != head;
  wire two_moves = !two_v || pop;
  wire one_moves = !one_v || two_moves;
  wire takes = push && !full;
  wire gives = have && one_moves;
  wire [W:0] count = tail - head;
  wire long = stalled == 4'd15;
  // ---- faults ----
  wire skip = fault_i == 1 && n == 37 || fault_i == 2 && gives && count == DEPTH - 1 ||
              fault_i == 3 && count == 0 && one_v && !one_moves && n[2:0] == 5;
  wire twice = fault_i == 4 && n == 20 || fault_i == 5 && gives && tail[W-1:0] == DEPTH - 1 && n[4];
  wire newest = fault_i == 6 && count == 2 && n[3:0] == 9 || fault_i == 7 && count >= 3 && long;
  wire wrong = fault_i == 8 && word[DATA_W-1:0] == 8'h5a || fault_i == 9 && count == DEPTH - 2;
  wire overtakes = fault_i == 10 && takes && !gives && count == 1 && n[4:0] == 17;
  wire [DATA_W:0] enters = wrong ? word ^ 1'd1 : word;
  // ---- the memory ----
  assign full = count == DEPTH;
  always @(posedge clk) begin
    previous <= takes ? word : previous;
    if (takes && !skip) begin
      mem[tail[W-1:0]] <= enters;
      tail <= tail + 1'd1;
      if (overtakes) begin
        mem[tail[W-1:0]] <= mem[head[W-1:0]];
        mem[head[W-1:0]] <= enters;
      end
    end
    if (takes) n <= n + 1'd1;
    if (gives && !(twice && takes)) head <= head + 1'd1;
    if (one_moves) begin
      one_v <= have;
      one <= mem[newest ? tail[W-1:0] - 1'd1 : head[W-1:0]];
      if (newest && gives) mem[tail[W-1:0]-1'd1] <= mem[head[W-1:0]];
    end
    if (two_moves) begin
      two_v <= one_v;
      two <= fault_i == 11 && long ? one ^ 2'd2 : one;
    end else if (fault_i == 12 && long) two <= previous;
    stalled <= two_v && !pop ? stalled + (stalled != 15) : 4'd0;
    if (fault_i == 13 && two_v && pop && long) two_v <= 1'd1; // the item that was just taken stays
    if (!rst_n) begin
      {head, tail, n, stalled, one_v} <= 0;
      if (fault_i != 14) two_v <= 0;
    end
  end
  assign empty_n = two_v;
  assign out = two;
  assign level = count;
endmodule
