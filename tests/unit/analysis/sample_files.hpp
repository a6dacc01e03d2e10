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

/// A word that names a measure of the family, with the parameters that it needs.
inline std::string word_of(const measures::MeasureFamily& family) {
  for (const auto& [parameter, needed] : family.takes) {
    if (!needed) continue;
    if (parameter == measures::Parameter::kMaxRel) return std::string(family.name) + "(max_rel=4)";
    return std::string(family.name) + (parameter == measures::Parameter::kRecall ? "@0.5" : "@10");
  }
  return std::string(family.name);
}

/// Values over all topics, one for each word.
inline std::vector<double> means(const std::string& qrels, const std::string& run,
                                 const std::vector<std::string>& words, const measures::EvaluateOptions& options = {}) {
  const SampleFiles files;
  const std::vector<std::filesystem::path> runs = {files.write("run", run)};
  return measures::evaluate(files.write("qrels", qrels), runs, measures::parse_measures(words), options).runs[0].means;
}

inline double mean(const std::string& qrels, const std::string& run, const std::string& word,
                   const measures::EvaluateOptions& options = {}) {
  return means(qrels, run, {word}, options).at(0);
}

}  // namespace touchstone::analysis::testing
