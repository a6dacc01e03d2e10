#include "common/side_tasks.hpp"

#include "common/error.hpp"

#include <atomic>
#include <string>

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone {
namespace {

TEST(SideTasks, AllRunAndTheFirstErrorComesOut) {
  SideTasks tasks;
  std::atomic<int> done = 0;
  for (int i = 0; i < 100; ++i) tasks.run([&] { ++done; });
  tasks.wait();
  EXPECT_EQ(done, 100);
  tasks.run([] { throw Error("one"); });
  EXPECT_THROW(tasks.wait(), Error);
  tasks.run([&] { ++done; });
  EXPECT_NO_THROW(tasks.wait()) << "an error is thrown once";
  EXPECT_EQ(done, 101);
}

TEST(SideTasks, ErrorsOfTasksWithGroupsOfTheirOwnEndTheWorkEachTime) {
  tbb::task_arena arena(4);
  for (int round = 0; round < 2000; ++round) {
    arena.execute([&] {
      SideTasks outer;
      for (int i = 0; i < 8; ++i) {
        outer.run([i] {
          SideTasks inner;
          for (int k = 0; k < 4; ++k) {
            inner.run([i, k] {
              if (i == 3 && k == 2) throw Error("inner " + std::string(100, 'x'));
            });
          }
          if (i == 5) throw Error("outer");
          inner.wait();
        });
      }
      EXPECT_THROW(outer.wait(), Error);
    });
  }
}

TEST(SideTasks, WhatIsGivenUpEndsWithoutAnError) {
  std::atomic<int> done = 0;
  {
    SideTasks tasks;
    tasks.run([&] { ++done; });
    tasks.run([] { throw Error("nobody waits for it"); });
    tasks.give_up();
  }
  EXPECT_LE(done, 1);
}

}  // namespace
}  // namespace touchstone
