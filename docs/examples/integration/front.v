// SPDX-License-Identifier: Apache-2.0
// front - the front of an L1 that holds nothing: requests wait in an MRPB, reads go on to an MSHR
// table, writes leave. Both blocks are exported: mrpb QUEUES=4 DEPTH=2 DATA_W=16 BLOCKS=2 BYPASS=0,
// mshr ENTRIES=4 MERGES=2 ADDR_W=8 DATA_W=14. Their instances have no parameters, so that the
// Verilog, a netlist, a black box and a Liberty cell can stand for them.
`default_nettype none
module front (
  input  wire        clk_i,
  input  wire        srst_ni,
  // a read or write: warp, tag (8 bits), line (8 bits)
  input  wire        in_valid_i,
  input  wire        in_write_i,
  input  wire [5:0]  in_warp_i,
  input  wire [15:0] in_data_i,
  output wire        in_ready_o,
  // a write leaves
  output wire        write_valid_o,
  output wire [15:0] write_data_o,
  // a line is asked for, and comes
  output wire        miss_valid_o,
  output wire [7:0]  miss_line_o,
  output wire [1:0]  miss_entry_o,
  input  wire        fill_valid_i,
  input  wire [1:0]  fill_entry_i,
  // a read returns: warp, tag
  output wire        out_valid_o,
  output wire [13:0] out_data_o,
  input  wire        out_ready_i
);
  localparam [1:0] ACCEPTED = 2'd0, STALL = 2'd2;

  wire        show_valid, show_write, read_ready, read_merge;
  wire [5:0]  show_warp;
  wire [15:0] show_data;
  wire        read = show_valid && !show_write;

  // What the MRPB presents is accepted if it is a write, or if the table takes the read.
  wire [1:0] answer = (show_write || read_ready) ? ACCEPTED : STALL;

  mrpb u_mrpb (
    .clk_i          (clk_i),
    .srst_ni        (srst_ni),
    .in_valid_i     (in_valid_i),
    .in_kind_i      ({1'b0, in_write_i}),
    .in_warp_i      (in_warp_i),
    .in_block_i     (6'd0),
    .in_block_warp_i(in_warp_i),
    .in_data_i      (in_data_i),
    .l1_answer_i    (answer),
    .byp_ready_i    (1'b0),
    .in_ready_o     (in_ready_o),
    .out_valid_o    (show_valid),
    .out_write_o    (show_write),
    .out_warp_o     (show_warp),
    .out_block_o    (),
    .out_data_o     (show_data),
    .byp_valid_o    (),
    .flush_full_o   (),
    .flush_write_o  (),
    .held_o         (),
    .order_err_o    (),
    .error_o        ()
  );

  mshr u_mshr (
    .clk_i         (clk_i),
    .srst_ni       (srst_ni),
    .req_valid_i   (read),
    .req_addr_i    (show_data[7:0]),
    .req_data_i    ({show_warp, show_data[15:8]}),
    .fill_valid_i  (fill_valid_i),
    .fill_entry_i  (fill_entry_i),
    .out_ready_i   (out_ready_i),
    .store_valid_i (1'b0),
    .store_addr_i  (8'd0),
    .req_ready_o   (read_ready),
    .req_merge_o   (read_merge),
    .req_refuse_o  (),
    .req_entry_o   (miss_entry_o),
    .fill_err_o    (),
    .out_valid_o   (out_valid_o),
    .out_data_o    (out_data_o),
    .out_entry_o   (),
    .out_last_o    (),
    .count_o       (),
    .fill_written_o(),
    .store_hit_o   (),
    .store_entry_o (),
    .error_o       ()
  );

  assign write_valid_o = show_valid && show_write;
  assign write_data_o  = show_data;
  assign miss_valid_o  = read && read_ready && !read_merge;
  assign miss_line_o   = show_data[7:0];
endmodule
`default_nettype wire
