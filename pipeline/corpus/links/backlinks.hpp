#pragma once

#include "common/records/sorter.hpp"
#include "pipeline/flow/stage_report.hpp"
#include "storage/bulk_loader.hpp"
#include "storage/link_graph.hpp"

#include <array>
#include <compare>
#include <cstdint>

namespace touchstone::pipeline::corpus::links {

/// A place that links to a page.
struct Backlink {
  std::uint32_t target, source, place;
  std::array<std::uint32_t, 3> words() const noexcept { return {target, source, place}; }
  friend auto operator<=>(const Backlink&, const Backlink&) = default;
};

/// The place of a link that pagelinks has; behind all places of a text.
inline constexpr std::uint32_t kInTable = UINT32_MAX;

/// Writes the families of backlinks, and counts them.
/// \param sources   all sources of the backlinks
/// \param by_table  a page is a source if pagelinks says so; the places are those of its text, or "elsewhere"
void write_backlinks(records::Sorter<Backlink>& backlinks, const storage::SourcePages& sources, bool by_table,
                     storage::BulkLoader& loader, flow::StageReport& report);

}  // namespace touchstone::pipeline::corpus::links
