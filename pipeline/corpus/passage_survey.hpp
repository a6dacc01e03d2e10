#pragma once

#include "pipeline/corpus/passages.hpp"
#include "pipeline/flow/stage.hpp"
#include "pipeline/flow/work_files.hpp"

#include <memory>
#include <string>

namespace touchstone::pipeline::corpus {

/// Goes over all articles and finds what can be told only from all of them: sentences that are boilerplate, and
/// passages that repeat others. Writes the files `kBoilerplateFile` and `kCopiesFile`, which the stage must declare,
/// and counts with samples what is no passage.
///
/// Repeats are found as in automatic collections (near_duplicates/finder.hpp), in the order of docids; the first of a
/// group stands for it. A passage with exactly the text of one before it is its copy. One that is nearly the same is a
/// copy only if both link to the same pages, hold the same numbers, and, if one names its own page, are of that page:
/// texts of one mould about different things are not repeats.
///
/// Memory: 32 bytes a passage, 32 MB for sentences, and that of the finder, most of which is in a file.
std::shared_ptr<const PassageFindings> survey_passages(flow::WriteContext& context, const PassagesOptions& options,
                                                       const std::string& wiki, flow::StageReport& report);

}  // namespace touchstone::pipeline::corpus
