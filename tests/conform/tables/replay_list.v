// SPDX-License-Identifier: Apache-2.0
// Misses with a replay list: lines stand in a small table, reads in one list in the order of their coming. When a line
// is back its reads are woken; the two oldest that are awake leave in one cycle, and the list closes up.
module replay_list #(
  parameter LINES = 4,
  parameter DEPTH = 8,
  parameter AW = 8,
  parameter TW = 8,
  parameter LW = LINES > 1 ? $clog2(LINES) : 1
) (
  input               CLK,
  input               RESETn,
  input               LdValid,
  input      [AW-1:0] LdLine,
  input      [TW-1:0] LdTag,
  output              LdGo,
  output              LdJoined,
  output reg [1:0]    LdNack,
  output     [LW-1:0] LdLineNo,
  output              MissReq,
  output     [AW-1:0] MissLine,
  input               MissGnt,
  input               Refill,
  input      [LW-1:0] RefillNo,
  output reg [1:0]    WakeValid,
  output reg [TW-1:0] WakeTag0,
  output reg [TW-1:0] WakeTag1,
  input               WakeTake,
  output              Active
);
  reg [LINES-1:0] LineUsed, LineHere;
  reg [AW-1:0] LineAddr [0:LINES-1];
  reg [DEPTH-1:0] RdUsed;
  reg [LW-1:0] RdLine [0:DEPTH-1];
  reg [TW-1:0] RdTag [0:DEPTH-1];

  // Look-up.
  reg Hit, Free;
  reg [LW-1:0] HitNo, FreeNo;
  integer i;
  always @* begin
    Hit = 1'b0;
    HitNo = {LW{1'b0}};
    Free = 1'b0;
    FreeNo = {LW{1'b0}};
    for (i = LINES - 1; i >= 0; i = i - 1) begin
      if (LineUsed[i] && LineAddr[i] == LdLine) begin
        Hit = 1'b1;
        HitNo = i[LW-1:0];
      end
      if (!LineUsed[i]) begin
        Free = 1'b1;
        FreeNo = i[LW-1:0];
      end
    end
  end
  wire ListFull = &RdUsed;
  always @* begin
    LdNack = 2'd0;
    if (ListFull) LdNack = 2'd2;
    else if (!Hit && !Free) LdNack = 2'd1;
    else if (!Hit && !MissGnt) LdNack = 2'd3;
  end
  assign LdGo = LdNack == 2'd0;
  assign LdJoined = Hit;
  assign LdLineNo = Hit ? HitNo : FreeNo;
  wire Enter = LdValid && LdGo;
  assign MissReq = Enter && !Hit;
  assign MissLine = LdLine;
  assign Active = |RdUsed;

  // The two oldest that are awake, but first what was offered and not taken: places move only as reads leave.
  reg [DEPTH-1:0] Out0, Out1, Kept0, Kept1;
  integer k;
  always @* begin
    WakeValid = 2'b00;
    WakeTag0 = {TW{1'b0}};
    WakeTag1 = {TW{1'b0}};
    Out0 = {DEPTH{1'b0}};
    Out1 = {DEPTH{1'b0}};
    for (k = 0; k < DEPTH; k = k + 1)
      if (RdUsed[k] && LineHere[RdLine[k]]) begin
        if (Kept0[k] || (!WakeValid[0] && Kept0 == {DEPTH{1'b0}})) begin
          WakeValid[0] = 1'b1;
          WakeTag0 = RdTag[k];
          Out0[k] = 1'b1;
        end else if (Kept1[k] || (!WakeValid[1] && Kept1 == {DEPTH{1'b0}})) begin
          WakeValid[1] = 1'b1;
          WakeTag1 = RdTag[k];
          Out1[k] = 1'b1;
        end
      end
  end
  wire [DEPTH-1:0] Gone = WakeTake ? Out0 | Out1 : {DEPTH{1'b0}};

  // The list without those that leave, and with the one that comes.
  reg [DEPTH-1:0] NextUsed;
  reg [LW-1:0] NextLine [0:DEPTH-1];
  reg [TW-1:0] NextTag [0:DEPTH-1];
  reg [LINES-1:0] Needed;
  integer n, p;
  always @* begin
    NextUsed = {DEPTH{1'b0}};
    Needed = {LINES{1'b0}};
    for (n = 0; n < DEPTH; n = n + 1) begin
      NextLine[n] = {LW{1'b0}};
      NextTag[n] = {TW{1'b0}};
    end
    p = 0;
    for (n = 0; n < DEPTH; n = n + 1)
      if (RdUsed[n] && !Gone[n]) begin
        NextUsed[p] = 1'b1;
        NextLine[p] = RdLine[n];
        NextTag[p] = RdTag[n];
        Needed[RdLine[n]] = 1'b1;
        p = p + 1;
      end
    if (Enter) begin
      NextUsed[p] = 1'b1;
      NextLine[p] = LdLineNo;
      NextTag[p] = LdTag;
      Needed[LdLineNo] = 1'b1;
    end
  end

  integer j;
  always @(posedge CLK)
    if (!RESETn) begin
      LineUsed <= {LINES{1'b0}};
      LineHere <= {LINES{1'b0}};
      RdUsed <= {DEPTH{1'b0}};
      Kept0 <= {DEPTH{1'b0}};
      Kept1 <= {DEPTH{1'b0}};
    end else begin
      RdUsed <= NextUsed;
      Kept0 <= WakeTake ? {DEPTH{1'b0}} : Out0;
      Kept1 <= WakeTake ? {DEPTH{1'b0}} : Out1;
      for (j = 0; j < DEPTH; j = j + 1) begin
        RdLine[j] <= NextLine[j];
        RdTag[j] <= NextTag[j];
      end
      LineUsed <= Needed;
      LineHere <= LineHere & Needed;
      if (Refill) LineHere[RefillNo] <= 1'b1;
      if (Enter && !Hit) LineAddr[FreeNo] <= LdLine;
    end
endmodule
