#include "cli/command.hpp"
#include "collection/collection.hpp"

#include <cstdio>

#include <nlohmann/json.hpp>

namespace touchstone::cli {

void add_validate(CLI::App& app, Context& context) {
  auto* command =
      app.add_subcommand("validate", "Check a collection directory: ids, texts, labels, formats, checksums");
  auto directory = std::make_shared<std::string>();
  auto format = std::make_shared<std::string>("text");
  command->add_option("COLLECTION", *directory, "Collection directory")->required();
  command->add_option("--format", *format, "text or json")->check(CLI::IsMember({"text", "json"}))->type_name("FORMAT");
  add_footer(*command);
  command->callback([=, &context] {
    const auto report = formats::validate_collection(*directory);
    context.exit_status = report.ok() ? 0 : 1;
    if (*format == "json") {
      nlohmann::ordered_json json;
      json["ok"] = report.ok();
      json["counts"] = report.counts;
      json["problem_count"] = report.problem_count;
      json["problems"] = nlohmann::ordered_json::array();
      for (const auto& problem : report.problems)
        json["problems"].push_back({{"file", problem.file}, {"line", problem.line}, {"what", problem.what}});
      std::printf("%s\n", json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
      return;
    }
    for (const auto& problem : report.problems) {
      const std::string line = problem.line > 0 ? " line " + std::to_string(problem.line) : "";
      std::printf("%s%s: %s\n", problem.file.c_str(), line.c_str(), problem.what.c_str());
    }
    if (report.problem_count > report.problems.size()) {
      std::printf("... and %llu more problems\n",
                  static_cast<unsigned long long>(report.problem_count - report.problems.size()));
    }
    std::string counts;
    for (const auto& [name, count] : report.counts)
      counts += (counts.empty() ? "" : ", ") + std::to_string(count) + " " + name;
    std::printf("%s: %s\n", report.ok() ? "ok" : "NOT ok", counts.c_str());
  });
}

}  // namespace touchstone::cli
