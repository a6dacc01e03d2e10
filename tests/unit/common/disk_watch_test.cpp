#include "common/disk_watch.hpp"

#include "common/error.hpp"

#include <filesystem>

#include <gtest/gtest.h>

namespace touchstone {
namespace {

namespace fs = std::filesystem;

TEST(DiskWatch, StopsOnlyWorkWhoseDiskHasTooLittleSpace) {
  const StopFlag outer;
  const DiskWatch enough(fs::temp_directory_path(), 1, outer);
  EXPECT_FALSE(enough.ran_short());
  EXPECT_NO_THROW(enough.stop().check());
  const DiskWatch unwatched(fs::temp_directory_path(), 0, outer);
  EXPECT_FALSE(unwatched.ran_short());
  const DiskWatch unknown(fs::temp_directory_path() / "no such folder", ~std::uint64_t{0}, outer);
  EXPECT_FALSE(unknown.ran_short());
}

TEST(DiskWatch, NeverAsksForMoreThanAHundredthOfTheDisk) {
  const StopFlag outer;
  const DiskWatch watch(fs::temp_directory_path(), ~std::uint64_t{0}, outer);
  const auto space = fs::space(fs::temp_directory_path());
  EXPECT_EQ(watch.ran_short(), space.available < space.capacity / 100);
  EXPECT_EQ(watch.run([] { return 7; }), 7);
}

TEST(DiskWatch, PassesOnAStopFromOutside) {
  StopFlag outer;
  const DiskWatch watch(fs::temp_directory_path(), 1, outer);
  outer.request();
  EXPECT_THROW(watch.run([] { return 7; }), Interrupted);
  EXPECT_FALSE(watch.ran_short());
}

}  // namespace
}  // namespace touchstone
