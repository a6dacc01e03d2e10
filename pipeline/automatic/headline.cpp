#include "pipeline/automatic/headline.hpp"

#include "collection/automatic/automatic_card.hpp"
#include "collection/health/health.hpp"
#include "common/files.hpp"
#include "common/json_tree.hpp"
#include "pipeline/automatic/stages.hpp"
#include "pipeline/flow/stage_files.hpp"
#include "pipeline/flow/work_files.hpp"

#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace touchstone::pipeline::automatic {

std::string collection_headline(const flow::WorkView& work) {
  flow::checked_file(work.store, work.paths, kAutomaticManifest);
  const auto directory = work.paths.file(kAutomaticFolder);
  const auto manifest = parse_json(read_file(directory / "manifest.json"));
  const auto& numbers = manifest.at("numbers");
  std::string text =
      manifest.at("collection").at("name").get<std::string>() + ", labels from the structure of the pages\n";
  for (const char* part : {"train", "test"}) {
    const auto& counts = numbers.at("parts").at(part);
    text += fmt::format("  {:<6} topics {:8}   facets {:8}   relevant passages {:8}   relevant entities {:8}\n", part,
                        counts.at("pages").get<std::uint64_t>(), counts.at("facets").get<std::uint64_t>(),
                        counts.at("passages").at("hierarchical").get<std::uint64_t>(),
                        counts.at("entities").at("hierarchical").get<std::uint64_t>());
  }
  text += fmt::format("  corpus {:8} passages   knowledge base {:8} pages\n",
                      numbers.at("passages").get<std::uint64_t>(), numbers.at("knowledge_pages").get<std::uint64_t>());
  text += collection::health::health_summary(collection::automatic::read_automatic_health(directory));
  return text + fmt::format("collection  {}\n", directory.string());
}

}  // namespace touchstone::pipeline::automatic
