#include "collection/automatic/ordered_batches.hpp"

#include "common/error.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::collection::automatic {
namespace {

std::string text_of(int& number) {
  return std::to_string(number);
}

TEST(OrderedBatches, HandsEverythingOnInOrder) {
  for (const int threads : {1, 2, 4}) {
    for (const int count : {0, 1, 6, 7, 8, 14, 1000}) {
      std::vector<std::string> taken, expected;
      tbb::task_arena arena(threads);
      arena.execute([&] {
        OrderedBatches<int, std::string> batches(7, text_of, [&](const std::string& text) { taken.push_back(text); });
        for (int i = 0; i < count; ++i) batches.add(i);
        batches.finish();
      });
      for (int i = 0; i < count; ++i) expected.push_back(std::to_string(i));
      EXPECT_EQ(taken, expected) << threads << " threads";
    }
  }
}

TEST(OrderedBatches, AnErrorOfEitherSideEndsTheWork) {
  const auto fail_at_20 = [](int& number) {
    if (number == 20) throw Error("20");
    return number;
  };
  OrderedBatches<int, int> making(4, fail_at_20, [](const int&) {});
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) making.add(i);
        making.finish();
      },
      Error);
  OrderedBatches<int, int> taking(
      4, [](int& number) { return number; },
      [](const int& number) {
        if (number == 20) throw Error("20");
      });
  EXPECT_THROW(
      {
        for (int i = 0; i < 100; ++i) taking.add(i);
        taking.finish();
      },
      Error);
}

TEST(OrderedBatches, ErrorsOfBothSidesAtOnceEndTheWorkEachTime) {
  tbb::task_arena arena(2);
  for (int round = 0; round < 300; ++round) {
    arena.execute([&] {
      OrderedBatches<int, std::string> batches(
          64,
          [&](int& number) {
            if (round % 2 == 0 && number > 64) throw std::runtime_error("made");
            return std::string(200, static_cast<char>('a' + number % 26));
          },
          [&](const std::string&) { throw std::logic_error("taken"); });
      EXPECT_THROW(
          {
            for (int number = 0; number < 1000; ++number) batches.add(number);
            batches.finish();
          },
          std::logic_error);
    });
  }
}

}  // namespace
}  // namespace touchstone::collection::automatic
