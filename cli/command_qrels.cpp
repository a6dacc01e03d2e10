#include "analysis/agreement/qrels_grades.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/error.hpp"
#include "formats/trec/qrels.hpp"

#include <optional>

namespace touchstone::cli {
namespace {

namespace agreement = analysis::agreement;
namespace presentation = analysis::presentation;

struct QrelsFlags {
  std::string qrels, separator = "_";
  std::optional<agreement::RollUp> roll_up;
  presentation::StatisticsFormat format{};
};

void run_qrels(const QrelsFlags& flags) {
  if (flags.separator.size() != 1) throw ConfigError("--separator must be one character");
  const auto qrels = formats::trec::read_qrels(flags.qrels);
  if (!flags.roll_up) {
    print(presentation::qrels_text(qrels, flags.qrels, flags.format));
    return;
  }
  std::string text;
  for (const auto& document : agreement::roll_up_grades(qrels, *flags.roll_up, flags.separator.front()))
    text += formats::trec::qrel_line(document);
  print(text);
}

}  // namespace

void add_qrels(CLI::App* app, Context&) {
  auto flags = std::make_shared<QrelsFlags>();
  auto* command = app->add_subcommand("qrels", "Count the grades of qrels, or grade documents by their passages");
  command->add_option("QRELS", flags->qrels, "TREC qrels, plain or .gz")->required()->type_name("");
  auto* roll_up = add_choice(command, "--roll-up", flags->roll_up, agreement::kRollUps,
                             "Print qrels of documents, graded by the max or the sum of their passages' grades")
                      ->type_name("HOW");
  command
      ->add_option("--separator", flags->separator,
                   "Separator of the document's id and the passage in a passage's id (default: _)")
      ->needs(roll_up)
      ->type_name("C");
  add_statistics_format(command, flags->format)->excludes(roll_up);  // qrels have one format
  add_footer(command);
  command->callback([flags] { run_qrels(*flags); });
}

}  // namespace touchstone::cli
