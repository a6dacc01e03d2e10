#include "analysis/agreement/qrels_grades.hpp"
#include "analysis/presentation/votes_text.hpp"
#include "analysis/votes/item_votes.hpp"
#include "cli/command.hpp"
#include "cli/statistics_flags.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/number_text.hpp"
#include "formats/documents/document_files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/quote.hpp"
#include "formats/labeling/label_files.hpp"
#include "formats/trec/qrels.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <unordered_set>

namespace touchstone::cli {
namespace {

namespace agreement = analysis::agreement;
namespace labeling = formats::labeling;
namespace presentation = analysis::presentation;
namespace trec = formats::trec;
namespace votes = analysis::votes;

struct VoteFlags {
  std::vector<std::string> files, labels;
  std::string ties, out, texts, format_in = "auto", offsets = "auto", convert;
  std::int64_t at_least = 1, span_grade = -1;
};

/// The value of a choice whose text was checked.
template <class Enum>
std::optional<Enum> chosen(std::string_view text) {
  for (const auto& choice : Choices<Enum>::table) {
    if (choice.text == text) return choice.value;
  }
  return std::nullopt;
}

template <class Enum>
std::vector<std::string> names_of(std::initializer_list<std::string> before = {}) {
  std::vector<std::string> names(before);
  for (const auto& choice : Choices<Enum>::table) names.emplace_back(choice.text);
  return names;
}

/// What all files say together.
class Answers {
 public:
  explicit Answers(const VoteFlags& flags) : flags_(flags) {
    for (const auto& label : flags.labels) rules_.names.add(label);
    rules_.offsets = chosen<labeling::OffsetUnit>(flags.offsets);
  }

  void read() {
    require_files(flags_.files);
    for (const auto& file : flags_.files) {
      if (std::filesystem::is_directory(file)) throw StorageError(file + " is a folder; name the files in it");
    }
    if (!flags_.texts.empty()) load_texts();
    for (const auto& file : flags_.files) {
      rules_.texts = &all_.texts;
      auto read = read_file(file);
      for (const auto& [what, count] : read.notes) log_info("{}: {}: {}", file, what, with_commas(count));
      for (auto& answer : read.answers) all_.answers.push_back(std::move(answer));
      all_.texts.merge(read.texts);
      all_.queries.merge(read.queries);
    }
    if (all_.answers.empty()) throw FormatError("the files hold no answer; give files in which something is labelled");
  }

  const labeling::LabelFile& all() const { return all_; }

 private:
  labeling::LabelFile read_file(const std::string& file) const {
    const auto format = chosen<labeling::LabelFormat>(flags_.format_in);
    return labeling::read_labels(file, format ? *format : labeling::format_of(file), rules_);
  }

  /// Only texts of passages that were judged are kept, so that a corpus may be larger than the memory.
  void load_texts() {
    std::unordered_set<std::string> wanted;
    for (const auto& file : flags_.files) {
      for (const auto& answer : read_file(file).answers) wanted.insert(answer.docid);
    }
    formats::documents::for_each_document(flags_.texts, [&](formats::documents::Document document) {
      if (wanted.contains(document.id)) all_.texts.try_emplace(document.id, std::move(document.text));
    });
    std::erase_if(wanted, [&](const std::string& docid) { return all_.texts.contains(docid); });
    if (!wanted.empty())
      log_warn("passages that were judged and have no text in {}: {}, such as {}", flags_.texts,
               with_commas(wanted.size()),
               formats::fields::quote_for_message(*std::min_element(wanted.begin(), wanted.end())));
  }

