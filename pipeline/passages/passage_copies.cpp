#include "pipeline/passages/passage_copies.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "pipeline/corpus/docids.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <tuple>

namespace touchstone::pipeline::passages {
namespace {

[[noreturn]] void refuse_line(const std::filesystem::path& file, std::uint64_t number) {
  throw FormatError(file.string() + " line " + std::to_string(number) +
                    " is not as the stage passages writes it; run touchstone passages again");
}

std::optional<PassagePlace> place_of(std::string_view docid) {
  const std::size_t dash = docid.rfind('-');
  PassagePlace place;
  if (dash == std::string_view::npos) return std::nullopt;
  const auto [end, error] = std::from_chars(docid.data() + dash + 1, docid.data() + docid.size(), place.ordinal);
  if (error != std::errc() || end != docid.data() + docid.size()) return std::nullopt;
  place.page = corpus::page_of_docid(docid);
  return place;
}

}  // namespace

PassageCopies::PassageCopies(std::vector<PassageCopy> copies)
    : copies_(std::move(copies)), by_representative_(copies_.size()) {
  std::sort(copies_.begin(), copies_.end(), [](const auto& a, const auto& b) { return a.place < b.place; });
  std::iota(by_representative_.begin(), by_representative_.end(), 0U);
  std::stable_sort(by_representative_.begin(), by_representative_.end(), [&](std::uint32_t a, std::uint32_t b) {
    return copies_[a].representative < copies_[b].representative;
  });
}

PassageCopies PassageCopies::read(const std::filesystem::path& file) {
  std::vector<PassageCopy> copies;
  for_each_line(file, [&](std::string_view line, std::uint64_t number) {
    const std::size_t first = line.find('\t');
    const std::size_t second = first == std::string_view::npos ? first : line.find('\t', first + 1);
    if (second == std::string_view::npos) refuse_line(file, number);
    const auto place = place_of(line.substr(0, first));
    const auto representative = place_of(line.substr(first + 1, second - first - 1));
    const std::string_view kind = line.substr(second + 1);
    if (!place || !representative || (kind != "exact" && kind != "near")) refuse_line(file, number);
    copies.push_back({*place, *representative, kind == "exact"});
    return true;
  });
  return PassageCopies(std::move(copies));
}

const PassageCopy* PassageCopies::at(const PassagePlace& place) const noexcept {
  const auto found = std::lower_bound(copies_.begin(), copies_.end(), place,
                                      [](const PassageCopy& copy, const PassagePlace& at) { return copy.place < at; });
  return found != copies_.end() && found->place == place ? &*found : nullptr;
}

std::vector<PassagePlace> PassageCopies::of(const PassagePlace& representative) const {
  auto at = std::lower_bound(
      by_representative_.begin(), by_representative_.end(), representative,
      [&](std::uint32_t copy, const PassagePlace& wanted) { return copies_[copy].representative < wanted; });
  std::vector<PassagePlace> places;
  for (; at != by_representative_.end() && copies_[*at].representative == representative; ++at)
    places.push_back(copies_[*at].place);
  return places;
}

}  // namespace touchstone::pipeline::passages
