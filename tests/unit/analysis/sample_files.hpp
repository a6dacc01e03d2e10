#pragma once

#include "analysis/measures/evaluate.hpp"
#include "tests/support/error_message.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace touchstone::analysis::testing {

using touchstone::testing::message_of;

/// A folder of its own with qrels and runs, removed at the end.
class SampleFiles {
 public:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

 private:
  touchstone::testing::TemporaryFolder folder_;
};

/// Values over all topics, one a word.
inline std::vector<double> means(const std::string& qrels, const std::string& run,
                                 const std::vector<std::string>& words, const EvaluateOptions& options = {}) {
  const SampleFiles files;
  const std::vector<std::filesystem::path> runs = {files.write("run", run)};
  return evaluate(files.write("qrels", qrels), runs, parse_measures(words), options).runs[0].means;
}

inline double mean(const std::string& qrels, const std::string& run, const std::string& word,
                   const EvaluateOptions& options = {}) {
  return means(qrels, run, {word}, options).at(0);
}

}  // namespace touchstone::analysis::testing
