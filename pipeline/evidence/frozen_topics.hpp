#pragma once

#include "pipeline/corpus/title_index.hpp"
#include "pipeline/evidence/evidence_records.hpp"
#include "pipeline/flow/stage_report.hpp"

#include <filesystem>
#include <string>
#include <vector>

/// Topics as an earlier dump's collection released them, for a build that keeps them (`previous.freeze_topics`).
namespace touchstone::pipeline::evidence {

/// The groups of the released topics with their members as they are now: renamed where their pages were moved, at the
/// page that they were merged into, and left out where there is none any more. Throws ConfigError if the work directory
/// has no collection.
/// \param work   the previous work directory
/// \param titles of the pages now
std::vector<Group> frozen_groups(const std::filesystem::path& work, const corpus::TitleIndex& titles,
                                 flow::StageReport& report);

/// The queries of these groups as they were worded then, in their order. Throws as frozen_groups.
std::vector<TopicQuery> frozen_queries(const std::filesystem::path& work, const std::vector<const Group*>& groups);

/// What frozen topics depend on: digests of files of the previous work directory. Empty if `freezes` is false.
std::string frozen_fingerprint(const std::filesystem::path& work, bool freezes);

}  // namespace touchstone::pipeline::evidence
