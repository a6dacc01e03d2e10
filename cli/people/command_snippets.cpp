#include "cli/command.hpp"
#include "common/digest.hpp"
#include "common/error.hpp"
#include "common/files.hpp"
#include "common/json_writer.hpp"
#include "common/log.hpp"
#include "common/number_text.hpp"
#include "common/unicode.hpp"
#include "formats/documents/document_files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"
#include "text/snippets.hpp"

#include <algorithm>
#include <unordered_map>

namespace touchstone::cli {
namespace {

namespace documents = formats::documents;
using formats::fields::quote_for_message;

enum class OutFormat : std::uint8_t { kTsv, kJsonLines };

struct SnippetsFlags {
  std::string source, out, words = "scripts";
  std::int64_t max_words = 130, max_snippets = 30;
  bool title = false;
};

OutFormat format_of(std::string_view file) {
  if (file.ends_with(".gz")) file.remove_suffix(3);
  if (file.ends_with(".tsv")) return OutFormat::kTsv;
  if (file.ends_with(".jsonl")) return OutFormat::kJsonLines;
  throw ConfigError("--out " + std::string(file) +
                    " must end in .tsv, .jsonl, .tsv.gz or .jsonl.gz, which names the format");
}

/// A range without the white space at its ends.
text::TextRange trimmed(std::string_view text, text::TextRange range) {
  std::size_t at = range.begin;
  while (at < range.end && is_unicode_space(next_code_point(text, at))) range.begin = at;
  std::size_t end = range.begin;
  for (at = range.begin; at < range.end;) {
    if (!is_unicode_space(next_code_point(text, at))) end = at;
  }
  range.end = end;
  return range;
}

/// Cuts the documents of a source and writes their snippets.
class SnippetMaker {
 public:
  explicit SnippetMaker(const SnippetsFlags& flags)
      : flags_(flags), format_(format_of(flags.out)), out_(flags.out, InTheWay::kRefuse) {
    rules_.max_words = static_cast<std::size_t>(flags.max_words);
    rules_.words = flags.words == "spaces" ? text::SnippetWords::kBetweenSpaces : text::SnippetWords::kByScript;
  }

  void run() {
    documents::for_each_document(flags_.source, [&](documents::Document document) { cut(std::move(document)); });
    out_.finish();
    say();
  }

 private:
  void cut(documents::Document document) {
    ++documents_;
    const auto [kept, added] = snippets_of_.try_emplace(xxh3_64(document.id), 0);
    if (!added) {
      note(repeated_, document);
      return;
    }
    if (flags_.title && !document.title.empty()) document.text = document.title + " " + document.text;
    const std::string_view text = document.text;
    CodePointCounter points(text);
    std::uint32_t number = 0;
    for (const auto& range : text::cut_into_snippets(text, rules_)) {
      const auto [begin, end] = trimmed(text, range);
      if (begin == end) continue;
      if (number == flags_.max_snippets) {
        ++cut_off_;
        break;
      }
      const std::uint32_t first = points.at_byte(begin), last = points.at_byte(end);
      write(document.id, number++, text.substr(begin, end - begin), first, last);
    }
    kept->second = number;
    snippets_ += number;
    if (number == 0) note(empty_, document);
    look_for_clash(document);
  }

  void write(const std::string& document, std::uint32_t number, std::string_view text, std::uint32_t begin,
             std::uint32_t end) {
    const std::string id = document + "_" + std::to_string(number);
    if (format_ == OutFormat::kTsv) {
      out_.write(id + "\t" + formats::fields::one_line(text) + "\n");
      return;
    }
    JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
    out_.write(json.begin_object()
                   .field("_id", id)
                   .field("text", text)
                   .field("document", document)
                   .field("begin", begin)
                   .field("end", end)
                   .end_object()
                   .take_line());
  }

  /// Documents whose id looks like that of a snippet of another one.
  void look_for_clash(const documents::Document& document) {
    const auto end = document.id.rfind('_');
    std::uint32_t number = 0;
    if (end == std::string::npos || end == 0 ||
        !formats::fields::parse_integer(std::string_view(document.id).substr(end + 1), std::uint32_t{0},
                                        std::uint32_t{1} << 30U, number))
      return;
    like_snippets_.push_back({xxh3_64(std::string_view(document.id).substr(0, end)), number, document.id});
  }

  struct Note {
    std::uint64_t count = 0;
    std::string first;
  };
  static void note(Note& note, const documents::Document& document) {
    if (note.count++ == 0) note.first = quote_for_message(document.id) + " in line " + std::to_string(document.line);
  }

  void say() const {
    log_info("{}: {} snippets of {} documents", flags_.out, with_commas(snippets_), with_commas(documents_));
    if (cut_off_ > 0)
      log_info("documents with more than {} snippets, the rest of whose text is in none (--max-snippets): {}",
               flags_.max_snippets, with_commas(cut_off_));
    if (empty_.count > 0)
      log_warn("documents without text, which give no snippet: {}, the first of them {}", with_commas(empty_.count),
               empty_.first);
    if (repeated_.count > 0)
      log_warn("documents with the id of an earlier one, which were left out: {}, the first of them {}",
               with_commas(repeated_.count), repeated_.first);
    std::uint64_t clashes = 0;
    std::string first;
    for (const auto& [document, number, id] : like_snippets_) {
      const auto found = snippets_of_.find(document);
      if (found == snippets_of_.end() || found->second <= number) continue;
      if (clashes++ == 0) first = id;
    }
    if (clashes > 0)
      log_warn(
          "documents with the id of a snippet of another document: {}, such as {}; do not mix documents and "
          "snippets in one qrels file",
          with_commas(clashes), quote_for_message(first));
  }

  struct LikeSnippet {
    std::uint64_t document;
    std::uint32_t number;
    std::string id;
  };

  const SnippetsFlags& flags_;
  OutFormat format_;
  TextWriter out_;
  text::SnippetRules rules_;
  std::unordered_map<std::uint64_t, std::uint32_t> snippets_of_;  ///< by digest of the document's id
  std::vector<LikeSnippet> like_snippets_;
  std::uint64_t documents_ = 0, snippets_ = 0, cut_off_ = 0;
  Note empty_, repeated_;
};

}  // namespace

void add_snippets(CLI::App* app, Context&) {
  auto flags = std::make_shared<SnippetsFlags>();
  auto* command =
      app->add_subcommand("snippets", "Cut documents into snippets of whole sentences that people can judge");
  command
      ->add_option("DOCS", flags->source,
                   "documents.tsv (id, tab, text), corpus.jsonl of BEIR, plain or .gz, or a collection")
      ->required()
      ->type_name("");
  command->add_option("--out", flags->out, "File for the snippets: .tsv or .jsonl, also with .gz")
      ->required()
      ->type_name("FILE");
  command->add_option("--max-words", flags->max_words, "Words of a snippet at most (default: 130)")
      ->transform(whole_number)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}))
      ->type_name("N");
  command->add_option("--max-snippets", flags->max_snippets, "Snippets of a document at most (default: 30)")
      ->transform(whole_number)
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}))
      ->type_name("N");
  command
      ->add_option("--words", flags->words,
                   "What is a word: scripts (between white space, and two letters of scripts without blanks) or spaces "
                   "(between white space, in all scripts)")
      ->check(one_of({"scripts", "spaces"}))
      ->type_name("HOW");
  command->add_flag("--title", flags->title, "Put the title, if there is one, and a blank in front of the text");
  add_footer(command);
  command->callback([flags] { SnippetMaker(*flags).run(); });
}

}  // namespace touchstone::cli
