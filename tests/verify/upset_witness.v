// SPDX-License-Identifier: Apache-2.0
// Repeats the flips of `mrpb upset drain_selector` (tests/verify/upset.sh) with two instances of the
// Verilog, of which one is flipped, and decides the outcomes by the definitions of
// docs/verify/upset.md. Reads `inputs` (lines of a vector file) and `flips` (cycle register word bit
// outcome), prints the lines of `flips` with its own outcome.
`default_nettype none
module witness;
  localparam QUEUES = 3;
  localparam ROOM   = 32768;
  localparam RESETS = 4;   // cycles of reset before cycle 0
  localparam MANY   = 8;   // further answers that make a hang
  localparam REGS_W = QUEUES + QUEUES + 2 + 2 + 1;
  localparam OUTS_W = 1 + 2 + 2 + 1 + QUEUES + 1;

  reg         clk = 0;
  reg         srst_n, add_valid, force_valid, take;
  reg  [1:0]  add_queue, force_queue;
  reg  [23:0] stim [0:ROOM-1];
  integer     file, got, cycles, at, flip_at, word, bit_, n, awaited;
  reg  [8*16-1:0] name, told, outcome;
  reg  [REGS_W-1:0] before;
  reg         missing_sel, missing_add, status;

  wire         g_valid, g_forced, g_drop, h_valid, h_forced, h_drop;
  wire [1:0]   g_queue, g_pick, h_queue, h_pick;
  wire [QUEUES-1:0] g_nonempty, h_nonempty;
  drain_selector #(.QUEUES(QUEUES), .DEPTH(2), .POLICY(3)) good (
    .clk_i(clk), .srst_ni(srst_n), .add_valid_i(add_valid), .add_queue_i(add_queue),
    .force_valid_i(force_valid), .force_queue_i(force_queue), .take_i(take),
    .sel_valid_o(g_valid), .sel_queue_o(g_queue), .pick_o(g_pick), .forced_o(g_forced),
    .nonempty_o(g_nonempty), .add_drop_o(g_drop));
  drain_selector #(.QUEUES(QUEUES), .DEPTH(2), .POLICY(3)) hit (
    .clk_i(clk), .srst_ni(srst_n), .add_valid_i(add_valid), .add_queue_i(add_queue),
    .force_valid_i(force_valid), .force_queue_i(force_queue), .take_i(take),
    .sel_valid_o(h_valid), .sel_queue_o(h_queue), .pick_o(h_pick), .forced_o(h_forced),
    .nonempty_o(h_nonempty), .add_drop_o(h_drop));

  wire [REGS_W-1:0] good_regs = {good.more_q[2], good.more_q[1], good.more_q[0],
                                 good.nonempty_q, good.pick_q, good.last_q, good.hold_q};
  wire [REGS_W-1:0] hit_regs  = {hit.more_q[2], hit.more_q[1], hit.more_q[0],
                                 hit.nonempty_q, hit.pick_q, hit.last_q, hit.hold_q};
  wire [OUTS_W-1:0] good_outs = {g_valid, g_queue, g_pick, g_forced, g_nonempty, g_drop};
  wire [OUTS_W-1:0] hit_outs  = {h_valid, h_queue, h_pick, h_forced, h_nonempty, h_drop};

  // The inputs of cycle `c`, and time for the outputs.
  task apply(input integer c);
    begin
      {srst_n, add_valid, add_queue, force_valid, force_queue, take} = stim[c + RESETS];
      #1;
    end
  endtask

  task edge_;
    begin
      clk = 1;
      #1 clk = 0;
      #1;
    end
  endtask

  task restore(input [REGS_W-1:0] r);
    begin
      {good.more_q[2], good.more_q[1], good.more_q[0], good.nonempty_q, good.pick_q,
       good.last_q, good.hold_q} = r;
      {hit.more_q[2], hit.more_q[1], hit.more_q[0], hit.nonempty_q, hit.pick_q, hit.last_q,
       hit.hold_q} = r;
    end
  endtask

  task flip;
    case (name)
      "more_q":     hit.more_q[word] = hit.more_q[word] ^ (1'd1 << bit_);
      "nonempty_q": hit.nonempty_q = hit.nonempty_q ^ (3'd1 << bit_);
      "pick_q":     hit.pick_q = hit.pick_q ^ (2'd1 << bit_);
      "last_q":     hit.last_q = hit.last_q ^ (2'd1 << bit_);
      "hold_q":     hit.hold_q = ~hit.hold_q;
      default:      $display("no register %0s", name);
    endcase
  endtask

  // One cycle of the window, before its edge. Sets `outcome` once it is decided.
  task judge;
    begin
      if (missing_sel) begin
        if (h_valid && take) outcome = "lost";
        else awaited = awaited + (g_valid && take);
      end else if (missing_add) begin
        if (add_valid && !h_drop) outcome = "lost";
        else awaited = awaited + (add_valid && !g_drop);
      end else if (good_outs !== hit_outs) begin
        status = 1;
        if (h_valid && take && (!g_valid || g_queue !== h_queue)) outcome = "wrong";
        else if (add_valid && !h_drop && g_drop) outcome = "wrong";
        else if (g_valid && take && !h_valid) missing_sel = 1;
        else if (add_valid && !g_drop && h_drop) missing_add = 1;
      end
    end
  endtask

  initial begin
    file = $fopen("inputs", "r");
    cycles = 0;
    got = 6;
    while (got == 6) begin
      got = $fscanf(file, "%h %h %h %h %h %h", srst_n, add_valid, add_queue, force_valid,
                    force_queue, take);
      if (got == 6) stim[cycles] = {srst_n, add_valid, add_queue, force_valid, force_queue, take};
      cycles = cycles + (got == 6);
    end
    $fclose(file);
    for (at = -RESETS; at < 0; at = at + 1) begin
      apply(at);
      edge_;
    end
    at = 0;
    file = $fopen("flips", "r");
    got = $fscanf(file, "%d %s %d %d %s", flip_at, name, word, bit_, told);
    while (got == 5) begin
      while (at < flip_at) begin
        apply(at);
        edge_;
        at = at + 1;
      end
      before = good_regs;
      restore(before);
      flip;
      outcome = "";
      {missing_sel, missing_add, status} = 3'b000;
      awaited = 0;
      for (n = 0; n < `WINDOW; n = n + 1) begin
        apply(at + n);
        if (outcome == "") judge;
        edge_;
      end
      if (outcome == "") begin
        if (missing_sel || missing_add) outcome = (awaited >= MANY) ? "hang" : "lost";
        else if (status) outcome = "status";
        else outcome = (good_regs === hit_regs) ? "masked" : "latent";
      end
      $display("%0d %0s %0d %0d %0s", flip_at, name, word, bit_, outcome);
      restore(before);
      got = $fscanf(file, "%d %s %d %d %s", flip_at, name, word, bit_, told);
    end
    $finish;
  end
endmodule
`default_nettype wire
