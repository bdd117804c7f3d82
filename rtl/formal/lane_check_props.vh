// SPDX-License-Identifier: Apache-2.0
// Properties of lane_check, told for any one entry f_e; its shadow follows from the ports alone.
// Labels with inv_ speak of the registers. f_honest: since its allocation, each reply to the entry
// has named a request that was in flight, which is what a memory system does; nothing else is taken
// for granted of inputs.
reg f_live = 1'b0;
always @(posedge clk_i) f_live <= 1'b1;
always @* if (!f_live) assume (!srst_ni);

(* anyconst *) wire [ENTRY_W-1:0] f_e;
wire f_reply = reply_valid_i && reply_entry_i == f_e;
wire f_back  = f_reply && reply_ok_o;
wire f_alloc = alloc_valid_i && alloc_entry_i == f_e;
wire f_ask   = issue_valid_i && issue_entry_i == f_e;
wire f_issue = f_ask && issue_ok_o;

reg              f_honest;
reg [LANES-1:0]  f_todo, f_wait;          // lanes not issued, lanes that await data
reg [LANES-1:0]  f_with [0:LANES-1];      // the request that a waiting lane belongs to
reg [PEND_W-1:0] f_pend;

integer f_i;
reg [LANES-1:0] f_request;  // the one that the reply's lowest lane belongs to
reg             f_whole;
always @* begin
  f_request = 0;
  for (f_i = LANES - 1; f_i >= 0; f_i = f_i - 1) if (reply_mask_i[f_i]) f_request = f_with[f_i];
  f_whole = reply_mask_i != 0 && (reply_mask_i & ~f_wait) == 0 && reply_mask_i == f_request;
end

// What the entry still has to issue and awaits after the reply and the allocation.
wire [LANES-1:0]  f_can   = f_alloc ? alloc_mask_i : f_todo;
wire [LANES-1:0]  f_open  = f_alloc ? 0 : f_wait & ~(f_back ? reply_mask_i : 0);
wire [PEND_W-1:0] f_flies = f_alloc ? 0 : f_pend - f_back;
always @(posedge clk_i) begin
  if (!srst_ni) begin
    f_honest <= 1'b1;
    f_todo   <= 0;
    f_wait   <= 0;
    f_pend   <= 0;
  end else begin
    f_honest <= f_alloc || (f_honest && !(f_back && !f_whole));
    f_todo   <= f_can & ~(f_issue ? issue_mask_i : 0);
    f_wait   <= f_open | (f_issue ? issue_mask_i : 0);
    f_pend   <= f_flies + f_issue;
    for (f_i = 0; f_i < LANES; f_i = f_i + 1) if (f_issue && issue_mask_i[f_i]) f_with[f_i] <= issue_mask_i;
  end
end

// The requests in flight are disjoint and make up f_wait; there are f_pend of them.
integer            f_j;
reg                f_parts;
reg [PEND_W-1:0]   f_n, f_rest;
always @* begin
  f_parts = 1'b1;
  f_n     = 0;
  f_rest  = 0;
  for (f_i = 0; f_i < LANES; f_i = f_i + 1) begin
    f_rest = f_rest + f_todo[f_i];
    if (f_wait[f_i]) begin
      if (!f_with[f_i][f_i] || (f_with[f_i] & ~f_wait) != 0) f_parts = 1'b0;
      for (f_j = 0; f_j < LANES; f_j = f_j + 1)
        if (f_with[f_i][f_j] && f_with[f_j] != f_with[f_i]) f_parts = 1'b0;
      if ((f_with[f_i] & ((1 << f_i) - 1)) == 0) f_n = f_n + 1'b1;
    end
  end
end

always @* if (f_live) begin
  no_such_entry: assert (!(reply_entry_i >= ENTRIES && reply_ok_o) && !(issue_entry_i >= ENTRIES && issue_ok_o));
  reached_most: cover (f_pend == LANES);
  reached_turnover: cover (f_back && f_alloc && f_issue);
end
always @* if (f_live && f_e < ENTRIES) begin
  inv_entry: assert (live_q[f_e] ? todo_q[f_e] == f_todo && wait_q[f_e] == f_wait && pend_q[f_e] == f_pend
                                 : f_todo == 0 && f_wait == 0 && f_pend == 0);
  inv_pending: assert ((f_pend == 0) == (f_wait == 0) && (f_todo & f_wait) == 0
                       && {1'b0, f_pend} + f_rest <= LANES);
  inv_requests: assert (!f_honest || (f_parts && f_n == f_pend));
  reply_only_of_waiting: assert (!f_back || (reply_mask_i != 0 && (reply_mask_i & ~f_wait) == 0));
  last_reply_brings_all: assert (!f_back || (f_pend == 1) == (reply_mask_i == f_wait));
  reply_of_request_is_taken: assert (!(f_reply && f_whole && f_honest) || reply_ok_o);
  issues_lane_once: assert (!f_ask || issue_ok_o == (issue_mask_i != 0 && (issue_mask_i & ~f_can) == 0));
end
