#include <gtest/gtest.h>

#include <cstring>
#include <systemc>

// SystemC's library owns main() on some systems; defining our own keeps test discovery away from
// the kernel, which may elaborate only once a process.
namespace {

void report_to_gtest(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  const bool deprecated = std::strcmp(report.get_msg_type(), sc_core::SC_ID_IEEE_1666_DEPRECATION_) == 0;
  if (report.get_severity() == sc_core::SC_FATAL || deprecated) ADD_FAILURE() << report.what();
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

int sc_main(int, char**) { return RUN_ALL_TESTS(); }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (testing::GTEST_FLAG(list_tests)) return RUN_ALL_TESTS();
  sc_core::sc_report_handler::set_handler(report_to_gtest);
  return sc_core::sc_elab_and_sim(argc, argv);
}
