#include "pipeline/automatic/heading_uses.hpp"

#include "collection/health/moulds.hpp"
#include "common/digest.hpp"
#include "common/records/record_file.hpp"
#include "common/unicode.hpp"
#include "formats/car/ids.hpp"
#include "pipeline/headings/title_text.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <variant>

namespace touchstone::pipeline::automatic {
namespace {

namespace car = formats::car;

/// Moulds for a text. On Komi Wikipedia 22 moulds made the 163 texts below "population"; on the Shinto Wiki 217 made
/// the 395 below "cultural properties", and 2,841 the 3,002 below "history".
constexpr double kMostDistinct = 0.65;
constexpr std::uint64_t kLeastTexts = 20;

void keep_least(std::vector<std::uint64_t>& hashes) {
  std::sort(hashes.begin(), hashes.end());
  hashes.erase(std::unique(hashes.begin(), hashes.end()), hashes.end());
  if (hashes.size() > HeadingUse::kMostMoulds) hashes.resize(HeadingUse::kMostMoulds);
}

/// The beginning of a text, which tells moulds apart and costs less than all of it.
std::string_view beginning(std::string_view text) {
  constexpr std::size_t kMostBytes = 240;
  return text.size() <= kMostBytes ? text : text.substr(0, text.rfind(' ', kMostBytes));
}

void collect_texts(const std::vector<car::Skeleton>& children, std::vector<std::string>& texts) {
  for (const auto& [element] : children) {
    if (const auto* section = std::get_if<car::Section>(&element))
      collect_texts(section->children, texts);
    else if (const auto* paragraph = std::get_if<car::Paragraph>(&element))
      texts.push_back(car::paragraph_text(*paragraph));
    else if (const auto* item = std::get_if<car::ListItem>(&element))
      texts.push_back(car::paragraph_text(item->paragraph));
  }
}

}  // namespace

void HeadingUse::add(const HeadingUse& other) {
  pages += other.pages;
  texts += other.texts;
  moulds.insert(moulds.end(), other.moulds.begin(), other.moulds.end());
  keep_least(moulds);
}

double HeadingUse::distinct_moulds() const {
  if (moulds.size() < kMostMoulds) return static_cast<double>(moulds.size());
  const double share = static_cast<double>(moulds.back()) / static_cast<double>(UINT64_MAX);
  return static_cast<double>(moulds.size() - 1) / share;
}

void HeadingUses::add(const car::Page& page) {
  std::set<std::string> seen;
  for (const auto& [element] : page.skeleton) {
    const auto* section = std::get_if<car::Section>(&element);
    if (section == nullptr) continue;
    auto heading = headings::comparable_heading(section->heading);
    if (heading.empty()) continue;
    HeadingUse& use = uses_[heading];
    if (seen.insert(heading).second) ++use.pages;
    use.heading = std::move(heading);
    std::vector<std::string> texts;
    collect_texts(section->children, texts);
    use.texts += texts.size();
    for (const auto& text : texts)
      use.moulds.push_back(xxh3_64(collection::health::mould_of(beginning(text), {page.name}, {})));
    if (use.moulds.size() > 2 * HeadingUse::kMostMoulds) keep_least(use.moulds);
  }
  pages_ += seen.empty() ? 0U : 1U;
}

std::vector<HeadingUse> HeadingUses::take() {
  std::vector<HeadingUse> uses;
  for (auto& [heading, use] : uses_) {
    keep_least(use.moulds);
    uses.push_back(std::move(use));
  }
  uses_.clear();
  return uses;
}

std::vector<std::string> boilerplate_headings(const std::filesystem::path& file,
                                              const selection::AutomaticOptions& options) {
  std::vector<std::string> found;
  records::RecordFile<HeadingUse>::for_each(file, [&](const HeadingUse& use) {
    const bool is_frequent =
        options.boilerplate_share > 0 &&
        static_cast<double>(use.pages) > options.boilerplate_share * static_cast<double>(use.of_pages);
    const bool is_pattern = use.heading.find_first_of("*#%") != std::string::npos;  // for a PhraseSet
    if (is_frequent && !is_pattern && use.texts >= kLeastTexts &&
        use.distinct_moulds() <= kMostDistinct * static_cast<double>(use.texts))
      found.push_back(use.heading);
  });
  return found;
}

}  // namespace touchstone::pipeline::automatic
