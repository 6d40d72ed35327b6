// A program outside the project, against the installed headers and libraries.
#include <spillway/hw/packet/fifo_queue.hpp>
#include <systemc>

#if defined(LEAST_STANDARD)
static_assert(__cplusplus >= LEAST_STANDARD, "spillway took the standard of the project that uses it down");
#endif

int sc_main(int, char**) {
  sc_core::sc_clock clk("clk", 10, sc_core::SC_NS, 0.5, 5, sc_core::SC_NS);
  sc_core::sc_signal<bool> rst("rst");
  spillway::packet_signals in("in"), out("out");
  spillway::fifo_queue queue("queue", 2);
  queue.clk(clk);
  queue.rst(rst);
  queue.in.bind(in);
  queue.out.bind(out);
  spillway::flit f;
  f.payload = 42;
  in.data.write(f);
  in.valid.write(true);
  sc_core::sc_start(30, sc_core::SC_NS);
  // Edge 1 opens the queue, edges 2 and 3 fill it; nobody takes anything out.
  return queue.level() == 2 && out.data.read() == spillway::from_bits(spillway::to_bits(f)) ? 0 : 1;
}
