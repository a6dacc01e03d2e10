#include "cli/build/campaign_file.hpp"

#include "common/error.hpp"
#include "pipeline/cluster/slurm_options.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/stage_table.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace touchstone::cli {
namespace {

constexpr std::string_view kMonth = "{month}";

/// `[[campaign.wiki]]`
struct WikiOptions {
  std::string name;
  std::vector<std::string> dump, pages, assignments;

  static std::vector<Option<WikiOptions>> options() {
    using O = WikiOptions;
    return {{"name", &O::name, "Names the wiki in the table and in the folders."},
            {"dump", &O::dump, "Its dumps; {month} stands for each of campaign.months, here and in pages."},
            {"pages", &O::pages, "Books or JSON lines instead of dumps."},
            {"set", &O::assignments, "Options of its builds, each as KEY=VALUE."}};
  }
};

/// `[[campaign.config]]`
struct ConfigOptions {
  std::string name, file;
  std::vector<std::string> assignments;

  static std::vector<Option<ConfigOptions>> options() {
    using O = ConfigOptions;
    return {{"name", &O::name, "Names the configuration in the table and in the folders."},
            {"file", &O::file, "File with options, as for build --config; empty: none."},
            {"set", &O::assignments, "Options of its builds, each as KEY=VALUE; they go over those of the wiki."}};
  }
};

struct CampaignOptions {
  std::string work = "campaign", to;
  std::vector<std::string> months;
  std::vector<Overrides<WikiOptions>> wikis;
  std::vector<Overrides<ConfigOptions>> configs;

  static std::vector<Option<CampaignOptions>> options() {
    using O = CampaignOptions;
    return {{"campaign.work", &O::work, "Folder of the work directories, relative to the file."},
            {"campaign.to", &O::to, "Target of all builds, as for build --to."},
            {"campaign.months", &O::months, "What {month} stands for in the names of files, one after the other."},
            {"campaign.wiki", &O::wikis, "The wikis, a table each."},
            {"campaign.config", &O::configs, "The configurations, a table each; without any, the defaults."}};
  }
};

bool has_month(const WikiOptions& wiki) {
  const auto names_it = [](const auto& file) { return file.find(kMonth) != std::string::npos; };
  return std::any_of(wiki.dump.begin(), wiki.dump.end(), names_it) ||
         std::any_of(wiki.pages.begin(), wiki.pages.end(), names_it);
}

std::string in_month(std::string file, const std::string& month) {
  for (auto at = file.find(kMonth); at != std::string::npos; at = file.find(kMonth, at + month.size()))
    file.replace(at, kMonth.size(), month);
  return file;
}

/// Whether a name can be that of a folder.
bool is_folder_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos &&
         name.find('\0') == std::string::npos;
}

/// Lays the tables over their defaults, and collects what is wrong with their names.
template <class Group>
std::vector<Group> tables_of(const std::vector<Overrides<Group>>& tables, std::string_view what,
                             std::vector<std::string>& problems) {
  std::vector<Group> all;
  std::set<std::string> names;
  for (const auto& table : tables) {
    all.push_back(table.over(Group{}));
    const auto& name = all.back().name;
    if (!is_folder_name(name)) {
      problems.push_back(fmt::format("{} {} needs a name that can be a folder's", what, all.size()));
    } else if (!names.insert(name).second) {
      problems.push_back(fmt::format("two tables {} have the name \"{}\"", what, name));
    }
  }
  return all;
}

/// The file of a build as this program runs it: relative to the campaign file.
std::string beside(const std::filesystem::path& file, const std::string& path) {
  return path.empty() || path == "-" ? path : (file.parent_path() / path).lexically_normal().string();
}

void add_sources(const std::filesystem::path& file, const WikiOptions& wiki, CampaignBuild& build) {
  const auto add = [&](const std::vector<std::string>& files, std::size_t kind) {
    for (const auto& path : files) {
      build.flags.sources.push_back(
          {beside(file, in_month(path, build.month)), std::string(pipeline::corpus::page_file_kinds()[kind].name)});
    }
  };
  add(wiki.dump, 0);
  add(wiki.pages, 1);
}

}  // namespace

std::filesystem::path CampaignBuild::place() const {
  auto path = std::filesystem::path(wiki);
  if (!month.empty()) path /= month;
  if (!config.empty()) path /= config;
  return path;
}

Settings campaign_settings() {
  const OptionGroup* const groups[] = {&option_group<CampaignOptions>(),
                                       &option_group<pipeline::cluster::SlurmOptions>()};
  return Settings(groups);
}

Campaign campaign_of(const Settings& settings, const std::filesystem::path& file,
                     const std::vector<std::string>& assignments) {
  const auto& options = settings.get<CampaignOptions>();
  std::vector<std::string> problems;
  const auto wikis = tables_of(options.wikis, "[[campaign.wiki]]", problems);
  auto configs = tables_of(options.configs, "[[campaign.config]]", problems);
  if (wikis.empty()) problems.emplace_back("there is no [[campaign.wiki]], so that there is nothing to build");
  if (configs.empty()) configs.emplace_back();
  const auto targets = pipeline::stage_graph().target_names();
  if (!options.to.empty() && std::find(targets.begin(), targets.end(), options.to) == targets.end())
    problems.push_back("campaign.to names no target of build: \"" + options.to + "\"");
  for (const auto& month : options.months) {
    if (!is_folder_name(month)) problems.push_back("\"" + month + "\" in campaign.months cannot be a folder's name");
  }
  Campaign campaign{beside(file, options.work), options.to, {}};
  for (const auto& wiki : wikis) {
    if (wiki.dump.empty() == wiki.pages.empty())
      problems.push_back("the wiki \"" + wiki.name + "\" needs either dump or pages");
    if (has_month(wiki) && options.months.empty())
      problems.push_back("the wiki \"" + wiki.name + "\" has {month} in a file, and campaign.months is empty");
    const auto months = has_month(wiki) ? options.months : std::vector<std::string>{""};
    for (const auto& month : months) {
      for (const auto& config : configs) {
        CampaignBuild build{wiki.name, month, config.name, {}};
        build.flags.work = (campaign.work / build.place()).string();
        build.flags.config_file = beside(file, config.file);
        for (const auto* list : {&wiki.assignments, &config.assignments, &assignments})
          build.flags.assignments.insert(build.flags.assignments.end(), list->begin(), list->end());
        add_sources(file, wiki, build);
        campaign.builds.push_back(std::move(build));
      }
    }
  }
  std::string text;
  for (const auto& problem : problems) text += (text.empty() ? "" : "\n") + file.string() + ": " + problem;
  if (!text.empty()) throw ConfigError(text);
  return campaign;
}

}  // namespace touchstone::cli
