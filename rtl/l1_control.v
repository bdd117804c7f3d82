// SPDX-License-Identifier: Apache-2.0
// l1_control - the control of the L1: looks requests up, decides two cycles later, answers them.
// C twin: cmodel/l1_control.c   Page: docs/modules/l1_control.md
// Timing: stages T (presented), D (tags are read), A (decided); one request a cycle. The late
// mshr_* reach the answer and the valid outputs, not what goes into the queues. event_o is kept so
// that Yosys names the nets of the events after it: OpenSTA reads no {} on the left of an assign.
`default_nettype none
module l1_control #(
  // bits of a line address
  parameter integer ADDR_W   = 25,
  // sectors of a line
  parameter integer SECTORS  = 4,
  // beats in which a line is fetched
  parameter integer BEATS    = 4,
  // lines of the cache: the places below LINES
  parameter integer LINES    = 128,
  // entries of the MSHR table
  parameter integer MSHRS    = 32,
  // entries of the bypass table: the places from LINES on
  parameter integer BYPASSES = 4,
  // entries of the store buffer
  parameter integer STORES   = 4,
  // bits of a load's entry of the PRT, or of a store's entry of the store buffer
  parameter integer ENTRY_W  = 6,
  // bits of a request's number within its instruction
  parameter integer NUMBER_W = 5,
  // a miss fetches: 0 the sectors that the load needs, 1 all sectors of the line
  parameter integer FETCH    = 0,
  // 1 with a parity bit for every register, and error_o; 0 without
  parameter integer PARITY   = 0
) (
  // clock
  input  wire                                               clk_i,
  // synchronous reset, active low
  input  wire                                               srst_ni,
  // MRPB: a request is presented
  input  wire                                               req_valid_i,
  // it is a store
  input  wire                                               req_write_i,
  // its line address
  input  wire [ADDR_W-1:0]                                  req_line_i,
  // its entry
  input  wire [ENTRY_W-1:0]                                 req_entry_i,
  // its number within the instruction
  input  wire [NUMBER_W-1:0]                                req_number_i,
  // the sectors that it touches
  input  wire [SECTORS-1:0]                                 req_sectors_i,
  // MRPB: the presented load may bypass; it need not hold until byp_ready_o
  input  wire                                               byp_valid_i,
  // tags: A's line is here and valid
  input  wire                                               hit_i,
  // tags: A's line is reserved
  input  wire                                               pending_i,
  // tags: sectors of A's line that are valid or on the way; 0 without the line
  input  wire [SECTORS-1:0]                                 have_i,
  // tags: neither, and every way of the set is reserved
  input  wire                                               full_i,
  // tags: the place of A's line, or that of the victim
  input  wire [((LINES > 1) ? $clog2(LINES) : 1)-1:0]       place_i,
  // MSHR table: a read of mshr_line_o would be accepted
  input  wire                                               mshr_ready_i,
  // MSHR table: mshr_line_o has an entry
  input  wire                                               mshr_merge_i,
  // MSHR table: the entry of such a read
  input  wire [((MSHRS > 1) ? $clog2(MSHRS) : 1)-1:0]       mshr_entry_i,
  // MSHR table: mshr_line_o still has an entry after this cycle
  input  wire                                               mshr_store_hit_i,
  // bypass table: a read of bypass_line_o would be accepted
  input  wire                                               bypass_ready_i,
  // bypass table: the entry of such a read
  input  wire [((BYPASSES > 1) ? $clog2(BYPASSES) : 1)-1:0] bypass_entry_i,
  // bypass table: mshr_line_o has an entry
  input  wire                                               bypass_store_hit_i,
  // flight queue: a store of find_line_o is in flight
  input  wire                                               find_i,
  // flight queue: there is room
  input  wire                                               flight_ready_i,
  // read queue: there is room
  input  wire                                               read_ready_i,
  // read queue: it holds a read of place_i
  input  wire                                               read_find_i,
  // miss queue: there is room
  input  wire                                               miss_ready_i,
  // the cache is to be flushed; it stays 1 until flush_done_o
  input  wire                                               flush_i,
  // the rest of the L1 is empty
  input  wire                                               idle_i,
  // the answer to A's request: 0 taken, 1 every way is reserved, 2 refused for another reason; 0
  // while A is empty
  output wire [1:0]                                         answer_o,
  // the presented load is taken if it may bypass
  output wire                                               byp_ready_o,
  // tags: look look_line_o up
  output wire                                               look_valid_o,
  // the presented line, in every cycle
  output wire [ADDR_W-1:0]                                  look_line_o,
  // tags: a load of place_i has hit
  output wire                                               touch_o,
  // tags: place_i is reserved for A's line
  output wire                                               reserve_o,
  // have_i and A's sectors; FETCH 1: all sectors, in every cycle
  output wire [SECTORS-1:0]                                 reserve_sectors_o,
  // tags: a store evicts the line at place_i
  output wire                                               evict_o,
  // tags: every line becomes invalid
  output wire                                               clear_o,
  // MSHR table: A's load merges or allocates an entry
  output wire                                               mshr_valid_o,
  // A's line, in every cycle; also that of a store
  output wire [ADDR_W-1:0]                                  mshr_line_o,
  // A's {number, entry}, in every cycle
  output wire [NUMBER_W+ENTRY_W-1:0]                        mshr_data_o,
  // bypass table: the presented load allocates an entry
  output wire                                               bypass_valid_o,
  // the presented line, in every cycle
  output wire [ADDR_W-1:0]                                  bypass_line_o,
  // the presented {number, entry}, in every cycle
  output wire [NUMBER_W+ENTRY_W-1:0]                        bypass_data_o,
  // flight queue: A's line, or the presented one while A is empty
  output wire [ADDR_W-1:0]                                  find_line_o,
  // flight queue: the store of entry send_entry_o is in flight from now on
  output wire                                               send_valid_o,
  // A's entry, in every cycle
  output wire [((STORES > 1) ? $clog2(STORES) : 1)-1:0]     send_entry_o,
  // read queue: a hit is put into it
  output wire                                               read_valid_o,
  // A's {number, entry, place}, in every cycle
  output wire [NUMBER_W+ENTRY_W+$clog2(LINES+BYPASSES)-1:0] read_data_o,
  // miss queue: a fetch or a store is put into it
  output wire                                               miss_valid_o,
  // {write, id, line, first beat, last beat} of A, or of the presented load while A is empty
  output wire [$clog2((MSHRS-1|BYPASSES-1|STORES-1|1)+1)+ADDR_W+2*$clog2((BEATS-1|1)+1)+1:0] miss_data_o,
  // fill: a fetch begins
  output wire                                               start_valid_o,
  // its id, {bypass, entry}; as in miss_data_o
  output wire [$clog2((MSHRS-1|BYPASSES-1|STORES-1|1)+1):0] start_id_o,
  // the place that it fills: place_i, or that of the bypass entry while A is empty
  output wire [$clog2(LINES+BYPASSES)-1:0]                  start_place_o,
  // its first beat; as in miss_data_o
  output wire [((BEATS > 1) ? $clog2(BEATS) : 1)-1:0]       start_beat_o,
  // the cache is flushed in this cycle
  output wire                                               flush_done_o,
  (* keep *)
  // what happens: bit 0 a hit, 1 a miss, 2 a merge, 3 a bypass, 4 a store, 5 a refusal because
  // every way is reserved, 6 another refusal, 7 an eviction by a store
  output wire [7:0]                                         event_o,
  // a stored bit has changed by itself: the outputs of this cycle cannot be trusted; PARITY 0: 0
  output wire                                               error_o
);
  // LINES + BYPASSES is 2 or more; the widest entry of an id has a bit at least.
  localparam PLACE_W = $clog2(LINES + BYPASSES);
  localparam LINE_W  = (LINES > 1) ? $clog2(LINES) : 1;
  localparam MSHR_W  = (MSHRS > 1) ? $clog2(MSHRS) : 1;
  localparam BYP_W   = (BYPASSES > 1) ? $clog2(BYPASSES) : 1;
  localparam STORE_W = (STORES > 1) ? $clog2(STORES) : 1;
  localparam SLOT_W  = $clog2((MSHRS - 1 | BYPASSES - 1 | STORES - 1 | 1) + 1);
  localparam BEAT_W  = (BEATS > 1) ? $clog2(BEATS) : 1;
  localparam [PLACE_W-1:0] FIRST_BYPASS = LINES[PLACE_W-1:0];

  generate
    if (ADDR_W < 1 || ADDR_W > 36) begin : gen_bad_addr_w
      ERROR_l1_control_ADDR_W_must_be_1_to_36 u_error ();
    end
    if (SECTORS < 1 || SECTORS > 32) begin : gen_bad_sectors
      ERROR_l1_control_SECTORS_must_be_1_to_32 u_error ();
    end
    if (BEATS < 1 || BEATS > 32) begin : gen_bad_beats
      ERROR_l1_control_BEATS_must_be_1_to_32 u_error ();
    end
    if (LINES < 1 || LINES > 1024) begin : gen_bad_lines
      ERROR_l1_control_LINES_must_be_1_to_1024 u_error ();
    end
    if (MSHRS < 1 || MSHRS > 128) begin : gen_bad_mshrs
      ERROR_l1_control_MSHRS_must_be_1_to_128 u_error ();
    end
    if (BYPASSES < 1 || BYPASSES > 128) begin : gen_bad_bypasses
      ERROR_l1_control_BYPASSES_must_be_1_to_128 u_error ();
    end
    if (STORES < 1 || STORES > 128) begin : gen_bad_stores
      ERROR_l1_control_STORES_must_be_1_to_128 u_error ();
    end
    if (ENTRY_W < 1 || ENTRY_W > 9) begin : gen_bad_entry_w
      ERROR_l1_control_ENTRY_W_must_be_1_to_9 u_error ();
    end
    if (NUMBER_W < 1 || NUMBER_W > 5) begin : gen_bad_number_w
      ERROR_l1_control_NUMBER_W_must_be_1_to_5 u_error ();
    end
    if (FETCH < 0 || FETCH > 1) begin : gen_bad_fetch
      ERROR_l1_control_FETCH_must_be_0_to_1 u_error ();
    end
    if (PARITY < 0 || PARITY > 1) begin : gen_bad_parity
      ERROR_l1_control_PARITY_must_be_0_to_1 u_error ();
    end
  endgenerate

  reg                d_valid_q;
  reg                d_write_q;
  reg [ADDR_W-1:0]   d_line_q;
  reg [ENTRY_W-1:0]  d_entry_q;
  reg [NUMBER_W-1:0] d_number_q;
  reg [SECTORS-1:0]  d_sectors_q;
  reg                a_valid_q;
  reg                a_write_q;
  reg [ADDR_W-1:0]   a_line_q;
  reg [ENTRY_W-1:0]  a_entry_q;
  reg [NUMBER_W-1:0] a_number_q;
  reg [SECTORS-1:0]  a_sectors_q;

  // The cases of a decision. They exclude each other; no more than one is that of the cycle.
  wire [SECTORS-1:0] wanted  = (FETCH != 0) ? {SECTORS{1'b1}} : a_sectors_q;
  wire [SECTORS-1:0] missing = wanted & ~have_i;
  wire covered   = ((a_sectors_q & ~have_i) == {SECTORS{1'b0}});
  wire is_store  = a_valid_q && a_write_q;
  wire is_load   = a_valid_q && !a_write_q;
  wire is_hit    = is_load && hit_i && covered;
  wire is_unhit  = is_load && !(hit_i && covered);
  wire is_wait   = is_unhit && pending_i;
  wire is_full   = is_unhit && !pending_i && full_i;
  wire is_fetch  = is_unhit && !pending_i && !full_i;

  wire store = is_store && miss_ready_i && flight_ready_i
            && !(pending_i || mshr_store_hit_i || bypass_store_hit_i);
  wire hit   = is_hit && read_ready_i;
  wire merge = is_wait && covered && mshr_ready_i && mshr_merge_i;
  wire fetch = is_fetch && miss_ready_i && mshr_ready_i
            && !(mshr_merge_i || find_i || read_find_i);

  wire taken   = store || hit || merge || fetch;
  wire refused = a_valid_q && !taken;
  assign answer_o = {refused && !is_full, is_full};

  // A is empty in the cycle of a bypass.
  assign byp_ready_o = !a_valid_q && req_valid_i && !req_write_i && bypass_ready_i
                    && miss_ready_i && !find_i;
  wire bypass = byp_valid_i && byp_ready_o;

  assign look_valid_o      = req_valid_i;
  assign look_line_o       = req_line_i;
  assign touch_o           = hit;
  assign reserve_o         = fetch;
  assign reserve_sectors_o = have_i | wanted;
  assign evict_o           = store && hit_i;
  assign clear_o           = flush_i && idle_i && !(req_valid_i || d_valid_q || a_valid_q);
  assign flush_done_o      = clear_o;

  assign mshr_valid_o   = merge || fetch;
  assign mshr_line_o    = a_line_q;
  assign mshr_data_o    = {a_number_q, a_entry_q};
  assign bypass_valid_o = bypass;
  assign bypass_line_o  = req_line_i;
  assign bypass_data_o  = {req_number_i, req_entry_i};
  assign find_line_o    = a_valid_q ? a_line_q : req_line_i;
  assign send_valid_o   = store;
  assign read_valid_o   = hit;

  // Numbers of entries and places, each widened, then cut to what its port has.
  wire [31:0] a_entry  = {{(32 - ENTRY_W) {1'b0}}, a_entry_q};
  wire [31:0] a_place  = {{(32 - LINE_W) {1'b0}}, place_i};
  wire [31:0] a_fetch  = {{(32 - MSHR_W) {1'b0}}, mshr_entry_i};
  wire [31:0] b_entry  = {{(32 - BYP_W) {1'b0}}, bypass_entry_i};
  wire [31:0] a_store  = {{(32 - STORE_W) {1'b0}}, send_entry_o};
  wire [PLACE_W-1:0] b_place = FIRST_BYPASS + b_entry[PLACE_W-1:0];
  wire unused_upper = &{1'b0, a_entry, a_place, a_fetch, b_entry, a_store};
  assign send_entry_o = a_entry[STORE_W-1:0];
  assign read_data_o  = {a_number_q, a_entry_q, a_place[PLACE_W-1:0]};

  // The sectors of the fetch or the store, and their beats.
  wire [SECTORS-1:0] sectors = !a_valid_q ? req_sectors_i : a_write_q ? a_sectors_q : missing;
  wire [BEAT_W-1:0]  first, last;
  genvar g;
  generate
    for (g = 0; g < SECTORS; g = g + 1) begin : gen_beats
      localparam integer      FIRST = (g * BEATS) / SECTORS;
      localparam integer      LAST  = ((g + 1) * BEATS - 1) / SECTORS;
      localparam [SECTORS-1:0] ALL   = {SECTORS{1'b1}};
      localparam [SECTORS-1:0] BELOW = ~(ALL << g);
      localparam [SECTORS-1:0] ABOVE = (ALL << g) << 1;
      wire lowest  = sectors[g] && ((sectors & BELOW) == {SECTORS{1'b0}});
      wire highest = sectors[g] && ((sectors & ABOVE) == {SECTORS{1'b0}});
      wire [BEAT_W-1:0] own_first = {BEAT_W{lowest}} & FIRST[BEAT_W-1:0];
      wire [BEAT_W-1:0] own_last  = {BEAT_W{highest}} & LAST[BEAT_W-1:0];
      wire [BEAT_W-1:0] all_first, all_last;
      if (g == 0) begin : gen_first
        assign all_first = own_first;
        assign all_last  = own_last;
      end else begin : gen_next
        assign all_first = gen_beats[g-1].all_first | own_first;
        assign all_last  = gen_beats[g-1].all_last | own_last;
      end
      if (g == SECTORS - 1) begin : gen_all
        assign first = all_first;
        assign last  = all_last;
      end
    end
  endgenerate

  wire [SLOT_W-1:0] slot = !a_valid_q ? b_entry[SLOT_W-1:0]
                         : a_write_q  ? a_store[SLOT_W-1:0] : a_fetch[SLOT_W-1:0];
  assign miss_valid_o  = store || fetch || bypass;
  assign miss_data_o   = {is_store, start_id_o, find_line_o, first, last};
  assign start_valid_o = fetch || bypass;
  wire   a_empty       = !a_valid_q;
  assign start_id_o    = {a_empty, slot};
  assign start_place_o = a_valid_q ? a_place[PLACE_W-1:0] : b_place;
  assign start_beat_o  = first;
  assign event_o       = {evict_o, answer_o[1], answer_o[0], store, bypass, merge, fetch, hit};

  // A refusal drops what is in D and what is presented.
  wire d_valid_d = req_valid_i && !bypass && !refused;
  wire a_valid_d = d_valid_q && !refused;
  always @(posedge clk_i) begin
    if (!srst_ni) begin
      d_valid_q   <= 1'b0;
      d_write_q   <= 1'b0;
      d_line_q    <= {ADDR_W{1'b0}};
      d_entry_q   <= {ENTRY_W{1'b0}};
      d_number_q  <= {NUMBER_W{1'b0}};
      d_sectors_q <= {SECTORS{1'b0}};
      a_valid_q   <= 1'b0;
      a_write_q   <= 1'b0;
      a_line_q    <= {ADDR_W{1'b0}};
      a_entry_q   <= {ENTRY_W{1'b0}};
      a_number_q  <= {NUMBER_W{1'b0}};
      a_sectors_q <= {SECTORS{1'b0}};
    end else begin
      d_valid_q <= d_valid_d;
      a_valid_q <= a_valid_d;
      if (req_valid_i) begin
        d_write_q   <= req_write_i;
        d_line_q    <= req_line_i;
        d_entry_q   <= req_entry_i;
        d_number_q  <= req_number_i;
        d_sectors_q <= req_sectors_i;
      end
      if (d_valid_q) begin
        a_write_q   <= d_write_q;
        a_line_q    <= d_line_q;
        a_entry_q   <= d_entry_q;
        a_number_q  <= d_number_q;
        a_sectors_q <= d_sectors_q;
      end
    end
  end

  // Parity: a bit for both valid bits, and one that goes with each request.
  generate
    if (PARITY != 0) begin : gen_parity
      reg  state_par_q, d_par_q, a_par_q;
      wire req_par = ^{req_write_i, req_line_i, req_entry_i, req_number_i, req_sectors_i};
      wire d_now   = ^{d_write_q, d_line_q, d_entry_q, d_number_q, d_sectors_q};
      wire a_now   = ^{a_write_q, a_line_q, a_entry_q, a_number_q, a_sectors_q};
      always @(posedge clk_i) begin
        state_par_q <= srst_ni && (d_valid_d ^ a_valid_d);
        if (!srst_ni) d_par_q <= 1'b0;
        else if (req_valid_i) d_par_q <= req_par;
        if (!srst_ni) a_par_q <= 1'b0;
        else if (d_valid_q) a_par_q <= d_par_q;
      end
      assign error_o = (state_par_q != (d_valid_q ^ a_valid_q))
                    || (d_par_q != d_now) || (a_par_q != a_now);
    end else begin : gen_no_parity
      assign error_o = 1'b0;
    end
  endgenerate
endmodule
`default_nettype wire
