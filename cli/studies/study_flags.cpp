#include "cli/studies/study_flags.hpp"

#include "analysis/statistics/parallel.hpp"
#include "analysis/studies/table/study_table.hpp"
#include "cli/statistics_flags.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/stop.hpp"
#include "common/version.hpp"
#include "formats/fields/columns.hpp"
#include "text/words.hpp"

#include <cstdint>
#include <limits>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

namespace touchstone::cli::studies {

using analysis::studies::FinishedParts;
using analysis::studies::Study;
using analysis::studies::StudyOptions;
using analysis::studies::StudyOutput;

namespace {

using analysis::studies::StudyOptions;

/// A text in TOML: its basic strings have the escapes of JSON.
std::string toml_text(const std::string& text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string toml_list(const std::vector<std::string>& texts) {
  std::string out;
  for (const auto& text : texts) out += (out.empty() ? "" : ", ") + toml_text(text);
  return "[" + out + "]";
}

/// The words of all values, which are parted by commas.
std::vector<std::string> split_at_commas(const std::vector<std::string>& values) {
  std::vector<std::string> words;
  for (const auto& value : values) {
    for (const auto word : text::parts_of(value, ",")) words.emplace_back(word);
  }
  return words;
}

std::string toml_whole_number(const std::string& flag, const std::string& text) {
  std::int64_t value = 0;
  if (!formats::fields::parse_integer(text, std::numeric_limits<std::int64_t>::min(),
                                      std::numeric_limits<std::int64_t>::max(), value))
    throw ConfigError(fmt::format("{} takes a whole number, not \"{}\"", flag, text));
  return fmt::to_string(value);
}

std::string toml_number(const std::string& flag, const std::string& text) {
  try {
    std::size_t used = 0;
    const double value = std::stod(text, &used);
    if (used == text.size()) return fmt::format("{:#}", value);
  } catch (const std::logic_error&) {  // reported below
  }
  throw ConfigError(fmt::format("{} takes a number, not \"{}\"", flag, text));
}

std::string flag_of(const OptionRow& row) {
  std::string flag = "--" + std::string(row.name());
  for (auto& c : flag) {
    if (c == '_') c = '-';
  }
  return flag;
}

/// The option's sentence as the help has it, with its default unless that is empty.
std::string help_of(const OptionRow& row, const std::string& standard) {
  std::string text(row.summary);
  if (text.ends_with('.')) text.pop_back();
  if (standard.empty() || standard == "\"\"" || standard == "[]" || standard == "false") return text;
  std::string shown;
  for (const char c : standard) {
    if (c != '"' && c != '[' && c != ']' && c != ' ') shown += c;
  }
  return text + " (default: " + shown + ")";
}

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

void StudyFlags::add_shared(CLI::App* command) {
  const auto keep = [this](const char* flag, const char* key, auto to_toml) {
    return [this, flag, key, to_toml](const std::string& value) {
      given_.emplace_back(flag, fmt::format("{} = {}", key, to_toml(flag, value)));
    };
  };
  const auto text = [](const char*, const std::string& value) { return toml_text(value); };
  command->add_option("RUN", runs_, "TREC runs, plain or .gz")->type_name("");
  command->add_option_function<std::string>("--qrels", keep("--qrels", "study.qrels", text), "TREC qrels, plain or .gz")
      ->type_name("FILE");
  command->add_option("-m,--measure", measures_, "Measures such as R@20, nDCG@10 or map")
      ->type_name("MEASURE...")
      ->expected(1, -1);
  command
      ->add_option_function<std::string>("--min-grade", keep("--min-grade", "study.min_grade", toml_whole_number),
                                         "Lowest relevant grade (default: 1)")
      ->type_name("G");
  switches_.emplace_back("study.complete = true", false);
  command->add_flag("-c,--complete", switches_.back().second,
                    "Count topics that a run does not answer as 0: the default");
  switches_.emplace_back("study.complete = false", false);
  command->add_flag("--answered-only", switches_.back().second, "Leave out topics that a run does not answer");
  command
      ->add_option_function<std::string>("--alpha", keep("--alpha", "study.alpha", toml_number),
                                         "Significance level (default: 0.05)")
      ->type_name("P");
  command
      ->add_option_function<std::string>("--seed", keep("--seed", "study.seed", toml_whole_number),
                                         "Random seed (default: 1)")
      ->type_name("N");
  command->add_option("--config", config_, "File with options in TOML; flags count more")->type_name("FILE");
  add_threads(command, threads_, "; results do not depend on the number");
}

void StudyFlags::add_option(CLI::App* command, const Settings& defaults, std::size_t option, const OptionRow& row,
                            const OptionField& field) {
  const std::string flag = flag_of(row), key(row.key), help = help_of(row, defaults.value_text(option));
  const auto keep = [this, flag, key](const std::string& toml) { given_.emplace_back(flag, key + " = " + toml); };
  if (std::holds_alternative<bool*>(field)) {
    switches_.emplace_back(key + " = true", false);
    command->add_flag(flag, switches_.back().second, help);
  } else if (std::holds_alternative<std::vector<std::string>*>(field) ||
             std::holds_alternative<ChoiceListField>(field)) {
    command
        ->add_option_function<std::vector<std::string>>(
            flag, [keep](const std::vector<std::string>& values) { keep(toml_list(split_at_commas(values))); }, help)
        ->type_name("A,B,...");
  } else {
    const bool is_whole = std::holds_alternative<std::int64_t*>(field),
               is_number = std::holds_alternative<double*>(field);
    const auto set = [=](const std::string& value) {
      keep(is_whole ? toml_whole_number(flag, value) : is_number ? toml_number(flag, value) : toml_text(value));
    };
    const bool is_choice = std::holds_alternative<ChoiceField>(field);
    command->add_option_function<std::string>(flag, set, help)
        ->type_name(is_whole    ? "N"
                    : is_number ? "X"
                    : is_choice ? "NAME"
                                : "FILE");
  }
}

void StudyFlags::add_to(CLI::App* command, const analysis::studies::Study& study) {
  add_shared(command);
  if (study.options == nullptr) return;
  const OptionGroup* const groups[] = {study.options};
  const Settings defaults(groups);
  const auto values = study.options->make();
  for (std::size_t i = 0; i < defaults.size(); ++i)
    add_option(command, defaults, i, defaults.row(i), defaults.row(i).field(values.get()));
}

void StudyFlags::add_to_all(CLI::App* command) {
  add_shared(command);
  command->add_option("--set", assignments_, "An option of a study, such as partial.random=100; may be repeated")
      ->expected(1)
      ->type_name("KEY=VALUE")
      ->take_all();
}

Settings StudyFlags::read(const std::vector<std::pair<std::string, std::string>>& first) {
  separate_runs(measures_, runs_);
  Settings settings(analysis::studies::table::all_study_options());
  for (const auto& [source, toml] : first) settings.read_text(toml, source);
  if (!config_.empty()) settings.read_file(config_);
  if (!runs_.empty()) settings.read_text("study.runs = " + toml_list(runs_), "RUN");
  if (!measures_.empty()) settings.read_text("study.measures = " + toml_list(measures_), "--measure");
  for (const auto& [flag, toml] : given_) settings.read_text(toml, flag);
  for (const auto& [assignment, is_given] : switches_) {
    if (is_given) settings.read_text(assignment, assignment);
  }
  for (const auto& assignment : assignments_) settings.read_assignment(assignment);
  settings.check();
  settings.throw_if_problems();
  const auto& shared = settings.get<StudyOptions>();
  require_files({shared.qrels});
  require_files(shared.runs);
  return settings;
}

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
