#pragma once
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// A random walk of a model, as walk.sh prints it: a line a cycle of the model, words each followed by
/// numbers.
class walk {
public:
  class step {
  public:
    explicit step(std::string line) : line_(std::move(line)) {
      std::istringstream words(line_);
      std::vector<int>* values = nullptr;
      for (std::string word; words >> word;) {
        if (std::isdigit(static_cast<unsigned char>(word[0])) && values)
          values->push_back(std::stoi(word));
        else
          values = &values_[word];
      }
    }
    int operator()(const std::string& word, unsigned i = 0) const { return values_.at(word).at(i); }
    const std::string& line() const { return line_; }

  private:
    std::string line_;
    std::map<std::string, std::vector<int>> values_;
  };

  /// `name`: of a file in the folder of walks.
  explicit walk(const std::string& name) {
    std::ifstream file(std::string(SPILLWAY_WALKS) + '/' + name + ".txt");
    std::string line;
    std::getline(file, line);  // how it was made
    while (std::getline(file, line)) steps_.emplace_back(line);
    EXPECT_GT(steps_.size(), 100u) << name;
  }
  auto begin() const { return steps_.begin(); }
  auto end() const { return steps_.end(); }

private:
  std::vector<step> steps_;
};
