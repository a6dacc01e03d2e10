#include "pipeline/survey/template_share.hpp"

#include "common/error.hpp"
#include "extractors/page_loader.hpp"
#include "pipeline/corpus/included_pages.hpp"
#include "pipeline/corpus/ingest_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/corpus/title_index.hpp"
#include "pipeline/corpus/wiki_options.hpp"
#include "storage/keys.hpp"

#include <filesystem>
#include <utility>

namespace touchstone::pipeline::survey {
namespace {

using storage::Family;

constexpr std::uint64_t kSampleBytes = std::uint64_t{32} << 20;
constexpr std::uint64_t kLeastUses = 10;
constexpr double kLeastShare = 0.5;

std::uint64_t count_template_pages(const storage::Store& store) {
  std::uint64_t pages = 0;
  auto cursor = store.cursor(Family::kTitle);
  for (cursor.seek(storage::title_key(kNamespaceTemplate, "")); cursor.valid(); cursor.next()) {
    const auto key = storage::read_title_key(cursor.key());
    if (!key || key->ns != kNamespaceTemplate) break;
    ++pages;
  }
  return pages;
}

void count_uses(const extractors::SourcePage& page, const corpus::TitleIndex& titles, TemplateShare& share) {
  if (page.head.title.ns != kNamespaceMain || !page.document) return;
  for (const auto& name : page.document->templates_used) {
    ++share.uses;
    if (titles.find({kNamespaceTemplate, name})) ++share.held;
  }
}

}  // namespace

bool TemplateShare::holds_templates() const noexcept {
  return known && uses >= kLeastUses && share() >= kLeastShare;
}

TemplateShare template_share(const storage::Store& store, const Settings& settings,
                             const std::vector<flow::SourceInput>& sources, const StopFlag& stop) {
  TemplateShare share;
  share.template_pages = count_template_pages(store);
  if (sources.empty() || sources.front().kind != "dump") return share;
  std::error_code error;
  if (!std::filesystem::is_regular_file(sources.front().path, error)) return share;
  auto ingest = settings.get<corpus::IngestOptions>();
  ingest.templates = extractors::wikitext::TemplateMode::kRules;  // only the calls in articles themselves count
  ingest.use_lbzip2 = false;                                      // it would read on to the end of the file
  const auto files = corpus::page_file_kind("dump").make(
      {sources, ingest, settings.get<corpus::LanguageOptions>().language, 1, &stop});
  const corpus::StoredPages included(store);
  const corpus::TitleIndex titles(store);
  const auto source = files->open(0, PageId{0}, included);
  source->site_info();
  while (auto batch = source->next()) {
    stop.check();
    const bool enough = batch->end_offset >= kSampleBytes;
    for (const auto& page : source->read(std::move(*batch)).pages) count_uses(page, titles, share);
    if (enough) break;
  }
  share.known = true;
  return share;
}

}  // namespace touchstone::pipeline::survey
