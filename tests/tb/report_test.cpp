#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/random/lognormal_distribution.hpp>
#include <boost/random/taus88.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <spillway/tb/report/chart.hpp>
#include <spillway/tb/report/gnuplot.hpp>
#include <spillway/tb/report/gtkw.hpp>
#include <spillway/tb/report/latency_meter.hpp>
#include <spillway/tb/report/live_page.hpp>
#include <spillway/tb/report/pictures.hpp>
#include <spillway/tb/report/progress.hpp>
#include <spillway/tb/report/read_results.hpp>
#include <spillway/tb/report/text.hpp>
#include <spillway/tb/report/write_results.hpp>
#include <support/files.hpp>
#include <support/process.hpp>

namespace spillway {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++n;
  return n;
}

class report : public ::testing::Test {
protected:
  std::string in(const std::string& name) const { return folder_ / name; }
  scratch_folder folder_;
};

// A run whose saturation tree grows from the last of four stages to the first.
run_record hot_run() {
  run_record r;
  r.status = "ok";
  r.name = "omega-256, hotspot 4 %";
  r.kernel = "fast";
  r.seed = 7;
  r.cycles = 2000;
  r.measured_from = 500;
  r.measured_cycles = 1400;
  r.terminals = 256;
  r.blocks = 1024;
  r.links = 2304;
  r.injected = 40000;
  r.delivered = 39990;
  r.hops = 8;
  r.forwarded_flits = 96;
  r.throughput = 0.1;
  r.offered = 0.2;
  r.saturated = true;
  r.wall_seconds = 0.5;
  r.hops_per_second = 640000;
  r.counters["dampening.embargoes"] = 12;
  r.findings = {"The hotspot is terminal 17."};
  r.config_yaml = "name: omega-256\ntraffic:\n  - {pattern: hotspot, rate: 0.2}  # a < b & c\n";
  boost::random::taus88 random(3);
  boost::random::lognormal_distribution<double> latency(4, 0.8);
  latency_meter all;
  for (int i = 0; i < 20000; ++i) all.add(8 + static_cast<std::uint64_t>(latency(random)));
  r.latency = r.network_latency = all.summary();
  r.classes["hot"] = {800, all.summary(), all.summary(), {}};
  r.histogram = all.histogram();
  r.series.interval = r.occupancy.interval = 20;
  r.series.columns = {{"cycle", {}}, {"created", {}}, {"delivered", {}}, {"in_flight", {}}};
  r.occupancy.stages = {"stage 0", "stage 1", "stage 2", "stage 3"};
  r.occupancy.rows.resize(4);
  for (int i = 0; i < 100; ++i) {
    const double noise = boost::random::uniform_int_distribution<int>(0, 100)(random) / 100.0;
    r.series.columns[0].values.push_back(20 * (i + 1));
    r.series.columns[1].values.push_back(1000 * std::exp(-i / 40.0) + 30 * noise);
    r.series.columns[2].values.push_back(700 * std::exp(-i / 50.0) + 30 * noise);
    r.series.columns[3].values.push_back(2000 * (1 - std::exp(-i / 30.0)) + 30 * noise);
    for (int stage = 0; stage < 4; ++stage)
      r.occupancy.rows[static_cast<std::size_t>(stage)].push_back(
          0.15 + 0.8 / (1 + std::exp(-(i - 20 - 15 * (3 - stage)) / 4.0)) + 0.05 * noise);
  }
  return r;
}

// --- results

TEST_F(report, a_folder_that_cannot_be_made_is_an_error) {
  write_file(in("file"), "x");
  for (const std::string& path :
       {in("file"), in("file/deep"), std::string("/proc/none"), std::string("/dev/full")})
    EXPECT_THAT(message_of([&] { write_results(path, hot_run()); }),
                AllOf(HasSubstr(path), HasSubstr("cannot create this folder")));
}

TEST_F(report, a_failure_leaves_no_new_file) {
  fs::create_directories(in("out/result.json"));  // a folder where the last file belongs
  EXPECT_THAT(message_of([&] { write_results(in("out"), hot_run()); }), HasSubstr("Is a directory"));
  EXPECT_EQ(names_in(in("out")), std::vector<std::string>{"result.json"});
}

