// A waveform for people: a queue between two links, as a VCD file with a save file for GTKWave that groups
// and colours the links and marks where a rule was broken. The sender has a bug: when it waits long, it shows
// another flit.
#include <iostream>
#include <spillway/hw/links/packet_checker.hpp>
#include <spillway/hw/packet/fifo_queue.hpp>
#include <spillway/tb/report/gtkw.hpp>

int sc_main(int, char**) {
  const sc_core::sc_time period(10, sc_core::SC_NS), unit(1, sc_core::SC_PS);
  sc_core::sc_clock clk("clk", period, 0.5, period / 2);
  sc_core::sc_signal<bool> rst("rst");
  spillway::packet_signals in("in"), out("out");
  spillway::fifo_queue queue("queue", 4);
  queue.clk(clk), queue.rst(rst), queue.in.bind(in), queue.out.bind(out);

  std::vector<spillway::wave_marker> markers;
  spillway::packet_checker checker("checker", {}, [&](const spillway::violation& v) {
    std::cout << v.message << '\n';
    markers.push_back({sc_core::sc_time_stamp().value() / unit.value(), v.rule});
  });
  checker.clk(clk), checker.rst(rst), checker.bind(in);

  sc_core::sc_trace_file* const waves = sc_core::sc_create_vcd_trace_file("read_waveforms");
  waves->set_time_unit(1, sc_core::SC_PS);
  sc_core::sc_trace(waves, clk, "clk");
  sc_core::sc_trace(waves, rst, "rst");
  in.trace(waves), out.trace(waves);

  rst.write(true);
  sc_core::sc_start(period);
  rst.write(false);
  spillway::flit next;
  next.source = 3, next.destination = 7, next.length = 6;
  for (int cycle = 1, waited = 0; cycle <= 20; ++cycle) {
    in.valid.write(cycle > 1 && next.index < next.length);
    in.data.write(next);
    out.ready.write(cycle >= 10 ? 1 : 0);  // the receiver is busy until then
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    const bool enters = in.valid.read() && in.ready.read() != 0;
    sc_core::sc_start(period);
    waited = enters ? 0 : waited + 1;
    if (enters) ++next.index;
    if (waited == 3) next.destination = 5;  // the bug
  }
  sc_core::sc_close_vcd_trace_file(waves);

  spillway::wave_group clock{"clock and reset", {}, spillway::wave_colour::normal};
  spillway::wave_group sender{"in: breaks PL1", {}, spillway::wave_colour::red};
  spillway::wave_group receiver{"out", {}, spillway::wave_colour::green};
  for (const std::string& signal : spillway::vcd_signals("read_waveforms.vcd")) {
    const auto has = [&signal](const char* part) { return signal.find(part) != std::string::npos; };
    if (has("_data.") && !has(".source") && !has(".destination") && !has(".index"))
      continue;  // all are in the file
    (has(".in_") ? sender : has(".out_") ? receiver : clock).signals.emplace_back(signal);
  }
  spillway::write_gtkw("read_waveforms.gtkw", "read_waveforms.vcd", {clock, sender, receiver}, markers,
                       period.value() / unit.value());
  return markers.empty() ? 1 : 0;
}
