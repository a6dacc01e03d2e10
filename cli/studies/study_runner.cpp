#include "cli/studies/study_runner.hpp"

#include "analysis/statistics/parallel.hpp"
#include "common/digest.hpp"
#include "common/files.hpp"
#include "common/stop.hpp"
#include "common/version.hpp"

namespace touchstone::cli::studies {

using analysis::studies::FinishedParts;
using analysis::studies::Study;
using analysis::studies::StudyOptions;
using analysis::studies::StudyOutput;

namespace {

/// Of all that the result depends on: the program, the options, and the bytes of each file that an option names.
std::string study_fingerprint(const Study& study, const Settings& settings) {
  std::vector<const OptionGroup*> groups = {&option_group<StudyOptions>()};
  if (study.options != nullptr) groups.push_back(study.options);
  Sha256 digest;
  digest.update_field(program_version()).update_field(study.name).update_field(settings.fingerprint(groups));
  const auto add_file = [&](const std::string& file) {
    std::error_code failed;
    if (std::filesystem::is_regular_file(file, failed)) digest.update_field(sha256_file(file));
  };
  add_file(settings.get<StudyOptions>().qrels);
  for (const auto& run : settings.get<StudyOptions>().runs) add_file(run);
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto text = settings.value_text(i);
    if (&settings.group(i) == study.options && text.size() > 2 && text.front() == '"')
      add_file(text.substr(1, text.size() - 2));
  }
  return digest.hex();
}

}  // namespace

FinishedParts parts_of(const Study& study, const Settings& settings, const std::filesystem::path& folder) {
  if (folder.empty()) return {};
  return {folder / ".parts", study_fingerprint(study, settings)};
}

StudyOutput run_study(const Study& study, const Settings& settings, int threads, FinishedParts& parts,
                      const Context& context) {
  ProgressCounters progress;
  analysis::studies::StudyContext given{settings, progress, install_stop_signals(), parts};
  const ProgressReporter reporter("study " + std::string(study.name), progress, std::string(study.unit),
                                  std::string(study.unit), context.progress_mode());
  StudyOutput output;
  analysis::statistics::in_arena(threads, [&] { output = study.run(given); });
  return output;
}

}  // namespace touchstone::cli::studies