TEST_F(report, results_are_complete) {
  write_results(in("a/b"), hot_run());
  EXPECT_EQ(names_in(in("a/b")),
            (std::vector<std::string>{"config.yaml", "histogram.csv", "links.csv", "report.html",
                                      "result.json", "series.csv", "switches.csv", "timing.json"}));
  EXPECT_EQ(read_text(in("a/b/config.yaml")), hot_run().config_yaml);
  const auto j = nlohmann::json::parse(read_text(in("a/b/result.json")));
  for (const char* key : {"status",     "name",          "seed",       "kernel",     "cycles",
                          "terminals",  "blocks",        "links",      "places",     "created",
                          "injected",   "delivered",     "lost",       "duplicated", "misordered",
                          "violations", "hops",          "throughput", "latency",    "network_latency",
                          "classes",    "schema_version"})
    EXPECT_TRUE(j.contains(key)) << key;
  for (const char* key : {"mean", "p50", "p99", "max"}) {
    EXPECT_TRUE(j["latency"][key].is_number()) << key;
    EXPECT_TRUE(j["classes"]["hot"]["network_latency"][key].is_number()) << key;
    EXPECT_TRUE(j["classes"]["cool"]["latency"][key].is_null()) << key;
  }
  EXPECT_EQ(j["delivered"], 39990);
  EXPECT_EQ(j["seed"], 7);
  EXPECT_EQ(j["counters"]["dampening.embargoes"], 12);
}

TEST_F(report, equal_runs_give_equal_bytes) {
  run_record first = hot_run(), second = hot_run();
  EXPECT_EQ(result_json(first), result_json(second));
  second.wall_seconds = 3;
  second.hops_per_second = 4;
  EXPECT_EQ(result_json(first), result_json(second));
  EXPECT_EQ(series_csv(first), series_csv(second));
  const auto timing = nlohmann::json::parse(timing_json(second));
  EXPECT_EQ(timing["wall_seconds"], 3);
  EXPECT_EQ(timing["hops_per_second"], 4);
  EXPECT_EQ(timing["threads"], 1);
}

TEST_F(report, series_is_a_table) {
  run_record r;
  EXPECT_EQ(series_csv(r), "cycle,delivered,in_flight\n");
  r.series.columns = {{"cycle", {10, 20}}, {"a,\"b", {0.25, not_measured}}};
  EXPECT_EQ(series_csv(r), "cycle,\"a,\"\"b\"\n10,0.25\n20,\n");
  r.series.columns[1].values.pop_back();
  EXPECT_THROW(series_csv(r), std::invalid_argument);
}

TEST_F(report, links_and_switches_are_tables) {
  run_record r;
  r.link_rows = {{"a,b", "packet", "terminal_0", "switch_1", 12, 0.25, 3},
                 {"inner", "spill", "", "", not_measured}};
  r.switch_rows = {{"switch_1", 2, 40, 1.5, 3, 8, 7, not_measured}};
  EXPECT_EQ(links_csv(r),
            "link,kind,from,to,flits,utilisation,blocked\n\"a,b\",packet,terminal_0,switch_1,12,0.25,3\n"
            "inner,spill,,,,,\n");
  EXPECT_EQ(
      switches_csv(r),
      "switch,stage,flits,occupancy_mean,occupancy_max,capacity,blocked_in,blocked_out,packets,delay_mean,"
      "delay_max\n"
      "switch_1,2,40,1.5,3,8,7,,,,\n");
  r.flows = {{1, 2, 3, 12, 4.5, 9, 10}};
  EXPECT_EQ(flows_csv(r), "source,destination,packets,flits,mean,p99,max\n1,2,3,12,4.5,9,10\n");
}

