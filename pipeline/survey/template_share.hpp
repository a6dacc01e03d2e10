#pragma once

#include "common/settings.hpp"
#include "common/stop.hpp"
#include "pipeline/flow/source_records.hpp"
#include "storage/store.hpp"

#include <cstdint>
#include <vector>

namespace touchstone::pipeline::survey {

/// Whether a dump holds the templates that its articles use.
struct TemplateShare {
  bool known = false;                ///< false: the dump cannot be read again, or is of a kind without templates
  std::uint64_t template_pages = 0;  ///< of the store
  std::uint64_t uses = 0;            ///< of templates by the articles looked at; one a template and page
  std::uint64_t held = 0;            ///< of them of templates whose page is in the store

  double share() const noexcept { return uses == 0 ? 0 : static_cast<double>(held) / static_cast<double>(uses); }
  /// Whether expanding templates from their pages is better than rules.
  bool holds_templates() const noexcept;
};

/// Looks at the articles in the first 32 MB of the first source's text, with these options of ingest.
/// \param sources  those that the store was filled from
TemplateShare template_share(const storage::Store& store, const Settings& settings,
                             const std::vector<flow::SourceInput>& sources, const StopFlag& stop);

}  // namespace touchstone::pipeline::survey