  const VoteFlags& flags_;
  labeling::LabelRules rules_;
  labeling::LabelFile all_;
};

void write(const std::filesystem::path& file, std::string_view text) {
  write_file_atomically(file, text);
}

std::string qrels_text(std::span<const trec::QrelRecord> qrels) {
  std::string text;
  for (const auto& qrel : qrels) text += trec::qrel_line(qrel);
  return text;
}

/// Whether a docid is that of a snippet: DOCUMENT_N.
bool is_snippet(const std::string& docid) {
  const auto end = docid.rfind('_');
  return end != std::string::npos && end > 0 && end + 1 < docid.size() &&
         std::all_of(docid.begin() + static_cast<std::ptrdiff_t>(end) + 1, docid.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

/// The qrels of the documents, where docids are those of snippets; removes those of an earlier vote otherwise.
void write_documents(const std::filesystem::path& folder, std::vector<trec::QrelRecord> qrels) {
  const auto of_max = folder / "qrels-docs-max.txt", of_sum = folder / "qrels-docs-sum.txt";
  const auto others = std::erase_if(qrels, [](const trec::QrelRecord& qrel) { return !is_snippet(qrel.docid); });
  if (qrels.empty()) {
    std::error_code ignored;
    for (const auto& file : {of_max, of_sum}) std::filesystem::remove(file, ignored);
    if (others > 0) log_info("no docid ends in _N as those of snippets do, so that there are no qrels of documents");
    return;
  }
  if (others > 0)
    log_warn("passages whose docid does not end in _N, and which are in no document's qrels: {}", with_commas(others));
  write(of_max, qrels_text(agreement::roll_up_grades(qrels, agreement::RollUp::kMax)));
  try {
    write(of_sum, qrels_text(agreement::roll_up_grades(qrels, agreement::RollUp::kSum)));
  } catch (const FormatError& error) {
    std::error_code ignored;
    std::filesystem::remove(of_sum, ignored);
    log_warn("{}; {} is not written", error.what(), of_sum.string());
  }
}

void vote(const VoteFlags& flags, std::span<const labeling::Annotation> answers) {
  votes::VoteRules rules;
  rules.ties = chosen<votes::TieRule>(flags.ties);
  rules.at_least = static_cast<std::size_t>(flags.at_least);
  if (flags.span_grade >= 0) rules.span_grade = static_cast<int>(flags.span_grade);
  const auto result = votes::vote_on_items(answers, rules);
  const auto qrels = votes::passage_qrels(result);
  if (qrels.empty()) log_warn("no passage has a grade, so that qrels.txt is empty; left-out.tsv says why");
  const std::filesystem::path folder = flags.out;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) throw StorageError("cannot make the folder " + flags.out + ": " + error.message());
  write(folder / "qrels.txt", qrels_text(qrels));
  write_documents(folder, qrels);
  write(folder / "votes.tsv", presentation::votes_tsv(result));
  write(folder / "left-out.tsv", presentation::left_out_tsv(result));
  write(folder / "spans.jsonl", presentation::spans_json_lines(result));
  print(presentation::votes_text(result));
}

void convert(const VoteFlags& flags, const labeling::LabelFile& all) {
  const auto notes = labeling::write_labels(flags.out, *chosen<labeling::LabelFormat>(flags.convert), all.answers,
                                            all.texts, all.queries);
  for (const auto& [what, count] : notes) log_warn("left out: {}: {}", what, with_commas(count));
  std::uint64_t left_out = 0;
  for (const auto& [what, count] : notes) left_out += count;
  log_info("answers in {}: {}", flags.out, with_commas(all.answers.size() - left_out));
}

void run_vote(const VoteFlags& flags) {
  Answers answers(flags);
  answers.read();
  if (flags.convert.empty()) {
    vote(flags, answers.all().answers);
  } else {
    convert(flags, answers.all());
  }
}

}  // namespace

void add_vote(CLI::App* app, Context&) {
  auto flags = std::make_shared<VoteFlags>();
  auto* command = app->add_subcommand("vote", "Make qrels and spans of people's labels, or convert files of labels");
  command
      ->add_option("FILE", flags->files,
                   "annotations.jsonl, raw judgments of FiRA, or exports of doccano, Label Studio or potato")
      ->required()
      ->type_name("...");
  auto* ties = command
                   ->add_option("--ties", flags->ties,
                                "Grade of an item whose grades have as many votes: highest, lowest or none "
                                "(default: highest; of evidence lowest, a no)")
                   ->check(one_of(names_of<votes::TieRule>()))
                   ->type_name("RULE");
  auto* at_least =
      command->add_option("--at-least", flags->at_least, "Votes that an item needs for a grade (default: 1)")
          ->transform(whole_number)
          ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))
          ->type_name("K");
  auto* span_grade =
      command
          ->add_option("--min-grade", flags->span_grade, "Lowest grade that has spans (default: 2, and 1 for evidence)")
          ->check(CLI::Range(0, labeling::kHighestGrade))
          ->type_name("N");
  command->add_option("--out", flags->out, "Folder for qrels, spans and votes; with --convert, the file")
      ->required()
      ->type_name("DIR");
  command
      ->add_option("--texts", flags->texts,
                   "Texts of the passages: documents.tsv, corpus.jsonl, a file of touchstone snippets, or a collection")
      ->type_name("FILE");
  command
      ->add_option("--format-in", flags->format_in,
                   "Format of the files: auto (tell it by the contents), touchstone, fira, doccano, label-studio or "
                   "potato")
      ->check(one_of(names_of<labeling::LabelFormat>({"auto"})))
      ->type_name("FORMAT");
  command
      ->add_option("--offsets", flags->offsets,
                   "What offsets of spans count: auto (what the tool counts), code-points or utf-16")
      ->check(one_of(names_of<labeling::OffsetUnit>({"auto"})))
      ->type_name("UNIT");
  command
      ->add_option(
          "--label", flags->labels,
          "What a label of a tool means: NAME=GRADE, or skip, difficult, span or ignore for GRADE; may be repeated")
      ->allow_extra_args(false)
      ->type_name("NAME=GRADE");
  command
      ->add_option("--convert", flags->convert,
                   "Write the answers to --out in another format: touchstone, fira, doccano, label-studio or potato")
      ->check(one_of(names_of<labeling::LabelFormat>()))
      ->excludes(ties)
      ->excludes(at_least)
      ->excludes(span_grade)
      ->type_name("FORMAT");
  add_footer(command);
  command->callback([flags] { run_vote(*flags); });
}

}  // namespace touchstone::cli
