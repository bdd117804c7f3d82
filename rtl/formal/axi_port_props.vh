// SPDX-License-Identifier: Apache-2.0
// Properties of axi_port: each request is followed from the queue to memory. Shadows follow from the
// ports alone; labels with inv_ speak of the registers.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

wire f_is_write = req_data_i[REQUEST_W];
wire f_accept   = req_valid_i && req_ready_o;
wire f_read     = f_accept && !f_is_write;
wire f_write    = f_accept && f_is_write;
wire f_ar       = ar_valid_o && ar_ready_i;
wire f_aw       = aw_valid_o && aw_ready_i;
wire f_w        = w_valid_o && w_ready_i;
wire [ID_W-1:0]   f_id    = req_data_i[REQUEST_W-1 -: ID_W];
wire [ADDR_W-1:0] f_line  = req_data_i[2*BEAT_W +: ADDR_W];
wire [BEAT_W-1:0] f_first = req_data_i[BEAT_W +: BEAT_W];
wire [BEAT_W-1:0] f_last  = req_data_i[0 +: BEAT_W];
wire [BEAT_W-1:0] f_less  = f_last - f_first;
wire [BYTE_W-1:0] f_addr  = f_line * (4 * WORDS) + f_first * (4 * BUS_WORDS);

// Reads that were taken from the queue and not by memory; addresses and bursts of writes, likewise.
reg f_reads, f_addrs, f_bursts;
reg [BEAT_W-1:0] f_left;    // beats of the burst after the next one
reg [BEAT_W-1:0] f_number;  // the next beat
// What was taken from the queue last, of each kind.
reg [ID_W-1:0]   f_read_id, f_write_id;
reg [BYTE_W-1:0] f_read_addr, f_write_addr;
reg [BEAT_W-1:0] f_read_less, f_write_less;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_reads  <= 1'b0;
    f_addrs  <= 1'b0;
    f_bursts <= 1'b0;
  end else begin
    f_reads  <= f_reads + f_read - f_ar;
    f_addrs  <= f_addrs + f_write - f_aw;
    f_bursts <= f_bursts + f_write - (f_w && w_last_o);
  end
  if (srst_ni && f_read) {f_read_id, f_read_addr, f_read_less} <= {f_id, f_addr, f_less};
  if (srst_ni && f_write) {f_write_id, f_write_addr, f_write_less} <= {f_id, f_addr, f_less};
  if (srst_ni && f_write) {f_left, f_number} <= {f_less, f_first};
  else if (srst_ni && f_w) {f_left, f_number} <= {f_left - 1'b1, f_number + 1'b1};
end

// The entry that an id names: its low bits.
wire [ID_W+ENTRY_W-1:0] f_write_wide = f_write_id;

// What was offered in the cycle before and not taken. A reset takes an offer back.
reg              f_ar_stalled, f_aw_stalled, f_w_stalled, f_was_last;
reg [ID_W-1:0]   f_was_ar_id;
reg [BYTE_W-1:0] f_was_ar_addr, f_was_aw_addr;
reg [7:0]        f_was_ar_len, f_was_aw_len;
reg [ENTRY_W-1:0] f_was_entry;
reg [BEAT_W-1:0] f_was_number;
always @(posedge clk_i) begin
  f_ar_stalled <= srst_ni && ar_valid_o && !ar_ready_i;
  f_aw_stalled <= srst_ni && aw_valid_o && !aw_ready_i;
  f_w_stalled  <= srst_ni && w_valid_o && !w_ready_i;
  {f_was_ar_id, f_was_ar_addr, f_was_ar_len} <= {ar_id_o, ar_addr_o, ar_len_o};
  {f_was_aw_addr, f_was_aw_len} <= {aw_addr_o, aw_len_o};
  {f_was_last, f_was_entry, f_was_number}    <= {w_last_o, beat_entry_o, beat_number_o};
end

