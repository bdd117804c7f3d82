// SPDX-License-Identifier: Apache-2.0
// longest_first - index of the largest of QUEUES counts, of equals the lowest.
// Used by: drain_selector (MRPB paper, section 6).
// Timing: combinational; a balanced tree of ceil(log2(QUEUES)) comparators. Each node hands up the
// larger count of its two and its index; the right-hand one must be larger to win, so ties go down.
`default_nettype none
module longest_first #(
  parameter integer QUEUES  = 48,
  parameter integer COUNT_W = 4
) (
  input  wire [QUEUES*COUNT_W-1:0]                     counts_i,
  output wire [((QUEUES > 1) ? $clog2(QUEUES) : 1)-1:0] index_o
);
  localparam INDEX_W = (QUEUES > 1) ? $clog2(QUEUES) : 1;
  localparam LEVELS  = $clog2(QUEUES);

  genvar l, n;
  generate
    // Level l has ceil(QUEUES / 2^l) nodes, the last level two; an odd one out goes up as it is.
    for (l = 0; l < LEVELS; l = l + 1) begin : gen_level
      localparam NODES = (QUEUES + (1 << l) - 1) >> l;
      localparam BELOW = (2 * QUEUES + (1 << l) - 1) >> l;
      for (n = 0; n < NODES; n = n + 1) begin : gen_node
        wire [COUNT_W-1:0] count;
        wire [INDEX_W-1:0] index;
        if (l == 0) begin : gen_leaf
          localparam integer QUEUE = n;
          assign count = counts_i[n*COUNT_W+:COUNT_W];
          assign index = QUEUE[INDEX_W-1:0];
        end else if (2 * n + 1 < BELOW) begin : gen_pair
          wire right = gen_level[l-1].gen_node[2*n+1].count > gen_level[l-1].gen_node[2*n].count;
          assign count = right ? gen_level[l-1].gen_node[2*n+1].count
                               : gen_level[l-1].gen_node[2*n].count;
          assign index = right ? gen_level[l-1].gen_node[2*n+1].index
                               : gen_level[l-1].gen_node[2*n].index;
        end else begin : gen_odd
          assign count = gen_level[l-1].gen_node[2*n].count;
          assign index = gen_level[l-1].gen_node[2*n].index;
        end
      end
    end
    if (LEVELS == 0) begin : gen_single
      wire unused_counts = |counts_i;
      assign index_o = {INDEX_W{1'b0}};
    end else begin : gen_root
      wire right = gen_level[LEVELS-1].gen_node[1].count > gen_level[LEVELS-1].gen_node[0].count;
      assign index_o = right ? gen_level[LEVELS-1].gen_node[1].index
                             : gen_level[LEVELS-1].gen_node[0].index;
    end
  endgenerate
endmodule
`default_nettype wire
