#include "analysis/fusion/fusion.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/error.hpp"
#include "common/named_values.hpp"

#include <filesystem>

namespace touchstone::cli {
namespace {

namespace fusion = analysis::fusion;

struct FuseFlags {
  std::vector<std::string> runs;
  std::string tag;
  fusion::FusionOptions options;
};

/// The name of the method is the tag unless another one is given.
std::string tag_of(const FuseFlags& flags) {
  if (flags.tag.empty()) return std::string(name_in(fusion::kFusionMethods, flags.options.method));
  if (flags.tag.find_first_of(" \t\r\n\v\f") != std::string::npos)
    throw ConfigError("--tag must not contain white space; it is one field of a run");
  return flags.tag;
}

}  // namespace

void add_fuse(CLI::App* app, Context&) {
  auto flags = std::make_shared<FuseFlags>();
  auto* command = app->add_subcommand("fuse", "Fuse several runs into one");
  command->add_option("RUN", flags->runs, "TREC runs, plain or .gz, two or more")->required()->type_name("");
  add_choice(command, "--method", flags->options.method, fusion::kFusionMethods,
             "rrf (reciprocal rank fusion, the default), combsum or combmnz")
      ->type_name("NAME");
  add_choice(command, "--norm", flags->options.normalisation, fusion::kNormalisations,
             "How combsum and combmnz make scores comparable: min-max (default) or none")
      ->type_name("NAME");
  command->add_option("-k", flags->options.k, "Constant of rrf: a passage gets 1 / (k + rank) (default: 60)")
      ->type_name("K");
  command->add_option("--depth", flags->options.depth, "Passages of each topic (default: 1000)")
      ->type_name("N")
      ->check(CLI::Range(1U, 4294967295U))
      ->transform(whole_number);
  command->add_option("--tag", flags->tag, "Tag of the fused run (default: the method)")->type_name("TAG");
  add_threads(command, flags->options.threads);
  add_footer(command);
  command->callback([flags] {
    const auto tag = tag_of(*flags);
    require_files(flags->runs);
    const std::vector<std::filesystem::path> runs(flags->runs.begin(), flags->runs.end());
    print(fusion::run_text(fusion::fuse_runs(runs, flags->options), tag));
  });
}

}  // namespace touchstone::cli
