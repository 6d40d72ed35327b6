// A build without Verilator's writer says so.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/process.hpp"

TEST(fst, is_refused_where_it_is_not_built_in) {
  const scratch_folder folder;
  std::ofstream(folder / "e.yaml") << "name: e\ntopology: {kind: butterfly, radix: 2, stages: 2}\n"
                                      "traffic: [{pattern: uniform, rate: 0.1, cycles: 10}]\n";
  const process_result r =
      run_process("'" SPILLWAY_COMMAND "' run '" + (folder / "e.yaml").string() + "' --fst a.fst");
  EXPECT_EQ(r.status, 2);
  EXPECT_NE(r.output.find("trace.fst: this build writes no FST"), std::string::npos) << r.output;
}
