#include "cli/command.hpp"
#include "common/display_text.hpp"
#include "common/stop.hpp"
#include "pipeline/inspection/sql_summary.hpp"

#include <cstdio>
#include <filesystem>

namespace touchstone::cli {

void add_sql(CLI::App* app, Context&) {
  auto* command = app->add_subcommand("sql", "Check SQL dumps of a wiki's tables and count what they hold");
  auto files = std::make_shared<std::vector<std::string>>();
  command->add_option("files", *files, "SQL dumps (.sql or .gz), one for each table")->required()->type_name("FILE");
  add_footer(command, ExitStatus::kFailed);
  command->callback([=] {
    const auto folder = std::filesystem::temp_directory_path();
    for (const auto& summary : pipeline::inspection::summarize_sql_dumps(*files, folder, install_stop_signals())) {
      std::printf("%-14s %llu rows, %zu columns", summary.table.c_str(), static_cast<unsigned long long>(summary.rows),
                  summary.columns.size());
      for (const auto& fact : summary.facts) std::printf("; %s", fact.c_str());
      std::printf(" (%s%s)\n", summary.database.empty() ? "" : (display_text(summary.database) + ", ").c_str(),
                  display_text(summary.file).c_str());
    }
  });
}

}  // namespace touchstone::cli
