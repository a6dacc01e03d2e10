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
       "Number of batches in memory at once. Peak memory is about 40 MB plus 12 x slots x batch_bytes."},
      {"ingest.batch_bytes", &I::batch_bytes, between(4096, 64 * kMiB), kNone,
       "Bytes of XML given to a worker at once."},
      {"ingest.max_page_bytes", &I::max_page_bytes, between(65536, 2048 * kMiB),
       "Pages whose newest revision is larger than this (in bytes of XML) are left out and counted."},
      {"ingest.templates", &I::templates,
       "How templates are handled: rendered by rules, expanded from the dump's template pages (a second pass over the "
       "dump; modules are not run, their calls are rendered by rules), or dropped."},
      {"ingest.template_rules", &I::template_rules,
       "Files with additional template rules (TOML), read after the built-in rules. A later rule overrides an earlier "
       "one."},
      {"ingest.wikimedia_rules", &I::wikimedia_rules,
       "Whether the rules hold that are of templates only Wikipedia and its sister projects have, such as {{HMS}}, "
       "{{JPN}} and {{hndis}}. auto: if the address of the wiki in the dump is one of theirs."},
      {"ingest.now", &I::now,
       "Current date for ages, {{#time:}} and {{CURRENTYEAR}}, such as 2026-05-31. Empty: the date in the first dump's "
       "file name; without that, they are not shown."},
      {"ingest.disambiguation_templates", &I::disambiguation_templates,
       "Templates that mark disambiguation pages. Empty: those known for the language."},
      {"ingest.max_reject_ratio", &I::max_reject_ratio, between(0, 1), kNone,
       "Highest share of unusable pages; above it, ingest fails."},
      {"ingest.checksum", &I::checksum, kNone,
       "What to do if a page's text does not match its SHA-1 in the dump: fail after reading everything, or warn and "
       "keep the page as it is."},
      {"ingest.on_damage", &I::on_damage, kNone,
       "What to do with a dump that is damaged: stop, or skip its damaged blocks of bzip2, zero bytes and missing end. "
       "Pages that are lost are counted, and named if the index of the multistream dump is beside it."},
      {"ingest.book_unit", &I::book_unit,
       "What of a book becomes a page, and so a topic: each module, lesson or file; each chapter, whose modules become "
       "sections; or the book, whose chapters become sections."},
      {"ingest.use_lbzip2", &I::use_lbzip2, kNone, "Decompress .bz2 files with the program lbzip2 if it is installed."},
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
