#include "extractors/scan/byte_scan.hpp"

#include "extractors/scan/byte_stops.hpp"

#include <algorithm>
#include <cstring>

namespace touchstone::extractors::scan {
using namespace internal;
namespace {

template <const Stops& kStops>
std::size_t find_one_by_one(std::string_view text, std::size_t i) noexcept {
  for (; i < text.size(); ++i) {
    if (is_stop(kStops, text[i], i + 1 < text.size() ? text[i + 1] : '\0')) return i;
  }
  return text.size();
}

void mark_token_stops_one_by_one(std::string_view text, std::uint64_t* words) noexcept {
  for (std::size_t i = 0; (i = find_one_by_one<kTokenStop>(text, i)) < text.size(); ++i)
    words[i / 64] |= std::uint64_t{1} << (i % 64);
}

std::size_t copy_words_one_by_one(std::string_view text, char* out, bool& other_than_ascii) noexcept {
  const std::size_t count = find_one_by_one<kWordStop>(text, 1);
  std::memcpy(out, text.data(), count);
  other_than_ascii |= !std::all_of(out, out + count, is_ascii);
  return count;
}

constexpr ScanFunctions kScanOneByOne = {
    {find_one_by_one<kMarkupOpen>, find_one_by_one<kPageStop>, find_one_by_one<kCallStop>, find_one_by_one<kFlatStop>,
     find_one_by_one<kLinkStop>, find_one_by_one<kTargetStop>, find_one_by_one<kTitleStop>, find_one_by_one<kUnclean>},
    mark_token_stops_one_by_one,
    copy_words_one_by_one};

/// Null where program or processor do not have it.
const ScanFunctions* functions_of([[maybe_unused]] ScanWay way) noexcept {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (way == ScanWay::kBy32) return __builtin_cpu_supports("avx2") ? &kScanBy32 : nullptr;
  if (way == ScanWay::kBy16) return __builtin_cpu_supports("ssse3") ? &kScanBy16 : nullptr;
#elif defined(__AARCH64EL__)
  if (way == ScanWay::kBy16) return &kScanBy16;
#endif
  return way == ScanWay::kOneByOne ? &kScanOneByOne : nullptr;
}

// Good for calls from constructors of other sources' constants, which may come before the best is chosen.
constinit const ScanFunctions* functions = &kScanOneByOne;
[[maybe_unused]] const bool kBestIsChosen = scan_by(ScanWay::kBy32) || scan_by(ScanWay::kBy16);

}  // namespace

bool scan_by(ScanWay way) noexcept {
  const ScanFunctions* found = functions_of(way);
  if (found != nullptr) functions = found;
  return found != nullptr;
}

std::size_t find_stop(Stop stop, std::string_view text, std::size_t from) noexcept {
  return functions->find[static_cast<std::size_t>(stop)](text, from);
}

TokenStops::TokenStops(std::string_view text, std::vector<std::uint64_t>& memory) : size_(text.size()) {
  memory.assign(size_ / 64 + 1, 0);
  stops_ = memory.data();
  memory[size_ / 64] |= std::uint64_t{1} << (size_ % 64);
  functions->mark_token_stops(text, memory.data());
}

std::size_t copy_words(std::string_view text, char* out, bool& other_than_ascii) noexcept {
  return functions->copy_words(text, out, other_than_ascii);
}

}  // namespace touchstone::extractors::scan
