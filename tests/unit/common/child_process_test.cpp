#include "common/child_process.hpp"

#include "common/descriptor.hpp"
#include "common/error.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

namespace touchstone {
namespace {

TEST(ChildProcess, GivesWhatItWroteAndHowItEnded) {
  const auto output = run_child({"sh", "-c", "cat; echo out; echo errors >&2; exit 7"});
  EXPECT_EQ(output.out, "out\n");
  EXPECT_EQ(output.errors, "errors\n");
  EXPECT_EQ(output.status, 7);
  EXPECT_EQ(run_child({"sh", "-c", "kill -9 $$"}).status, -1);
  EXPECT_EQ(run_child({"sh", "-c", "seq 1 100000"}).out.size(), 588895U);
}

TEST(ChildProcess, OneThatDoesNotEndIsKilledAndOneThatIsNotThereIsAnError) {
  EXPECT_EQ(run_child({"sleep", "60"}, std::chrono::seconds(1)).status, -1);
  EXPECT_THROW(run_child({"/no/such/program"}), Error);
}

TEST(Descriptors, AFileWithoutANameLeavesNothing) {
  const testing::TemporaryFolder folder;
  const auto file = open_file_without_name(folder / ".");
  ASSERT_TRUE(file.is_open());
  EXPECT_EQ(::write(file.get(), "abc", 3), 3);
  EXPECT_TRUE(std::filesystem::is_empty(folder / "."));
  EXPECT_FALSE(open_file_without_name(folder / "none").is_open());
}

TEST(ChildProcess, ProgramsOfThePathAreInstalled) {
  EXPECT_TRUE(is_installed("sh"));
  EXPECT_FALSE(is_installed("no-such-program"));
}

}  // namespace
}  // namespace touchstone
