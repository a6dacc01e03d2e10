#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/error.hpp"
#include "formats/trec/qrels.hpp"

#include <map>

namespace touchstone::cli {
namespace {

struct QrelsFlags {
  std::string qrels, roll_up, separator = "_", format = "table";
};

void run_qrels(const QrelsFlags& flags) {
  static const std::map<std::string, analysis::RollUp> kRollUps = {{"max", analysis::RollUp::kMax},
                                                                   {"sum", analysis::RollUp::kSum}};
  if (flags.separator.size() != 1) throw ConfigError("--separator must be one character");
  const auto qrels = formats::read_qrels(flags.qrels);
  if (flags.roll_up.empty()) {
    print(analysis::qrels_text(qrels, statistics_format(flags.format)));
    return;
  }
  std::string text;
  for (const auto& document : roll_up_grades(qrels, kRollUps.at(flags.roll_up), flags.separator.front()))
    text += formats::qrel_line(document);
  print(text);
}

}  // namespace

void add_qrels(CLI::App& app, Context& context) {
  auto flags = std::make_shared<QrelsFlags>();
  CLI::App* command = app.add_subcommand("qrels", "Count the grades of qrels, or grade documents by their passages");
  command->add_option("QRELS", flags->qrels, "TREC qrels, plain or .gz")->required()->type_name("");
  CLI::Option* roll_up =
      command
          ->add_option("--roll-up", flags->roll_up,
                       "Print qrels of documents, graded by the max or the sum of their passages' grades")
          ->check(CLI::IsMember({"max", "sum"}))
          ->type_name("HOW");
  command
      ->add_option("--separator", flags->separator,
                   "Separator of the document's id and the passage in a passage's id (default: _)")
      ->needs(roll_up)
      ->type_name("C");
  add_statistics_format(*command, flags->format);
  command->get_option("--format")->excludes(roll_up);  // qrels have one format
  add_footer(*command);
  command->callback([flags, &context] {
    run_qrels(*flags);
    context.exit_status = 0;
  });
}

}  // namespace touchstone::cli
