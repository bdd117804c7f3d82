// SPDX-License-Identifier: Apache-2.0
// round_robin - the first request after last_i, upwards and round the end; last_i itself is last.
// Used by: drain_selector (MRPB paper, section 6).
// Timing: combinational; two priority encoders side by side, one of which sees only the requests
// above last_i, so that nothing is rotated.
// index_o is 0 while no request is there.
`default_nettype none
module round_robin #(
  // requests
  parameter integer WIDTH = 48
) (
  // requests
  input  wire [WIDTH-1:0]                            req_i,
  // the last one served
  input  wire [((WIDTH > 1) ? $clog2(WIDTH) : 1)-1:0] last_i,
  // there is a request
  output wire                                        any_o,
  // the next; 0 if there is none
  output wire [((WIDTH > 1) ? $clog2(WIDTH) : 1)-1:0] index_o
);
  localparam INDEX_W = (WIDTH > 1) ? $clog2(WIDTH) : 1;

  wire [WIDTH-1:0]   above;
  wire               above_any;
  wire [INDEX_W-1:0] above_index;
  wire [INDEX_W-1:0] low_index;

  genvar g;
  generate
    if (WIDTH == 1) begin : gen_single
      wire unused_last = &{1'b0, last_i};
    end
    assign above[0] = 1'b0;
    for (g = 1; g < WIDTH; g = g + 1) begin : gen_above
      localparam integer PLACE = g;
      assign above[g] = req_i[g] && (last_i < PLACE[INDEX_W-1:0]);
    end
  endgenerate

  priority_encoder #(.WIDTH(WIDTH)) u_above (
    .req_i  (above),
    .any_o  (above_any),
    .index_o(above_index)
  );
  priority_encoder #(.WIDTH(WIDTH)) u_low (
    .req_i  (req_i),
    .any_o  (any_o),
    .index_o(low_index)
  );

  assign index_o = above_any ? above_index : low_index;
endmodule
`default_nettype wire
