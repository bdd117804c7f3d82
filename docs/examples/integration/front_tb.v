// SPDX-License-Identifier: Apache-2.0
// Offers 400 reads and writes with tags of their own, answers each miss after a few cycles, and
// counts what comes back: every read once, every write once.
`default_nettype none
module front_tb;
  localparam integer REQUESTS = 400, DELAY = 6;
  reg         clk = 1'b0, rst_n = 1'b0, ready = 1'b0;
  integer     sent = 0, reads = 0, writes = 0, returned = 0, left = 0, errors = 0, i;
  reg  [15:0] random = 16'hace1;
  reg         seen [0:REQUESTS-1];
  reg  [DELAY-1:0] fill_valid = 0;
  reg  [1:0]       fill_entry [0:DELAY-1];
  wire        is_write = sent[2:0] == 3'd7;
  wire [7:0]  tag = sent[7:0];
  wire        in_ready, write_valid, miss_valid, out_valid;
  wire [15:0] write_data;
  wire [7:0]  miss_line;
  wire [1:0]  miss_entry;
  wire [13:0] out_data;

  front dut (
    .clk_i(clk), .srst_ni(rst_n),
    .in_valid_i(rst_n && sent < REQUESTS), .in_write_i(is_write),
    .in_warp_i({4'd0, sent[9:8]}), .in_data_i({tag, 4'd0, random[7:4]}), .in_ready_o(in_ready),
    .write_valid_o(write_valid), .write_data_o(write_data),
    .miss_valid_o(miss_valid), .miss_line_o(miss_line), .miss_entry_o(miss_entry),
    .fill_valid_i(fill_valid[0]), .fill_entry_i(fill_entry[0]),
    .out_valid_o(out_valid), .out_data_o(out_data), .out_ready_i(ready)
  );

  always #5 clk = !clk;

  // The request number is the warp and the tag.
  task back(input [9:0] number);
    if (number >= sent || seen[number]) errors = errors + 1;
    else seen[number] = 1'b1;
  endtask

  always @(posedge clk) if (rst_n) begin
    random <= {random[14:0], random[15] ^ random[13] ^ random[12] ^ random[10]};
    ready  <= random[9:8] != 2'd0;
    if (sent < REQUESTS && in_ready) begin
      sent <= sent + 1;
      if (is_write) writes <= writes + 1; else reads <= reads + 1;
    end
    if (out_valid && ready) begin
      returned <= returned + 1;
      back(out_data[9:0]);
    end
    if (write_valid) left <= left + 1;
    fill_valid <= {miss_valid, fill_valid[DELAY-1:1]};
    for (i = 0; i < DELAY - 1; i = i + 1) fill_entry[i] <= fill_entry[i+1];
    fill_entry[DELAY-1] <= miss_entry;
  end

  initial begin
    for (i = 0; i < REQUESTS; i = i + 1) seen[i] = 1'b0;
    for (i = 0; i < DELAY; i = i + 1) fill_entry[i] = 2'd0;
    repeat (3) @(posedge clk);
    #1 rst_n = 1'b1;
    for (i = 0; i < 20000 && (returned < reads || left < writes || sent < REQUESTS); i = i + 1)
      @(negedge clk);
    $display("%0d reads returned, %0d writes left, %0d errors", returned, left,
             errors + (returned != reads) + (left != writes) + (sent != REQUESTS));
    $finish;
  end
endmodule
`default_nettype wire