always @* if (f_live) begin
  inv_valids: assert (read_valid_q == f_reads && aw_valid_q == f_addrs && w_valid_q == f_bursts);
  inv_read: assert (!f_reads || (read_q[REQUEST_W-1 -: ID_W] == f_read_id
                    && address(read_q[2*BEAT_W +: ADDR_W], read_q[BEAT_W +: BEAT_W]) == f_read_addr
                    && length(read_q[BEAT_W +: BEAT_W], read_q[0 +: BEAT_W]) == f_read_less));
  inv_write: assert (!(f_addrs || f_bursts) || (write_id == f_write_id
                     && address(write_q[2*BEAT_W +: ADDR_W], write_first) == f_write_addr
                     && length(write_first, write_last) == f_write_less));
  inv_beat: assert (!f_bursts || (beat_q == f_number && write_last - beat_q == f_left));

  read_refused_iff_kept: assert (f_is_write || req_ready_o == !f_reads);
  write_refused_iff_left: assert (!f_is_write || req_ready_o
                                  == (!(f_addrs && !f_aw) && !(f_bursts && !(f_w && w_last_o))));
  read_is_offered_at_once: assert (ar_valid_o == (f_reads || f_read));
  read_as_requested: assert (!ar_valid_o || (f_reads
                             ? ar_id_o == f_read_id && ar_addr_o == f_read_addr && ar_len_o == f_read_less
                             : ar_id_o == f_id && ar_addr_o == f_addr && ar_len_o == f_less));
  write_is_offered_next: assert (aw_valid_o == f_addrs && w_valid_o == f_bursts);
  write_as_requested: assert (!aw_valid_o
                              || (aw_addr_o == f_write_addr && aw_len_o == f_write_less));
  beats_as_many_as_the_length: assert (w_last_o == (w_valid_o && f_left == 0));
  beats_in_order: assert (!w_valid_o || beat_number_o == f_number);
  beats_of_its_entry: assert (!w_valid_o || beat_entry_o == f_write_wide[ENTRY_W-1:0]);
  w_data_o_is_what_the_buffer_shows: assert (w_data_o == (w_valid_o ? beat_data_i : 0));
  w_strb_o_is_what_the_buffer_shows: assert (w_strb_o == (w_valid_o ? beat_strobe_i : 0));
  last_beat_frees: assert (free_valid_o == (f_w && f_left == 0)
                           && free_entry_o == (free_valid_o ? f_write_wide[ENTRY_W-1:0] : 0));
  idle_iff_nothing_waits: assert (idle_o == !(f_reads || f_addrs || f_bursts));
  silent_when_not_valid: assert ((ar_valid_o || (ar_id_o == 0 && ar_addr_o == 0 && ar_len_o == 0))
                                 && (aw_valid_o || (aw_addr_o == 0 && aw_len_o == 0))
                                 && (w_valid_o || (beat_entry_o == 0 && beat_number_o == 0 && !w_last_o)));
  holds_ar_valid_o: assert (!f_ar_stalled || ar_valid_o);
  holds_ar_id_o: assert (!f_ar_stalled || ar_id_o == f_was_ar_id);
  holds_ar_addr_o: assert (!f_ar_stalled || ar_addr_o == f_was_ar_addr);
  holds_ar_len_o: assert (!f_ar_stalled || ar_len_o == f_was_ar_len);
  holds_aw_valid_o: assert (!f_aw_stalled || aw_valid_o);
  holds_aw_addr_o: assert (!f_aw_stalled || aw_addr_o == f_was_aw_addr);
  holds_aw_len_o: assert (!f_aw_stalled || aw_len_o == f_was_aw_len);
  holds_w_valid_o: assert (!f_w_stalled || w_valid_o);
  holds_w_last_o: assert (!f_w_stalled || w_last_o == f_was_last);
  holds_beat_entry_o: assert (!f_w_stalled || beat_entry_o == f_was_entry);
  holds_beat_number_o: assert (!f_w_stalled || beat_number_o == f_was_number);
  reached_all: cover (f_reads && f_addrs && f_bursts && f_write_less != 0 && f_left == 0);
  reached_data_first: cover (f_addrs && !f_bursts);
end
