// SPDX-License-Identifier: Apache-2.0
// A cache for the tests of the contract of a path: blocking tags with a miss queue.
// Write-back, with a dirty bit for each byte; memory is AXI4. A miss blocks its set until its line
// comes; other sets go on. The queue asks for lines in order, each in a wrapping burst that begins
// with the word of the miss. A victim's dirty bytes stay in a buffer until their write is answered;
// until then its line is not asked for again.
`default_nettype none
module queue_cache #(
  parameter integer WORD    = 4,
  parameter integer LANES   = 1,
  parameter integer LINE    = 16,
  parameter integer BUS     = 8,
  parameter integer ADDR_W  = 10,
  parameter integer TAG_W   = 4,
  parameter integer ID_W    = 4,
  // sets: a power of two; ways; misses in the queue; victims in the buffer; answers that wait
  parameter integer SETS    = 2,
  parameter integer WAYS    = 2,
  parameter integer QUEUE   = 2,
  parameter integer VICTIMS = 2,
  parameter integer ANSWERS = 2
) (
  input  wire                      clk_i,
  input  wire                      srst_ni,
  input  wire [LANES-1:0]          req_valid_i,
  input  wire [LANES-1:0]          req_write_i,
  input  wire [LANES*ADDR_W-1:0]   req_addr_i,
  input  wire [LANES*WORD-1:0]     req_mask_i,
  input  wire [LANES*WORD*8-1:0]   req_data_i,
  input  wire [LANES*TAG_W-1:0]    req_tag_i,
  output wire [LANES-1:0]          req_ready_o,
  output wire [LANES-1:0]          rsp_valid_o,
  output wire [LANES*TAG_W-1:0]    rsp_tag_o,
  output wire [LANES*WORD*8-1:0]   rsp_data_o,
  input  wire [LANES-1:0]          rsp_ready_i,
  input  wire                      flush_i,
  output wire                      flush_done_o,
  output wire                      ar_valid_o,
  output wire [ADDR_W-1:0]         ar_addr_o,
  output wire [ID_W-1:0]           ar_id_o,
  output wire [7:0]                ar_len_o,
  output wire [2:0]                ar_size_o,
  output wire [1:0]                ar_burst_o,
  input  wire                      ar_ready_i,
  input  wire                      r_valid_i,
  input  wire [8*BUS-1:0]          r_data_i,
  input  wire                      r_last_i,
  output wire                      r_ready_o,
  output wire                      aw_valid_o,
  output wire [ADDR_W-1:0]         aw_addr_o,
  output wire [ID_W-1:0]           aw_id_o,
  output wire [7:0]                aw_len_o,
  output wire [2:0]                aw_size_o,
  output wire [1:0]                aw_burst_o,
  input  wire                      aw_ready_i,
  output wire                      w_valid_o,
  output wire [8*BUS-1:0]          w_data_o,
  output wire [BUS-1:0]            w_strb_o,
  output wire                      w_last_o,
  input  wire                      w_ready_i,
  input  wire                      b_valid_i,
  output wire                      b_ready_o
);
  localparam OFF_W  = $clog2(LINE);
  localparam LN_W   = ADDR_W - OFF_W;
  localparam SLOTS  = SETS * WAYS;
  localparam SLOT_W = $clog2(SLOTS + 1);
  localparam SET_W  = $clog2(SETS + 1);
  localparam WAY_W  = $clog2(WAYS + 1);
  localparam BEATS  = LINE / BUS;
  localparam BEAT_W = $clog2(BEATS + 1);
  localparam BUS_W  = $clog2(BUS);
  localparam Q_W    = $clog2(QUEUE + 1);
  localparam V_W    = $clog2(VICTIMS + 1);
  localparam A_W    = $clog2(ANSWERS + 1);

  // Tags and data; a slot is a way of a set.
  reg [SLOTS-1:0]  valid_q;
  reg [LN_W-1:0]   tag_q [0:SLOTS-1];
  reg [LINE-1:0]   dirty_q [0:SLOTS-1];
  reg [8*LINE-1:0] data_q [0:SLOTS-1];
  reg [SETS-1:0]   busy_q;
  reg [WAY_W-1:0]  turn_q;

  // The miss queue: a miss enters, its line is asked for, its line comes.
  reg [LN_W-1:0]        miss_line_q [0:QUEUE-1];
  reg [SLOT_W-1:0]      miss_slot_q [0:QUEUE-1];
  reg                   miss_write_q [0:QUEUE-1];
  reg [LANES-1:0]       miss_lanes_q [0:QUEUE-1];
  reg [LANES*OFF_W-1:0] miss_offs_q [0:QUEUE-1];
  reg [LANES*TAG_W-1:0] miss_tags_q [0:QUEUE-1];
  reg [LINE-1:0]        miss_mask_q [0:QUEUE-1];
  reg [8*LINE-1:0]      miss_data_q [0:QUEUE-1];
  reg [BEAT_W-1:0]      miss_beat_q [0:QUEUE-1];
  reg [Q_W-1:0]         enter_q, ask_q, come_q, to_ask_q, to_come_q;

  // Victims: they enter, they are sent, they are answered.
  reg [VICTIMS-1:0] victim_q;
  reg [LN_W-1:0]    victim_line_q [0:VICTIMS-1];
  reg [LINE-1:0]    victim_mask_q [0:VICTIMS-1];
  reg [8*LINE-1:0]  victim_data_q [0:VICTIMS-1];
  reg [V_W-1:0]     evict_q, send_q, done_q, to_send_q;

  // Answers that wait.
  reg [LANES-1:0]        ans_lanes_q [0:ANSWERS-1];
  reg [LANES*TAG_W-1:0]  ans_tags_q [0:ANSWERS-1];
  reg [LANES*WORD*8-1:0] ans_data_q [0:ANSWERS-1];
  reg [A_W-1:0]          ans_in_q, ans_out_q, ans_n_q;

  function [Q_W-1:0] next_miss(input [Q_W-1:0] i);
    next_miss = (i == QUEUE - 1) ? {Q_W{1'b0}} : i + 1'b1;
  endfunction
  function [V_W-1:0] next_victim(input [V_W-1:0] i);
    next_victim = (i == VICTIMS - 1) ? {V_W{1'b0}} : i + 1'b1;
  endfunction
  function [A_W-1:0] next_answer(input [A_W-1:0] i);
    next_answer = (i == ANSWERS - 1) ? {A_W{1'b0}} : i + 1'b1;
  endfunction

  // The request of this cycle.
  wire                   req, write, unused_bypass;
  wire [LN_W-1:0]        line;
  wire [LANES-1:0]       lanes;
  wire [LANES*OFF_W-1:0] offs;
  wire [LINE-1:0]        mask;
  wire [8*LINE-1:0]      data;
  lane_join #(.WORD(WORD), .LANES(LANES), .LINE(LINE), .ADDR_W(ADDR_W)) u_join (
    .req_valid_i(req_valid_i), .req_write_i(req_write_i), .req_bypass_i({LANES{1'b0}}),
    .req_addr_i(req_addr_i), .req_mask_i(req_mask_i), .req_data_i(req_data_i),
    .valid_o(req), .write_o(write), .bypass_o(unused_bypass), .line_o(line),
    .lanes_o(lanes), .offs_o(offs), .mask_o(mask), .data_o(data));

  // Its set: a hit, or the way that it would take.
  wire [SET_W-1:0]  set = line & (SETS - 1);
  reg               hit;
  reg  [SLOT_W-1:0] hit_slot;
  integer           w;
  always @* begin
    hit      = 1'b0;
    hit_slot = {SLOT_W{1'b0}};
    for (w = 0; w < WAYS; w = w + 1)
      if (valid_q[set*WAYS+w] && tag_q[set*WAYS+w] == line) begin
        hit      = 1'b1;
        hit_slot = set * WAYS + w;
      end
  end
  wire [SLOT_W-1:0] new_slot   = set * WAYS + turn_q;
  wire              new_dirty  = valid_q[new_slot] && |dirty_q[new_slot];
  wire              victim_ok  = !victim_q[evict_q];
  wire              queue_ok   = to_ask_q + to_come_q < QUEUE;
  wire              blocked    = busy_q[set] || flush_i;

  // A line that comes; its last beat may answer.
  wire              fill_load  = !miss_write_q[come_q];
  wire [BEAT_W-1:0] fill_beat  = miss_beat_q[come_q];
  wire              ans_room   = ans_n_q != ANSWERS;
  assign r_ready_o             = to_come_q != 0 && !(r_last_i && fill_load && !ans_room);
  wire              fill       = r_valid_i && r_ready_o && r_last_i;
  wire              fill_says  = r_valid_i && r_last_i && fill_load;
  wire              hit_ok     = !blocked && hit && (write || ans_room && !fill_says);
  wire              miss_ok    = !blocked && !hit && queue_ok && (!new_dirty || victim_ok);
  wire              hit_fire   = req && hit_ok;
  wire              miss_fire  = req && miss_ok;
  assign req_ready_o           = lanes & {LANES{hit_ok || miss_ok}};

  // The line with the beats that have come, and with the bytes that the miss stores.
  reg [8*LINE-1:0] beats_q;
  reg [8*LINE-1:0] come_line, fill_line, hit_line;
  integer          b;
  always @* begin
    come_line = beats_q;
    come_line[fill_beat*8*BUS +: 8*BUS] = r_data_i;
    fill_line = come_line;
    hit_line  = data_q[hit_slot];
    for (b = 0; b < LINE; b = b + 1) begin
      if (miss_mask_q[come_q][b]) fill_line[8*b +: 8] = miss_data_q[come_q][8*b +: 8];
      if (mask[b]) hit_line[8*b +: 8] = data[8*b +: 8];
    end
  end

  // Answers.
  wire                    say      = fill && fill_load || hit_fire && !write;
  wire [LANES*WORD*8-1:0] say_words;
  wire [LANES-1:0]        ans_left = ans_lanes_q[ans_out_q] & ~rsp_ready_i;
  wire                    ans_gone = ans_n_q != 0 && ans_left == 0;
  lane_words #(.WORD(WORD), .LANES(LANES), .LINE(LINE)) u_words (
    .line_i(fill_says ? come_line : data_q[hit_slot]),
    .offs_i(fill_says ? miss_offs_q[come_q] : offs), .words_o(say_words));
  assign rsp_valid_o = ans_lanes_q[ans_out_q] & {LANES{ans_n_q != 0}};
  assign rsp_tag_o   = ans_tags_q[ans_out_q];
  assign rsp_data_o  = ans_data_q[ans_out_q];

  always @(posedge clk_i)
    if (!srst_ni) begin
      ans_in_q  <= {A_W{1'b0}};
      ans_out_q <= {A_W{1'b0}};
      ans_n_q   <= {A_W{1'b0}};
    end else begin
      if (ans_n_q != 0) ans_lanes_q[ans_out_q] <= ans_left;
      if (ans_gone) ans_out_q <= next_answer(ans_out_q);
      if (say) begin
        ans_lanes_q[ans_in_q] <= fill_says ? miss_lanes_q[come_q] : lanes;
        ans_tags_q[ans_in_q]  <= fill_says ? miss_tags_q[come_q] : req_tag_i;
        ans_data_q[ans_in_q]  <= say_words;
        ans_in_q <= next_answer(ans_in_q);
      end
      ans_n_q <= ans_n_q + say - ans_gone;
    end

  // A line is asked for when no victim is the same line.
  reg     own_victim;
  integer v;
  always @* begin
    own_victim = 1'b0;
    for (v = 0; v < VICTIMS; v = v + 1)
      if (victim_q[v] && victim_line_q[v] == miss_line_q[ask_q]) own_victim = 1'b1;
  end
  reg              ar_q;
  reg [ADDR_W-1:0] ar_addr_q;
  wire             ask = to_ask_q != 0 && !own_victim && (!ar_q || ar_ready_i);
  assign ar_valid_o = ar_q;
  assign ar_addr_o  = ar_addr_q;
  assign ar_id_o    = {ID_W{1'b0}};
  assign ar_len_o   = BEATS - 1;
  assign ar_size_o  = BUS_W;
  assign ar_burst_o = BEATS == 1 ? 2'd1 : 2'd2;

  always @(posedge clk_i)
    if (!srst_ni) begin
      enter_q   <= {Q_W{1'b0}};
      ask_q     <= {Q_W{1'b0}};
      come_q    <= {Q_W{1'b0}};
      to_ask_q  <= {Q_W{1'b0}};
      to_come_q <= {Q_W{1'b0}};
      ar_q      <= 1'b0;
    end else begin
      if (miss_fire) begin
        miss_line_q[enter_q]  <= line;
        miss_slot_q[enter_q]  <= new_slot;
        miss_write_q[enter_q] <= write;
        miss_lanes_q[enter_q] <= lanes;
        miss_offs_q[enter_q]  <= offs;
        miss_tags_q[enter_q]  <= req_tag_i;
        miss_mask_q[enter_q]  <= mask;
        miss_data_q[enter_q]  <= data;
        miss_beat_q[enter_q]  <= offs[OFF_W-1:0] / BUS;
        enter_q <= next_miss(enter_q);
      end
      if (ar_ready_i) ar_q <= 1'b0;
      if (ask) begin
        ar_q      <= 1'b1;
        ar_addr_q <= {miss_line_q[ask_q], {OFF_W{1'b0}}} + miss_beat_q[ask_q] * BUS;
        ask_q     <= next_miss(ask_q);
      end
      if (r_valid_i && r_ready_o) begin
        beats_q <= come_line;
        miss_beat_q[come_q] <= (fill_beat == BEATS - 1) ? {BEAT_W{1'b0}} : fill_beat + 1'b1;
      end
      if (fill) come_q <= next_miss(come_q);
      to_ask_q  <= to_ask_q + miss_fire - ask;
      to_come_q <= to_come_q + ask - fill;
    end

  // A flush waits for the queue, walks over the slots, waits for the victims.
  reg  [SLOT_W-1:0] walk_q;
  wire              walking    = flush_i && to_ask_q + to_come_q == 0 && walk_q != SLOTS;
  wire              walk_dirty = valid_q[walk_q] && |dirty_q[walk_q];
  wire              walk       = walking && (!walk_dirty || victim_ok);
  assign flush_done_o          = flush_i && walk_q == SLOTS && victim_q == 0;

  // Tags, data, victims that leave.
  wire              evict      = walk && walk_dirty || miss_fire && new_dirty;
  wire [SLOT_W-1:0] evict_slot = walking ? walk_q : new_slot;

  always @(posedge clk_i)
    if (!srst_ni) begin
      valid_q <= {SLOTS{1'b0}};
      busy_q  <= {SETS{1'b0}};
      turn_q  <= {WAY_W{1'b0}};
      walk_q  <= {SLOT_W{1'b0}};
    end else begin
      if (hit_fire && write) begin
        data_q[hit_slot]  <= hit_line;
        dirty_q[hit_slot] <= dirty_q[hit_slot] | mask;
      end
      if (miss_fire) begin
        valid_q[new_slot] <= 1'b0;
        busy_q[set]       <= 1'b1;
        turn_q            <= (turn_q == WAYS - 1) ? {WAY_W{1'b0}} : turn_q + 1'b1;
      end
      if (fill) begin
        valid_q[miss_slot_q[come_q]] <= 1'b1;
        tag_q[miss_slot_q[come_q]]   <= miss_line_q[come_q];
        data_q[miss_slot_q[come_q]]  <= fill_line;
        dirty_q[miss_slot_q[come_q]] <= miss_mask_q[come_q];
        busy_q[miss_line_q[come_q] & (SETS - 1)] <= 1'b0;
      end
      if (walk) begin
        valid_q[walk_q] <= 1'b0;
        walk_q          <= walk_q + 1'b1;
      end
      if (flush_done_o) walk_q <= {SLOT_W{1'b0}};
    end

  // Victims are written: address and beats go their own ways, the answer frees the place.
  reg              aw_done_q;
  reg [BEAT_W-1:0] w_beat_q;
  wire             aw_over = aw_done_q || aw_valid_o && aw_ready_i;
  wire             w_over  = w_beat_q == BEATS || w_valid_o && w_ready_i && w_last_o;
  wire             sent    = to_send_q != 0 && aw_over && w_over;
  assign aw_valid_o = to_send_q != 0 && !aw_done_q;
  assign aw_addr_o  = {victim_line_q[send_q], {OFF_W{1'b0}}};
  assign aw_id_o    = {ID_W{1'b0}};
  assign aw_len_o   = BEATS - 1;
  assign aw_size_o  = BUS_W;
  assign aw_burst_o = 2'd1;
  assign w_valid_o  = to_send_q != 0 && w_beat_q != BEATS;
  assign w_data_o   = victim_data_q[send_q] >> (w_beat_q * 8 * BUS);
  assign w_strb_o   = victim_mask_q[send_q] >> (w_beat_q * BUS);
  assign w_last_o   = w_beat_q == BEATS - 1;
  assign b_ready_o  = 1'b1;

  always @(posedge clk_i)
    if (!srst_ni) begin
      victim_q  <= {VICTIMS{1'b0}};
      evict_q   <= {V_W{1'b0}};
      send_q    <= {V_W{1'b0}};
      done_q    <= {V_W{1'b0}};
      to_send_q <= {V_W{1'b0}};
      aw_done_q <= 1'b0;
      w_beat_q  <= {BEAT_W{1'b0}};
    end else begin
      if (evict) begin
        victim_q[evict_q]      <= 1'b1;
        victim_line_q[evict_q] <= tag_q[evict_slot];
        victim_mask_q[evict_q] <= dirty_q[evict_slot];
        victim_data_q[evict_q] <= data_q[evict_slot];
        evict_q <= next_victim(evict_q);
      end
      aw_done_q <= aw_over && !sent && to_send_q != 0;
      if (w_valid_o && w_ready_i) w_beat_q <= w_beat_q + 1'b1;
      if (sent) begin
        w_beat_q <= {BEAT_W{1'b0}};
        send_q   <= next_victim(send_q);
      end
      if (b_valid_i) begin
        victim_q[done_q] <= 1'b0;
        done_q <= next_victim(done_q);
      end
      to_send_q <= to_send_q + evict - sent;
    end
endmodule
`default_nettype wire
