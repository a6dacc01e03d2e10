#include "pipeline/automatic/headline.hpp"

#include "collection/automatic/manifest.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"

#include <cstddef>

#include <fmt/format.h>

namespace touchstone::pipeline::automatic {

std::string collection_headline(const flow::WorkView& work) {
  flow::checked_file(work.store, work.paths, kAutomaticManifest);
  const auto directory = work.paths.file(kAutomaticFolder);
  const auto manifest = collection::automatic::read_manifest(directory);
  std::string text = manifest.info.name + ", labels from the structure of the pages\n";
  constexpr auto kHierarchical = static_cast<std::size_t>(collection::automatic::QrelsLevel::kHierarchical);
  for (const char* name : {"train", "test"}) {
    const auto& part = manifest.numbers.parts.at(name);
    text += fmt::format("  {:<6} topics {:8}   facets {:8}   relevant passages {:8}   relevant entities {:8}\n", name,
                        part.pages, part.facets, part.passages.at(kHierarchical), part.entities.at(kHierarchical));
  }
  text += fmt::format("  corpus {:8} passages   knowledge base {:8} pages\n", manifest.numbers.passages,
                      manifest.numbers.knowledge_pages);
  text += health_summary(manifest.health);
  return text + fmt::format("collection  {}\n", directory.string());
}

}  // namespace touchstone::pipeline::automatic
