#include "common/descriptor.hpp"

#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace touchstone {
namespace {

bool is_open(int number) {
  return ::fcntl(number, F_GETFD) >= 0;
}

TEST(Descriptor, ClosesWhatItOwnsAndNothingThatItGaveAway) {
  int kept = -1, given = -1;
  {
    Pipe pipe = make_pipe("a test");
    kept = pipe.read_end.get();
    given = pipe.write_end.release();
    EXPECT_TRUE(is_open(kept));
    EXPECT_FALSE(pipe.write_end.is_open());
  }
  EXPECT_FALSE(is_open(kept));
  EXPECT_TRUE(is_open(given));
  ::close(given);
}

TEST(Descriptor, MovesWithItsOwner) {
  Pipe pipe = make_pipe("a test");
  const int number = pipe.read_end.get();
  Descriptor moved(std::move(pipe.read_end));
  EXPECT_FALSE(pipe.read_end.is_open());
  EXPECT_EQ(moved.get(), number);
  moved = Descriptor();
  EXPECT_FALSE(is_open(number));
  moved.close();
  EXPECT_FALSE(moved.is_open());
}

TEST(Pipe, IsClosedInOtherProgramsAndCarriesBytes) {
  const Pipe pipe = make_pipe("a test");
  EXPECT_NE(::fcntl(pipe.read_end.get(), F_GETFD) & FD_CLOEXEC, 0);
  EXPECT_NE(::fcntl(pipe.write_end.get(), F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_EQ(::write(pipe.write_end.get(), "tea", 3), 3);
  char got[4] = {};
  ASSERT_EQ(::read(pipe.read_end.get(), got, 3), 3);
  EXPECT_STREQ(got, "tea");
}

TEST(SystemReason, IsThatOfTheErrorNumber) {
  EXPECT_EQ(system_reason(ENOENT), "No such file or directory");
}

}  // namespace
}  // namespace touchstone
