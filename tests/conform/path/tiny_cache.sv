// SPDX-License-Identifier: Apache-2.0
// A small cache for the tests of the contract of a path: direct-mapped, write-back, one miss at a
// time. While a line is written back and read, it accepts nothing; answers leave in order.
module tiny_cache #(
    parameter WORD = 4,
    parameter LINE = 16,
    parameter ADDR_W = 10,
    parameter TAG_W = 4,
    parameter SETS = 4
) (
    input  logic              clk_i,
    input  logic              srst_ni,
    input  logic              req_valid_i,
    input  logic              req_write_i,
    input  logic [ADDR_W-1:0] req_addr_i,
    input  logic [WORD-1:0]   req_mask_i,
    input  logic [8*WORD-1:0] req_data_i,
    input  logic [TAG_W-1:0]  req_tag_i,
    output logic              req_ready_o,
    output logic              rsp_valid_o,
    output logic [TAG_W-1:0]  rsp_tag_o,
    output logic [8*WORD-1:0] rsp_data_o,
    input  logic              rsp_ready_i,
    input  logic              flush_i,
    output logic              flush_done_o,
    output logic              mem_valid_o,
    output logic              mem_write_o,
    output logic [ADDR_W-1:0] mem_addr_o,
    output logic [LINE-1:0]   mem_mask_o,
    output logic [8*LINE-1:0] mem_data_o,
    input  logic              mem_ready_i,
    input  logic              mem_rsp_valid_i,
    input  logic [8*LINE-1:0] mem_rsp_data_i
);
  localparam OFF = $clog2(LINE);
  localparam IDX = $clog2(SETS);
  localparam TAGS = ADDR_W - OFF - IDX;
  typedef enum logic [2:0] {RUN, BACK, ASK, WAIT, WALK, OUT} state_t;

  state_t state_q;
  logic [8*LINE-1:0] line_q[SETS];
  logic [TAGS-1:0] tag_q[SETS];
  logic [SETS-1:0] valid_q, dirty_q;
  logic write_q, rsp_q;
  logic [ADDR_W-1:0] addr_q;
  logic [WORD-1:0] mask_q;
  logic [8*WORD-1:0] data_q, rsp_data_q;
  logic [TAG_W-1:0] reqtag_q, rsptag_q;
  logic [IDX-1:0] walk_q;

  logic [ADDR_W-1:0] addr;
  logic [IDX-1:0] set;
  logic [8*LINE-1:0] line, stored;
  logic hit, serve, write;
  logic [WORD-1:0] mask;
  logic [8*WORD-1:0] data;

  assign req_ready_o = state_q == RUN && !flush_i && (!rsp_q || rsp_ready_i);
  assign addr = state_q == RUN ? req_addr_i : addr_q;
  assign write = state_q == RUN ? req_write_i : write_q;
  assign mask = state_q == RUN ? req_mask_i : mask_q;
  assign data = state_q == RUN ? req_data_i : data_q;
  assign set = addr[OFF+:IDX];
  assign hit = valid_q[set] && tag_q[set] == addr[ADDR_W-1-:TAGS];
  assign line = state_q == WAIT ? mem_rsp_data_i : line_q[set];
  assign serve = state_q == RUN ? req_valid_i && req_ready_o && hit : state_q == WAIT && mem_rsp_valid_i;

  always_comb begin
    stored = line;
    for (int i = 0; i < WORD; i++)
      if (write && mask[i]) stored[8*(int'(addr[OFF-1:0])+i)+:8] = data[8*i+:8];
  end

  assign mem_valid_o = state_q == BACK || state_q == ASK || state_q == OUT;
  assign mem_write_o = state_q != ASK;
  assign mem_addr_o = state_q == ASK ? {addr_q[ADDR_W-1:OFF], {OFF{1'b0}}} :
                      state_q == OUT ? {tag_q[walk_q], walk_q, {OFF{1'b0}}} : {tag_q[set], set, {OFF{1'b0}}};
  assign mem_mask_o = '1;
  assign mem_data_o = state_q == OUT ? line_q[walk_q] : line_q[set];
  assign flush_done_o = state_q == WALK && walk_q == IDX'(SETS - 1) && !dirty_q[walk_q];
  assign rsp_valid_o = rsp_q;
  assign rsp_tag_o = rsptag_q;
  assign rsp_data_o = rsp_data_q;

  always_ff @(posedge clk_i)
    if (!srst_ni) begin
      state_q <= RUN;
      valid_q <= '0;
      dirty_q <= '0;
      rsp_q <= 1'b0;
      walk_q <= '0;
    end else begin
      if (rsp_ready_i) rsp_q <= 1'b0;
      if (serve) begin
        line_q[set] <= stored;
        valid_q[set] <= 1'b1;
        tag_q[set] <= addr[ADDR_W-1-:TAGS];
        dirty_q[set] <= write || (dirty_q[set] && state_q == RUN);
        if (!write) begin
          rsp_q <= 1'b1;
          rsptag_q <= state_q == RUN ? req_tag_i : reqtag_q;
          rsp_data_q <= line[8*int'(addr[OFF-1:0])+:8*WORD];
        end
      end
      case (state_q)
        RUN: begin
          if (flush_i) state_q <= WALK;
          else if (req_valid_i && req_ready_o && !hit) begin
            addr_q <= req_addr_i;
            write_q <= req_write_i;
            mask_q <= req_mask_i;
            data_q <= req_data_i;
            reqtag_q <= req_tag_i;
            state_q <= valid_q[set] && dirty_q[set] ? BACK : ASK;
          end
        end
        BACK: if (mem_ready_i) state_q <= ASK;
        ASK: if (mem_ready_i) state_q <= WAIT;
        WAIT: if (mem_rsp_valid_i) state_q <= RUN;
        WALK: begin
          if (dirty_q[walk_q]) state_q <= OUT;
          else begin
            valid_q[walk_q] <= 1'b0;
            walk_q <= walk_q == IDX'(SETS - 1) ? '0 : walk_q + 1'b1;
            if (walk_q == IDX'(SETS - 1)) state_q <= RUN;
          end
        end
        OUT: if (mem_ready_i) begin
          dirty_q[walk_q] <= 1'b0;
          state_q <= WALK;
        end
        default: state_q <= RUN;
      endcase
    end
endmodule
