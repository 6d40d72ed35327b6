// One block in a program of your own: a queue of four flits between plain SystemC signals.
#include <iostream>
#include <spillway/hw/links/packet_link.hpp>
#include <spillway/hw/packet/fifo_queue.hpp>
#include <systemc>

int sc_main(int, char**) {
  const sc_core::sc_time period(10, sc_core::SC_NS);
  // Rising edges at 5 ns, 15 ns, ...: pins that change at 0 ns, 10 ns, ... are stable at every edge.
  sc_core::sc_clock clk("clk", period, 0.5, period / 2);
  sc_core::sc_signal<bool> rst("rst");
  spillway::packet_signals in("in"), out("out");

  spillway::fifo_queue queue("queue", 4);
  queue.clk(clk);
  queue.rst(rst);
  queue.in.bind(in);
  queue.out.bind(out);

  sc_core::sc_trace_file* const waves = sc_core::sc_create_vcd_trace_file("one_block");  // one_block.vcd
  sc_core::sc_trace(waves, clk, "clk");
  sc_core::sc_trace(waves, rst, "rst");
  in.trace(waves);
  out.trace(waves);

  rst.write(true);
  sc_core::sc_start(period);
  rst.write(false);

  // One packet of six flits; its receiver is busy until cycle 7, so the queue fills up and stops the sender.
  spillway::flit next;
  next.source = 3;
  next.destination = 7;
  next.length = 6;
  unsigned received = 0;
  for (int cycle = 1; cycle <= 14; ++cycle) {
    in.valid.write(next.index < next.length);
    in.data.write(next);
    out.ready.write(cycle >= 7 ? 1 : 0);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);  // the pins take their new values

    // A flit crosses a link at an edge at which `valid` and its bit of `ready` are both set.
    const bool enters = in.valid.read() && in.ready.read() != 0;
    const bool leaves = out.valid.read() && out.ready.read() != 0;
    std::cout << "cycle " << cycle << ": " << queue.level() << " in the queue";
    if (enters) std::cout << ", in " << in.data.read();
    if (leaves) std::cout << ", out " << out.data.read();
    std::cout << '\n';
    if (leaves && out.data.read().index != received) return 1;

    sc_core::sc_start(period);
    if (enters) ++next.index;
    if (leaves) ++received;
  }
  sc_core::sc_close_vcd_trace_file(waves);
  return received == next.length ? 0 : 1;
}
