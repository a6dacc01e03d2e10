#include "collection/automatic/manifest.hpp"

#include "collection/automatic/automatic_files.hpp"
#include "collection/release/files.hpp"
#include "collection/release/manifest_json.hpp"
#include "common/error.hpp"

namespace touchstone::collection::automatic {

void visit_fields(const auto& visit, release::RecordOf<AutomaticInfo> auto& info) {
  release::visit_wiki(visit, info);
  release::visit_dumps(visit, info);
  visit("folds", info.folds);
  visit("list_items", info.list_items);
  visit("captions", info.captions);
  visit.list(
      "knowledge", info.knowledge,
      [](const auto& fields, auto& wiki) {
        release::visit_wiki(fields, wiki);
        release::visit_dumps(fields, wiki);
      },
      true);
}

void visit_fields(const auto& visit, release::RecordOf<AutomaticNumbers> auto& numbers) {
  const auto visit_levels = [](const auto& fields, const char* name, auto& counts) {
    fields.object(name, [&](const auto& of_level) {
      for (const auto& [level_name, level] : kQrelsLevels)
        of_level(std::string(level_name), counts.at(static_cast<std::size_t>(level)));
    });
  };
  visit("passages", numbers.passages);
  visit("knowledge_pages", numbers.knowledge_pages);
  visit.map("parts", numbers.parts, [&](const auto& fields, auto& part) {
    fields("pages", part.pages);
    fields("facets", part.facets);
    fields("toplevel_facets", part.toplevel_facets);
    visit_levels(fields, "passages", part.passages);
    visit_levels(fields, "entities", part.entities);
  });
}

PartNumbers& PartNumbers::operator+=(const PartNumbers& other) {
  pages += other.pages;
  toplevel_facets += other.toplevel_facets;
  facets += other.facets;
  for (std::size_t level = 0; level < passages.size(); ++level) {
    passages.at(level) += other.passages.at(level);
    entities.at(level) += other.entities.at(level);
  }
  return *this;
}

std::string manifest_text(const Manifest& manifest) {
  return release::manifest_text(manifest);
}

Manifest read_manifest(const std::filesystem::path& directory) {
  auto manifest = release::read_manifest<AutomaticInfo, AutomaticNumbers>(directory);
  if (manifest.info.folds >= 1 && manifest.info.folds <= kMostFolds) return manifest;
  throw FormatError((directory / release::kManifest.name).string() +
                    " has a number of folds that cannot be; export the collection again");
}

}  // namespace touchstone::collection::automatic
