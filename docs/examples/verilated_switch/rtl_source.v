// Sends `packets` packets of `length` flits from terminal `terminal` to others, one of `terminals` (a power of two)
// at random, `gap` cycles apart: a packet link of one lane. The payload of a flit is the one that a scoreboard of
// Spillway expects: data in its low half, zero here, and over them and what identifies the flit a check in its
// high half (splitmix64 twice).
module rtl_source (
    input  wire         clk,
    input  wire         rst,
    input  wire [27:0]  terminal,
    input  wire [27:0]  terminals,
    input  wire [31:0]  packets,
    input  wire [15:0]  length,
    input  wire [15:0]  gap,
    output wire         out_valid,
    output wire [255:0] out_data,
    input  wire         out_ready,
    output reg  [31:0]  sent
);
  reg [31:0] random;
  reg [15:0] index, pause;
  reg [27:0] destination;
  reg        showing;

  function [63:0] scatter(input [63:0] seed);
    reg [63:0] z;
    begin
      z = seed + 64'h9e3779b97f4a7c15;
      z = (z ^ (z >> 30)) * 64'hbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 64'h94d049bb133111eb;
      scatter = z ^ (z >> 31);
    end
  endfunction

  /* verilator lint_off UNUSED */
  wire [63:0] check =
      scatter(scatter({4'd0, terminal, 4'd0, destination} ^ {16'd0, sent, 16'd0} ^ {48'd0, index}));
  /* verilator lint_on UNUSED */
  // payload, interface word and marks and route and network and lane, length, index, packet, class, destination,
  // kind, source
  assign out_data = {check[31:0], 32'd0, 64'd0, length, index, sent, 4'd0, destination, 4'd0, terminal};
  assign out_valid = showing;

  always @(posedge clk) begin
    if (rst) begin
      random <= 32'h2545f491 ^ {4'd0, terminal} * 32'd2654435761;
      index <= 0;
      pause <= 0;
      destination <= 0;
      showing <= 0;
      sent <= 0;
    end else if (showing) begin
      if (out_ready) begin
        index <= index + 1'b1;
        if (index + 16'd1 == length) begin
          showing <= 0;
          sent <= sent + 1;
          index <= 0;
          pause <= gap;
        end
      end
    end else if (pause != 0) begin
      pause <= pause - 1'b1;
    end else if (sent != packets) begin
      random <= random * 32'd1664525 + 32'd1013904223;
      destination <= random[31:4] & (terminals - 1);
      showing <= 1;
    end
  end
endmodule
