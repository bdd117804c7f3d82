// SPDX-License-Identifier: Apache-2.0
// Properties of line_data, told for any one place f_p and any one word f_w of it. The shadow follows
// from the ports alone; labels with inv_ speak of the registers. Nothing is taken for granted of
// inputs.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

localparam WORD_W = (WORDS > 1) ? $clog2(WORDS) : 1;
(* anyconst *) wire [PLACE_W-1:0] f_p;
(* anyconst *) wire [WORD_W-1:0]  f_w;
wire f_read  = read_valid_i && read_place_i == f_p;
wire f_other = read_valid_i && read_place_i != f_p && read_place_i < PLACES;
wire f_write = write_valid_i && write_place_i == f_p && write_beat_i == f_w / BUS_WORDS;

// The word as it was written last, if it was written since the reset; the one that is shown, if the
// place was read last; what was shown in the cycle before.
reg                f_known, f_shown, f_shown_known, f_stays;
reg [31:0]         f_word, f_shown_word;
reg [WORDS*32-1:0] f_before;
wire [31:0] f_in  = write_data_i[(f_w%BUS_WORDS)*32+:32];
wire [31:0] f_now = data_o[f_w*32+:32];
always @(posedge clk_i) begin
  f_before <= data_o;
  f_stays  <= srst_ni && !(read_valid_i && read_place_i < PLACES);
  if (!srst_ni) begin
    f_known       <= 1'b0;
    f_shown       <= 1'b0;
    f_shown_known <= 1'b0;
  end else begin
    if (f_write) begin
      f_known <= 1'b1;
      f_word  <= f_in;
    end
    if (f_read) begin
      f_shown       <= 1'b1;
      f_shown_known <= f_known;
      f_shown_word  <= f_word;
    end else if (f_other) f_shown <= 1'b0;
  end
end

wire [WORDS*32-1:0] f_line = mem_q[f_p];
always @* if (f_live && f_p < PLACES && f_w < WORDS) begin
  inv_word: assert (!f_known || f_line[f_w*32+:32] == f_word);
  inv_shown: assert (!(f_shown && f_shown_known) || rdata_q[f_w*32+:32] == f_shown_word);
  reads_what_was_written: assert (!(f_shown && f_shown_known) || f_now == f_shown_word);
  reached_old_word: cover (f_shown && f_shown_known && f_known && f_word != f_shown_word);
end
always @* if (f_live) begin
  holds_data_o: assert (!f_stays || data_o == f_before);
end
