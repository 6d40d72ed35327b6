// A router of two inputs and two outputs of packet links (one lane, flits of 256 bits): a FIFO at each input, and
// packets that keep an output until their tail has left. Bit d of `by_output_1`: packets to terminal d leave by
// output 1.
module rtl_router #(
    parameter DEPTH_LOG2 = 2
) (
    input  wire         clk,
    input  wire         rst,
    input  wire [63:0]  by_output_1,
    input  wire         in0_valid,
    input  wire [255:0] in0_data,
    output wire         in0_ready,
    input  wire         in1_valid,
    input  wire [255:0] in1_data,
    output wire         in1_ready,
    output wire         out0_valid,
    output wire [255:0] out0_data,
    input  wire         out0_ready,
    output wire         out1_valid,
    output wire [255:0] out1_data,
    input  wire         out1_ready
);
  localparam DEPTH = 1 << DEPTH_LOG2;

  reg [255:0] fifo0[0:DEPTH-1];
  reg [255:0] fifo1[0:DEPTH-1];
  reg [DEPTH_LOG2:0] head[0:1];
  reg [DEPTH_LOG2:0] tail[0:1];
  reg [1:0] busy;   // by output: a packet has it
  reg [1:0] owner;  // by output: from this input
  reg [1:0] next;   // by output: whose turn it is

  wire [DEPTH_LOG2:0] level0 = tail[0] - head[0];
  wire [DEPTH_LOG2:0] level1 = tail[1] - head[1];
  wire [255:0] front0 = fifo0[head[0][DEPTH_LOG2-1:0]];
  wire [255:0] front1 = fifo1[head[1][DEPTH_LOG2-1:0]];
  wire [1:0] filled = {level1 != 0, level0 != 0};
  // Of the layout of a flit: destination 32-59, index 96-111, length 112-127.
  wire [1:0] is_head = {front1[111:96] == 0, front0[111:96] == 0};
  wire [1:0] is_tail = {front1[111:96] + 16'd1 == front1[127:112], front0[111:96] + 16'd1 == front0[127:112]};
  wire [1:0] wants_1 = {by_output_1[front1[37:32]], by_output_1[front0[37:32]]};

  assign in0_ready = !level0[DEPTH_LOG2];
  assign in1_ready = !level1[DEPTH_LOG2];
  assign out0_valid = busy[0] && filled[owner[0]];
  assign out1_valid = busy[1] && filled[owner[1]];
  assign out0_data = owner[0] ? front1 : front0;
  assign out1_data = owner[1] ? front1 : front0;

  wire [1:0] sends = {out1_valid && out1_ready, out0_valid && out0_ready};
  wire [1:0] has = {busy[0] && owner[0] == 1 || busy[1] && owner[1] == 1,
                    busy[0] && owner[0] == 0 || busy[1] && owner[1] == 0};  // by input: it has an output
  wire [1:0] asks_0 = filled & is_head & ~has & ~wants_1;
  wire [1:0] asks_1 = filled & is_head & ~has & wants_1;

  integer o;
  always @(posedge clk) begin
    if (rst) begin
      head[0] <= 0;
      head[1] <= 0;
      tail[0] <= 0;
      tail[1] <= 0;
      busy <= 0;
      owner <= 0;
      next <= 0;
    end else begin
      if (in0_valid && in0_ready) begin
        fifo0[tail[0][DEPTH_LOG2-1:0]] <= in0_data;
        tail[0] <= tail[0] + 1'b1;
      end
      if (in1_valid && in1_ready) begin
        fifo1[tail[1][DEPTH_LOG2-1:0]] <= in1_data;
        tail[1] <= tail[1] + 1'b1;
      end
      for (o = 0; o < 2; o = o + 1) begin
        if (sends[o]) begin
          head[owner[o]] <= head[owner[o]] + 1'b1;
          if (is_tail[owner[o]]) busy[o] <= 0;
        end else if (!busy[o] && (o == 0 ? asks_0 : asks_1) != 0) begin
          busy[o] <= 1;
          owner[o] <= (o == 0 ? asks_0[next[o]] : asks_1[next[o]]) ? next[o] : !next[o];
          next[o] <= (o == 0 ? asks_0[next[o]] : asks_1[next[o]]) ? !next[o] : next[o];
        end
      end
    end
  end
endmodule
