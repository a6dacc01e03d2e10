#pragma once

#include "annotation/campaign.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::annotation {

/// A folder of its own for each test, with what a campaign needs.
class CampaignFolder : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  static std::string read(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  /// Tasks t0, t1, ... with four of them a topic.
  static std::vector<Task> tasks(std::size_t count, TaskKind kind = TaskKind::kGrade) {
    std::vector<Task> made(count);
    for (std::size_t i = 0; i < count; ++i) {
      made[i].id = "t" + std::to_string(i);
      made[i].kind = kind;
      made[i].topic = "q" + std::to_string(i / 4);
      made[i].docid = "d" + std::to_string(i);
      made[i].query = "how tall is a spruce";
      made[i].text = "A spruce grows to 60 metres.";
      if (kind == TaskKind::kEvidence) made[i].member = "Spruce";
    }
    return made;
  }

  Access people(const std::string& names = "Ann\nBen\nCleo\n") const {
    return Access::open(folder_, write("names", names));
  }

  /// The number of a person by name.
  static std::size_t number_of(const Access& access, const std::string& name) {
    for (std::size_t i = 0; i < access.annotators().size(); ++i) {
      if (access.annotators()[i].name == name) return i;
    }
    ADD_FAILURE() << name << " is not in the list";
    return 0;
  }

  static PostedAnswer answer(const std::string& id, const std::string& task, std::optional<int> grade = 0) {
    PostedAnswer made;
    made.id = id;
    made.task = task;
    made.grade = grade;
    if (grade.value_or(0) > 1) made.spans = {{2, 8}};
    made.visible_ms = 1000;
    return made;
  }

  touchstone::testing::TemporaryFolder temporary_;
  const std::filesystem::path folder_ = temporary_.path();
};

/// What `call` throws as an `Exception`.
template <class Exception, class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Exception& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

}  // namespace touchstone::annotation
