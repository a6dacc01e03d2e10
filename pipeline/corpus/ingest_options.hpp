#pragma once

#include "common/settings.hpp"
#include "extractors/textbook/book.hpp"
#include "extractors/wikitext/wikitext_parser.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace touchstone {

template <>
struct Choices<extractors::wikitext::TemplateMode> {
  static constexpr Choice<extractors::wikitext::TemplateMode> table[] = {
      {"rules", extractors::wikitext::TemplateMode::kRules},
      {"expand", extractors::wikitext::TemplateMode::kExpand},
      {"drop", extractors::wikitext::TemplateMode::kDrop}};
};

template <>
struct Choices<extractors::wikitext::WikimediaRules> {
  static constexpr Choice<extractors::wikitext::WikimediaRules> table[] = {
      {"auto", extractors::wikitext::WikimediaRules::kAuto},
      {"on", extractors::wikitext::WikimediaRules::kOn},
      {"off", extractors::wikitext::WikimediaRules::kOff}};
};

template <>
struct Choices<extractors::textbook::BookUnit> {
  static constexpr Choice<extractors::textbook::BookUnit> table[] = {
      {"module", extractors::textbook::BookUnit::kModule},
      {"chapter", extractors::textbook::BookUnit::kChapter},
      {"book", extractors::textbook::BookUnit::kBook}};
};

namespace pipeline::corpus {

/// What becomes of a page whose text does not match the checksum beside it.
enum class ChecksumPolicy : std::uint8_t { kFail, kWarn };

/// What becomes of a dump with damage.
enum class DamagePolicy : std::uint8_t { kStop, kSkip };

/// How pages are read into the store.
struct IngestOptions {
  std::int64_t slots = 8;
  std::int64_t batch_bytes = 1 << 20;
  std::int64_t max_page_bytes = 256 << 20;
  extractors::wikitext::TemplateMode templates = extractors::wikitext::TemplateMode::kRules;
  std::vector<std::string> template_rules;
  extractors::wikitext::WikimediaRules wikimedia_rules = extractors::wikitext::WikimediaRules::kAuto;
  std::string now;
  std::vector<std::string> disambiguation_templates;
  double max_reject_ratio = 0.01;
  ChecksumPolicy checksum = ChecksumPolicy::kFail;
  DamagePolicy on_damage = DamagePolicy::kStop;
  bool use_lbzip2 = true;
  extractors::textbook::BookUnit book_unit = extractors::textbook::BookUnit::kModule;

  static std::vector<Option<IngestOptions>> options();
  static std::vector<std::string> problems(const Settings& settings);
};

}  // namespace pipeline::corpus

template <>
struct Choices<pipeline::corpus::ChecksumPolicy> {
  static constexpr Choice<pipeline::corpus::ChecksumPolicy> table[] = {
      {"fail", pipeline::corpus::ChecksumPolicy::kFail}, {"warn", pipeline::corpus::ChecksumPolicy::kWarn}};
};

template <>
struct Choices<pipeline::corpus::DamagePolicy> {
  static constexpr Choice<pipeline::corpus::DamagePolicy> table[] = {{"stop", pipeline::corpus::DamagePolicy::kStop},
                                                                     {"skip", pipeline::corpus::DamagePolicy::kSkip}};
};

}  // namespace touchstone
