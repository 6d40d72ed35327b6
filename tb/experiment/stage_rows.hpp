#pragma once
#include <spillway/platforms/topology/topology.hpp>
#include <string>
#include <vector>

namespace spillway {

/// The rows in which switches are counted together: the stages of the topology, network after network.
class stage_rows {
public:
  /// `stage`: what a stage of this topology is called.
  stage_rows(const topology& shape, unsigned networks, std::string stage);

  /// Row of a switch, by its number in platform::switches().
  unsigned of(std::size_t node) const {
    return static_cast<unsigned>(node / stage_of_.size()) * stages_ + stage_of_[node % stage_of_.size()];
  }
  std::size_t size() const { return std::size_t{stages_} * networks_; }
  std::vector<std::string> names() const;
  const std::string& stage() const { return stage_; }
  /// Stage of each switch of one network.
  const std::vector<unsigned>& stage_of() const { return stage_of_; }

private:
  const unsigned networks_;
  const std::string stage_;
  std::vector<unsigned> stage_of_;
  unsigned stages_ = 0;
};

}  // namespace spillway
