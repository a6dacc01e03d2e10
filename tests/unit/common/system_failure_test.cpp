#include "common/system_failure.hpp"

#include "common/error.hpp"
#include "common/thread_limit.hpp"

#include <cerrno>
#include <string>

#include <gtest/gtest.h>

namespace touchstone {
namespace {

TEST(SystemFailure, SaysWhatWhereWhyAndWhatToDo) {
  EXPECT_EQ(failure_text("write", "w/a", ENOSPC),
            "cannot write w/a: No space left on device; free some space and run again");
  EXPECT_EQ(failure_text("open", "w/a", ENOENT), "cannot open w/a: No such file or directory");
  EXPECT_NE(failure_text("open", "w/a", ENAMETOOLONG).find("choose a shorter name"), std::string::npos);
  EXPECT_NE(failure_text("open", "w/a", EACCES).find("permissions"), std::string::npos);
}

TEST(SystemFailure, ReadsExceptionsOfTheStandardLibrary) {
  try {
    static_cast<void>(std::filesystem::exists(std::string(5000, 'x')));
    FAIL();
  } catch (const std::system_error& error) {
    const auto said = failure_text(error);
    EXPECT_NE(said.find(": File name too long; choose a shorter name"), std::string::npos) << said;
    EXPECT_EQ(said.find("filesystem error"), std::string::npos) << said;
  }
  const std::system_error threads(std::make_error_code(std::errc::resource_unavailable_try_again));
  EXPECT_NE(failure_text(threads).find("use fewer threads"), std::string::npos);
}

TEST(ThreadLimit, AllowsAFewThreads) {
  check_thread_limit(0);
  check_thread_limit(40);
}

}  // namespace
}  // namespace touchstone
