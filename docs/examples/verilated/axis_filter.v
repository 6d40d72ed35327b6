// A FIFO of AXI4-Stream beats behind a packet filter: frames whose tdest has all bits of BLOCKED are
// dropped whole and counted, all others pass in order.
module axis_filter #(
    parameter DEPTH_LOG2 = 3,
    parameter BLOCKED = 32'h6
) (
    input  wire        aclk,
    input  wire        areset,
    input  wire        s_axis_tvalid,
    output wire        s_axis_tready,
    input  wire [63:0] s_axis_tdata,
    input  wire        s_axis_tlast,
    input  wire [31:0] s_axis_tdest,
    input  wire [31:0] s_axis_tid,
    input  wire [63:0] s_axis_tuser,
    output wire        m_axis_tvalid,
    input  wire        m_axis_tready,
    output wire [63:0] m_axis_tdata,
    output wire        m_axis_tlast,
    output wire [31:0] m_axis_tdest,
    output wire [31:0] m_axis_tid,
    output wire [63:0] m_axis_tuser,
    output reg  [31:0] dropped
);
  localparam WIDTH = 64 + 1 + 32 + 32 + 64;

  reg [WIDTH-1:0] store[0:(1<<DEPTH_LOG2)-1];
  reg [DEPTH_LOG2:0] head, tail;
  wire [DEPTH_LOG2:0] level = tail - head;

  wire blocked = (s_axis_tdest & BLOCKED) == BLOCKED;
  wire take = s_axis_tvalid && s_axis_tready;
  wire give = m_axis_tvalid && m_axis_tready;

  assign s_axis_tready = !level[DEPTH_LOG2];
  assign m_axis_tvalid = level != 0;
  assign {m_axis_tdata, m_axis_tlast, m_axis_tdest, m_axis_tid, m_axis_tuser} =
      store[head[DEPTH_LOG2-1:0]];

  always @(posedge aclk) begin
    if (areset) begin
      head <= 0;
      tail <= 0;
      dropped <= 0;
    end else begin
      if (take && !blocked) begin
        store[tail[DEPTH_LOG2-1:0]] <=
            {s_axis_tdata, s_axis_tlast, s_axis_tdest, s_axis_tid, s_axis_tuser};
        tail <= tail + 1'b1;
      end
      if (take && blocked && s_axis_tlast) dropped <= dropped + 1;
      if (give) head <= head + 1'b1;
    end
  end
endmodule
