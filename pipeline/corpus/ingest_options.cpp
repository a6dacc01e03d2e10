#include "pipeline/corpus/ingest_options.hpp"

#include "extractors/site/moment.hpp"

#include <filesystem>

namespace touchstone::pipeline::corpus {
namespace {

constexpr double kMiB = 1024.0 * 1024;

}  // namespace

std::vector<Option<IngestOptions>> IngestOptions::options() {
  using I = IngestOptions;
  constexpr auto kNone = OptionEffect::kNone;
  return {
      {"ingest.slots", &I::slots, between(1, 256), kNone,
       "Batches in memory at once; peak memory is about 40 MB and 12 times slots x batch_bytes."},
      {"ingest.batch_bytes", &I::batch_bytes, between(4096, 64 * kMiB), kNone,
       "Bytes of XML handed to a worker at once."},
      {"ingest.max_page_bytes", &I::max_page_bytes, between(65536, 2048 * kMiB),
       "Pages whose newest revision is larger (bytes of XML) are left out and counted."},
      {"ingest.templates", &I::templates,
       "What becomes of templates: rendered by rule, expanded from the dump's own template pages (a second pass over "
       "the dump; modules are not run, their calls go by rule), or dropped."},
      {"ingest.template_rules", &I::template_rules,
       "Files with more template rules (TOML), read after the built-in ones; a later rule wins."},
      {"ingest.now", &I::now,
       "Date that ages, {{#time:}} and {{CURRENTYEAR}} are counted to, such as 2026-05-31; empty: the date in the "
       "first dump's file name. Without either they are not shown."},
      {"ingest.disambiguation_templates", &I::disambiguation_templates,
       "Templates that mark disambiguation pages; empty: those known for the language."},
      {"ingest.max_reject_ratio", &I::max_reject_ratio, between(0, 1), kNone,
       "Share of pages that may be unusable before ingest fails."},
      {"ingest.checksum", &I::checksum, kNone,
       "A page whose text does not match the SHA-1 that the dump gives: fail once all is read, or warn. With warn the "
       "page is kept as it is."},
      {"ingest.use_lbzip2", &I::use_lbzip2, kNone, "Decompress .bz2 with the lbzip2 program where it is installed."},
  };
}

std::vector<std::string> IngestOptions::problems(const Settings& settings) {
  std::vector<std::string> problems;
  const auto& ingest = settings.get<IngestOptions>();
  for (const auto& file : ingest.template_rules) {
    if (!std::filesystem::exists(file))
      problems.push_back(file + ": no such file; name it from the folder the command runs in");
  }
  if (!ingest.now.empty() && !extractors::site::read_fixed_moment(ingest.now))
    problems.push_back("ingest.now is \"" + ingest.now + "\", which is no date; write it as 2026-05-31");
  return problems;
}

}  // namespace touchstone::pipeline::corpus
