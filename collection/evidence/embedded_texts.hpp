#pragma once

#include <span>
#include <string_view>

namespace touchstone::collection::evidence {

/// A file that is part of the program.
struct EmbeddedText {
  std::string_view name, text;
};

/// One file, hub_configs.yaml: the parts of a dataset card's front matter that tell Hugging Face's `datasets` what to
/// load: `configs` with the file and split of each, and `dataset_info` with the type of each column. The loader takes
/// one reader for all configurations, by the files of the first, so that each is a file of JSON lines. It would guess
/// types by the first lines, where a column may be null throughout (datasets 2.14 to 4).
std::span<const EmbeddedText> hub_configs();

/// One file, croissant_context.json: the JSON-LD context that the specification of Croissant prescribes.
std::span<const EmbeddedText> croissant_context();

}  // namespace touchstone::collection::evidence