// What a row of switches is called comes with it: a torus has no stages.
TEST_F(report, captions_say_what_is_drawn) {
  run_record r = hot_run();
  r.network.switches = {{0, 0}, {1, 0}};
  r.network.moments = {{100, {0.5, 1}}};
  EXPECT_THAT(report_html(r), AllOf(HasSubstr("of the switches of each stage."),
                                    HasSubstr("its switches in columns by stage, each in the colour")));
  for (const char* word : {"column", "level", "group"}) {
    for (std::size_t i = 0; i < r.occupancy.stages.size(); ++i)
      r.occupancy.stages[i] = std::string(i % 2 ? "network 1 " : "") + word + ' ' + std::to_string(i);
    const std::string page = report_html(r);
    EXPECT_THAT(page, Not(HasSubstr("stage")));
    EXPECT_THAT(page, HasSubstr(std::string("of the switches of each ") + word));
  }
  EXPECT_THAT(report_html(r), HasSubstr("its switches in columns by group,"));
  r.occupancy.stages = {"stage 0"};
  r.occupancy.rows.resize(1);
  EXPECT_THAT(report_html(r), HasSubstr("Share of the buffers of all switches in use."));
}

TEST_F(report, broken_text_does_no_harm) {
  run_record r = hot_run();
  r.name = "<script>alert('x')</script> \xff & \"q\"";
  r.findings = {"a < b", "'); system \"touch pwned\" #"};
  r.occupancy.stages[0] = "50 % <s> 'it''s' `touch pwned` \\n @x";
  const std::string html = report_html(r);
  EXPECT_THAT(html, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(html, Not(HasSubstr("<s>")));
  EXPECT_THAT(html,
              HasSubstr("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; \xEF\xBF\xBD &amp; &quot;q&quot;"));
  EXPECT_THAT(html, HasSubstr("<li>a &lt; b</li>"));
  EXPECT_FALSE(fs::exists("pwned"));
  EXPECT_EQ(nlohmann::json::parse(result_json(r))["findings"][0], "a < b");
}

TEST_F(report, the_page_needs_nothing_else) {
  const std::string html = report_html(hot_run());
  EXPECT_EQ(html.rfind("<!DOCTYPE html>", 0), 0u);
  for (const char* outside : {"<link", "<script src", "<img", "@import", "url(http", "sourceMappingURL"})
    EXPECT_THAT(html, Not(HasSubstr(outside)));
  EXPECT_EQ(count_of(html, "<figure class=\"still\">"), 2u) << "packets and occupancy, and not the histogram";
  EXPECT_EQ(html.find("id=\"live\"") != std::string::npos, has_dygraphs());
  EXPECT_EQ(html.find("Permission is hereby granted, free of charge") != std::string::npos, has_dygraphs());
  EXPECT_EQ(count_of(html, "<svg"), 3u);
  EXPECT_EQ(count_of(html, "</svg>"), 3u);
  // An id twice is invalid HTML, and a reference would find the wrong one.
  EXPECT_EQ(count_of(html, "id='p1_gpDot'"), 1u);
  EXPECT_EQ(count_of(html, "id='gpDot'"), 0u);
  EXPECT_EQ(html, report_html(hot_run()));
}

TEST(a_network, falls_behind_by_more_than_a_few_packets_that_are_under_way) {
  EXPECT_TRUE(falls_behind(0.94, 1, 0.95, 1000));
  EXPECT_FALSE(falls_behind(0.95, 1, 0.95, 1000));
  EXPECT_TRUE(falls_behind(0.90, 1, 0.95, 100)) << "ten of a hundred";
  EXPECT_FALSE(falls_behind(0.91, 1, 0.95, 100)) << "nine";
  EXPECT_TRUE(falls_behind(0, 0.5, 0.1, 20));
  EXPECT_FALSE(falls_behind(0, 0, 0.95, 100)) << "nothing was made";
  EXPECT_FALSE(falls_behind(not_measured, not_measured, 0.95, 0));
}

TEST(svg_in_a_page, refers_to_what_is_in_itself) {
  EXPECT_EQ(inline_svg("<?xml?>\n<svg a=\"1\"><path id='p'/><use xlink:href='#p'/><path id=\"q\"/><use "
                       "href=\"#q\" style=\"clip-path: url(#c)\"/><a href='x#p'/></svg>\n",
                       "p1_", "a & b"),
            "<svg role=\"img\" aria-label=\"a &amp; b\" a=\"1\"><path id='p1_p'/><use xlink:href='#p1_p'/>"
            "<path id=\"p1_q\"/><use href=\"#p1_q\" style=\"clip-path: url(#p1_c)\"/><a href='x#p'/></svg>");
}

TEST_F(report, writes_half_of_an_interval_without_powers_of_ten) {
  run_record r = hot_run();
  r.throughput = 0.25, r.latency.mean = 1541.1;
  r.confidence.throughput = 0.0841, r.confidence.latency = 432.4;
  const std::string html = report_html(r);
  EXPECT_THAT(html, HasSubstr("0.25 \u00b1 0.084"));
  EXPECT_THAT(html, HasSubstr("1541.1 \u00b1 432<"));
}

/// A row of the table of a run, as its page begins it.
std::string row(const char* name, const char* value, const char* unit) {
  return std::string("<th scope=\"row\">") + name + "</th><td class=\"number\">" + value + "</td><td>" + unit;
}

TEST_F(report, has_a_row_for_each_sort_of_fault) {
  run_record r = hot_run();
  r.lost = 1, r.duplicated = 2, r.misordered = 3, r.corrupted = 4, r.reset_dropped = 5, r.violations = 6;
  const std::string html = report_html(r);
  EXPECT_THAT(html, HasSubstr(row("Lost", "1", "flits")));
  EXPECT_THAT(html, HasSubstr(row("Duplicated", "2", "flits")));
  EXPECT_THAT(html, HasSubstr(row("Misordered", "3", "packets")));
  EXPECT_THAT(html, HasSubstr(row("Corrupted", "4", "flits")));
  EXPECT_THAT(html, HasSubstr(row("Written off by a reset", "5", "packets")));
  EXPECT_THAT(html, HasSubstr(row("Violations of link rules", "6", "")));
}

// A rate is in flits, a throughput in packets: both stand there in both.
TEST_F(report, gives_throughput_and_offered_load_in_packets_and_in_flits) {
  run_record r = hot_run();
  r.throughput = 0.0126, r.throughput_flits = 0.1008, r.offered = 0.0127, r.offered_flits = 0.1016;
  const std::string html = report_html(r);
  EXPECT_THAT(html, HasSubstr(row("Throughput", "0.0126", "packets a cycle")));
  EXPECT_THAT(html, HasSubstr(row("Throughput in flits", "0.1008", "flits a cycle")));
  EXPECT_THAT(html, HasSubstr(row("Offered", "0.0127", "packets a cycle")));
  EXPECT_THAT(html, HasSubstr(row("Offered in flits", "0.1016", "flits a cycle")));
}

TEST_F(report, without_gnuplot_the_page_says_so) {
  ::setenv("SPILLWAY_GNUPLOT", "/no/such/gnuplot", 1);
  const std::string html = report_html(hot_run());
  chart c;
  EXPECT_THROW(to_svg(c), gnuplot_missing);
  ::setenv("SPILLWAY_GNUPLOT", "false", 1);
  EXPECT_THROW(to_svg(c), gnuplot_error);
  ::unsetenv("SPILLWAY_GNUPLOT");
  EXPECT_THAT(html, AllOf(HasSubstr("There are no pictures, because /no/such/gnuplot is not installed"),
                          HasSubstr("0.1"), Not(HasSubstr("<svg"))));
}

TEST_F(report, an_empty_run_can_be_reported) {
  run_record r;
  r.status = "interrupted";
  r.partial = true;
  const std::string html = report_html(r);
  EXPECT_THAT(html, AllOf(HasSubstr("interrupted"), HasSubstr("stopped before its end"),
                          HasSubstr("nothing to draw")));
  EXPECT_TRUE(nlohmann::json::parse(result_json(r))["throughput"].is_null());
}

// --- charts

TEST_F(report, charts_survive_odd_data) {
  figure f;
  f.title = "odd 'data' % <&>";
  f.columns = 2;
  chart nothing, zero_on_log, one_cell, bars, flat;
  zero_on_log.log_y = true;
  zero_on_log.series = {{"zeros", {1, 2}, {0, 0}, {}, draw_style::lines, false}};
  one_cell.heat = heat_map{{{0.5}}, {"100 %s"}, 0, 10, 0, 1, ""};
  bars.categories = {"a %d", "b'c"};
  bars.series = {{"x_1 {y} \\n", {}, {1, 2}, {0.1, 0.2}, draw_style::boxes, false}};
  flat.series = {{"", {5}, {0}, {}, draw_style::points, false}};
  flat.markers = {{true, 5, "here 'it' is"}, {false, 0, "100 %"}};
  f.panels = {nothing, zero_on_log, one_cell, bars, flat};
  const std::string svg = to_svg(f);
  EXPECT_THAT(svg, AllOf(HasSubstr("odd 'data' % &lt;&amp;>"), HasSubstr("no data"), HasSubstr(">100 %s<"),
                         HasSubstr(">a %d<"), HasSubstr("b'c"), HasSubstr("x_1 {y} \\n")));
  EXPECT_EQ(svg, to_svg(f));
  bars.series[0].y.pop_back();
  EXPECT_THROW(to_svg(bars), std::invalid_argument);
}

TEST_F(report, labels_stand_beside_long_numbers_whole) {
  chart c;
  c.y_label = "latency";
  c.log_y = true;
  c.series = {{"", {1, 2}, {100, 40000}, {}, draw_style::lines, false}};
  const std::string svg = to_svg(c);
  const std::size_t turned = svg.find(") rotate(270)"), begin = svg.rfind("translate(", turned) + 10;
  ASSERT_NE(turned, std::string::npos);
  EXPECT_GE(std::stod(svg.substr(begin)), 13) << "letters of 13 pixels stand left of their base line";
}

TEST(text, quoting) {
  EXPECT_EQ(gnuplot_quote("it's\n`x`"), "'it''s `x`'");
  EXPECT_EQ(gnuplot_quote_tic("5 %"), "'5 %%'");
  EXPECT_EQ(one_line("a\tb\x01\xC3\xA9\xC3"), "a b \xC3\xA9\xEF\xBF\xBD");
  EXPECT_EQ(html_escape("<a b='c'>\n&"), "&lt;a b=&#39;c&#39;&gt;\n&amp;");
  EXPECT_EQ(csv_cell("a b"), "a b");
  EXPECT_EQ(csv_cell("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_cell("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(csv_cell("a\rb"), "\"a\rb\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
}

// --- waveforms

TEST_F(report, a_save_file_for_gtkwave) {
  write_file(
      in("run.vcd"),
      "$timescale\n 1 ps\n$end\n$scope module SystemC $end\n$var wire    1  aaaag  rst       $end\n"
      "$scope module net $end\n$var wire    8  aaaab  flit(0) [7:0]  $end\n"
      "$var wire    1  aaaaa  valid       $end\n$upscope $end\n$upscope $end\n$enddefinitions  $end\n");
  const auto signals = vcd_signals(in("run.vcd"));
  EXPECT_EQ(signals,
            (std::vector<std::string>{"SystemC.rst", "SystemC.net.flit(0)[7:0]", "SystemC.net.valid"}));
  const std::vector<wave_group> groups = {
      {"SystemC", {signals[0]}, wave_colour::normal, false},
      {"SystemC.net", {signals[1], signals[2]}, wave_colour::orange, false}};
  write_gtkw(in("run.gtkw"), "run.vcd", groups, {{1500, "PL1"}, {2500, ""}});
  const std::string text = read_text(in("run.gtkw"));
  EXPECT_THAT(text, HasSubstr("[dumpfile] \"run.vcd\"\n"));
  EXPECT_THAT(text, HasSubstr("*-12.965784 1500 1500 2500 -1 "));
  EXPECT_THAT(text, HasSubstr("[markername] APL1\n"));
  EXPECT_THAT(text,
              HasSubstr("@800200\n-SystemC.net\n[color] 2\n@22\nSystemC.net.flit(0)[7:0]\n[color] 2\n@28\n"
                        "SystemC.net.valid\n@1000200\n-SystemC.net\n"));
  EXPECT_THROW(vcd_signals(in("none.vcd")), io_error);
}

TEST_F(report, reads_back_what_it_wrote) {
  run_record r = hot_run();
  r.series.columns.push_back({"odd, \"name\"", std::vector<double>(100, not_measured)});
  // No two of them are the same.
  r.confidence = {0.01, 2.5, "a warning"};
  r.warmup_found = r.partial = true;
  r.places = 101, r.created = 102, r.lost = 103, r.duplicated = 104, r.misordered = 105, r.corrupted = 106;
  r.violations = 107, r.reset_dropped = 108, r.reset_dropped_flits = 109, r.lost_in_reset = 110;
  r.hardware = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  r.throughput_flits = 0.3, r.offered_flits = 0.4;
  r.network_latency = {1, 2, 3, 4};
  r.classes["cool"] = {700, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}};
  r.pictures = {{"drawn", "c", "y", {"created"}, 5, "bound"},
                {"own", "d", "z", {}, not_measured, "", true, {1}, {2}}};
  r.tables = {{"t", "u", {"a", "b"}, {{"1", "2"}}}};
  r.compared = {{"dampening.embargoes", "embargoes"}};
  write_results(in("out"), r);
  const run_record again = read_results(in("out"));
  EXPECT_EQ(result_json(again), result_json(r));
  EXPECT_EQ(series_csv(again), series_csv(r));
  EXPECT_EQ(histogram_csv(again), histogram_csv(r));
  EXPECT_EQ(again.occupancy.stages, r.occupancy.stages);
  EXPECT_EQ(again.series.interval, r.series.interval);
  EXPECT_EQ(again.config_yaml, r.config_yaml);
  fs::remove(in("out/series.csv"));
  EXPECT_THAT(message_of([&] { read_results(in("out")); }), HasSubstr("series.csv: cannot be read"));
}

TEST_F(report, writes_numbers_to_twelve_digits) {
  run_record r = hot_run();
  r.series.columns.push_back({"long", std::vector<double>(100, 1234567.75)});
  r.series.columns.push_back({"small", std::vector<double>(100, 1.0 / 3)});
  EXPECT_THAT(series_csv(r), AllOf(HasSubstr(",1234567.75,"), HasSubstr(",0.333333333333")));
}

/// Three switches in a line, each joined to the next; the first has a terminal.
network_record small_history() {
  network_record n;
  n.switches = {{0, 0}, {1, 0}, {2, 0}};
  n.history.cycles = {50, 100};
  n.history.links = {{-1, 0}, {0, 1}, {1, 2}};
  n.history.fullest = {"A_f", "__A"};
  n.history.used = {"_AA", "___"};
  n.history.blocked = {"AAA", "f_A"};
  return n;
}

TEST_F(report, the_history_of_a_network_comes_back_and_is_held_to_its_size) {
  run_record r = hot_run();
  r.network = small_history();
  r.network.history.stopped = {"AAA", "ABC"};
  r.network.history.left_out = "a reason </script>";
  write_results(in("out"), r);
  EXPECT_EQ(network_json(read_results(in("out")).network), network_json(r.network));
  EXPECT_EQ(report_html(r).find("\"used\":[\"_AA\",\"___\"]") != std::string::npos, has_dygraphs());
  const std::string text = network_json(r.network);
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    write_file(in("out/network.json"), other.replace(other.find(from), from.size(), to));
    return message_of([&] { read_results(in("out")); });
  };
  EXPECT_THAT(complaint("\"A_f\"", "\"A_\""), HasSubstr("expected 3 digits"));
  EXPECT_THAT(complaint("\"A_f\"", "\"A_!\""), HasSubstr("expected 3 digits of a history, found 'A_!'"));
  EXPECT_THAT(complaint("\"A_f\",", ""), HasSubstr("expected 2 moments of a history, found 1"));
  EXPECT_THAT(complaint("[1,2]]", "[1,3]]"), HasSubstr("found the link [1,3] of 3 switches"));
  EXPECT_THAT(complaint("[1,2]]", "[-1,-2]]"), HasSubstr("expected a switch at one end"));
  EXPECT_THAT(complaint("[50,100]", "[50,50]"), HasSubstr("expected a later cycle"));
}

TEST(history, digits_round_a_share) {
  EXPECT_EQ(history_digit(0), 'A');
  EXPECT_EQ(history_digit(1), '_');
  EXPECT_EQ(history_digit(7), '_');
  EXPECT_EQ(history_digit(0.5), 'g');  // 31.5 of 63
  EXPECT_EQ(history_digit(1 / 63.0), 'B');
}

// A packet each of the latencies 4100 to 8190: bars of 64, where 35 would do and rows of the table are 32
// wide.
TEST_F(report, bars_of_a_flat_histogram_are_of_one_height) {
  run_record r = hot_run();
  latency_meter flat;
  for (std::uint64_t i = 4100; i <= 8190; ++i) flat.add(i);
  r.histogram = flat.histogram();
  const auto pictures = run_pictures(r);
  const auto found =
      std::find_if(pictures.begin(), pictures.end(), [](auto& p) { return p.name == "latency"; });
  ASSERT_NE(found, pictures.end());
  const std::vector<double>& bars = found->drawing.panels.front().series.front().y;
  ASSERT_EQ(bars.size(), 64u);
  EXPECT_EQ(bars.front(), 60);  // from 4096 on
  for (std::size_t i = 1; i + 1 < bars.size(); ++i) EXPECT_EQ(bars[i], 64) << i;
  EXPECT_EQ(bars.back(), 63);
  EXPECT_EQ(found->drawing.panels.front().y_label, "packets per 64 cycles");
}

TEST_F(report, captions_call_a_count_a_count) {
  run_record r = hot_run();
  EXPECT_THAT(run_pictures(r).front().caption, AllOf(HasSubstr("each point the mean of 20 cycles"),
                                                     HasSubstr("in flight at the end of those cycles")));
  EXPECT_THAT(run_pictures(r, 30).front().caption, AllOf(HasSubstr("each point the mean of 80 cycles"),
                                                         HasSubstr("the mean of 4 counts, 20 cycles apart")));
}

TEST_F(report, refuses_what_is_no_result) {
  write_file(in("result.json"), "{}");
  EXPECT_THAT(message_of([&] { read_results(in(".")); }),
              HasSubstr("result.json: not a result of a run: key 'status' not found"));
  write_file(in("result.json"), "{\n \"status\": }");
  EXPECT_THAT(message_of([&] { read_results(in(".")); }),
              HasSubstr("result.json:2:12: not valid JSON: syntax error"));
  write_file(in("a.csv"), "a,b\n1,2\n3\n");
  EXPECT_THAT(message_of([&] { read_csv(in("a.csv")); }), HasSubstr("a.csv:3: found 1 cells, expected 2"));
  write_results(in("out"), hot_run(), false);
  write_file(in("out/histogram.csv"), "latency,width,packets\n");
  EXPECT_THAT(message_of([&] { read_results(in("out")); }),
              HasSubstr("histogram.csv:1: expected the columns latency, packets, width"));
}

TEST_F(report, reads_tables_whose_lines_end_as_on_windows) {
  write_file(in("a.csv"), "a,\"b\r\n\"\r\n1,2\r\n3,\r\n");
  const std::vector<column> columns = read_csv(in("a.csv"));
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[1].name, "b\r\n");
  EXPECT_EQ(columns[0].values, (std::vector<double>{1, 3}));
  EXPECT_EQ(columns[1].values[0], 2);
  EXPECT_TRUE(std::isnan(columns[1].values[1]));
}

TEST(progress, tells_how_far) {
  EXPECT_EQ(progress::line(2500, 10000, 0.5), "cycle 2500 of 10000 (25 %), 5.0 kcycles/s, 2 s left");
  EXPECT_EQ(progress::line(2000000, 0, 1), "cycle 2000000, 2.00 Mcycles/s");
  EXPECT_EQ(progress::line(0, 10, 0), "cycle 0 of 10 (0 %), 0 cycles/s");
  EXPECT_EQ(progress::line(5, 40, 10, "run"), "run 5 of 40 (12 %), 0.5 runs/s, 1 min 10 s left");
  EXPECT_EQ(progress::line(1, 7501, 1), "cycle 1 of 7501 (0 %), 1.0 cycles/s, 2 h 05 min left");
}

}  // namespace
}  // namespace spillway
