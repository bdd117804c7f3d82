// SPDX-License-Identifier: Apache-2.0
// canary - expressions that some versions of the simulator compute wrongly, each next to the same function written
// out case by case. The tool is trusted only if no bit of wrong_o is ever 1. (A comment must not begin with the
// simulator's name: it would be read as a directive.)
`default_nettype none
module canary (
  input  wire        clk_i,
  input  wire [31:0] x_i,
  input  wire [31:0] y_i,
  output wire [5:0]  wrong_o
);
  reg [31:0] x_q, y_q;
  always @(posedge clk_i) begin
    x_q <= x_i;
    y_q <= y_i;
  end

  // 0: a grant refused by one bit of a shifted AND
  wire [31:0] busy = (x_q & y_q) >> 5;
  reg grant_q, grant_ref_q;
  always @(posedge clk_i) begin
    grant_q     <= !busy[0] & x_q[19];
    grant_ref_q <= (x_q[5] && y_q[5]) ? 1'b0 : x_q[19];
  end

  // 1: the same with OR
  wire [31:0] any = (x_q | y_q) >> 11;
  reg idle_q, idle_ref_q;
  always @(posedge clk_i) begin
    idle_q     <= !any[0] | x_q[27];
    idle_ref_q <= (x_q[11] || y_q[11]) ? x_q[27] : 1'b1;
  end

  // 2: a tree of negated parities against a loop
  wire p0 = ~(y_q[2] ^ y_q[4]);
  wire p1 = ~(y_q[6] ^ y_q[8]);
  wire p2 = ~(p0 ^ p1);
  wire p3 = y_q[10] ^ y_q[12];
  wire p4 = ~(p3 ^ (y_q[14] ^ y_q[16]));
  wire parity = ~(p2 ^ p4);
  reg parity_ref;
  integer k;
  always @* begin
    parity_ref = 1'b1;
    for (k = 2; k <= 16; k = k + 2) if (y_q[k]) parity_ref = ~parity_ref;
  end

  // 3: a tag compare across the word boundary, with a term that cancels
  wire [63:0] pair = {x_q, y_q};
  wire tag = ({pair[36:32], pair[36] ^ pair[31] ^ pair[36], pair[30:29]} != pair[36:29]);

  // 4: one bit, shifted out to the right
  wire [1:0] gone = x_q[1] ? 2'b00 : {1'b0, ({8'd0, !y_q[1]} >> 9'd8) != 9'd0};

  // 5: nested negations of which most cancel
  wire n0 = ~(y_q[9] & y_q[13]);
  wire n1 = y_q[13] & ~n0;
  wire n2 = n1 & ~y_q[13];
  wire n3 = n2 & ~y_q[13];
  wire nested = |{y_q[1], n0 != n3};
  reg nested_ref;
  always @*
    if (y_q[1]) nested_ref = 1'b1;
    else nested_ref = !(y_q[9] && y_q[13]);

  assign wrong_o = {nested != nested_ref, gone[0], tag, parity != parity_ref, idle_q != idle_ref_q,
                    grant_q != grant_ref_q};
endmodule
`default_nettype wire
