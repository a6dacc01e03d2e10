#include "pipeline/automatic/corpus_order.hpp"

#include "common/digest.hpp"

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {
namespace {

constexpr std::size_t kNumberDigits = 16;  // hexadecimal, so that lines sort as numbers do

}  // namespace

void CorpusOrder::add(std::string_view id, std::string_view text) {
  lines_.add(fmt::format("{:016x} {} {:016x} {}", xxh3_64(id, seed_), id, count_++, text));
}

void CorpusOrder::for_each(const std::function<void(std::string_view text)>& take) {
  std::string last;  // hash and id
  lines_.for_each([&](std::string_view line) {
    const auto end_of_id = line.find(' ', kNumberDigits + 1);
    const auto key = line.substr(0, end_of_id);
    if (key == last) return;
    last = key;
    take(line.substr(end_of_id + 1 + kNumberDigits + 1));
  });
}

}  // namespace touchstone::pipeline::automatic
