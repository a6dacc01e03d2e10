#pragma once

#include "llm_client/prompts/answer.hpp"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::llm_client::prompts {

/// What a prompt can name. The order is that of prompts which share the longest beginnings: the topic's fields first,
/// then the member's, then the passage's.
enum class PromptField : std::uint8_t {
  kArticle,       ///< title of the list page
  kSection,       ///< headings above the column, outermost first
  kColumn,        ///< its header
  kStructured,    ///< the three of them in one: "List of lights » North » Name"
  kQuery,         ///< what a search user would type for the topic
  kMembers,       ///< some members of the group
  kMember,        ///< title of the member's page
  kAliases,       ///< other titles of it
  kPassageTitle,  ///< title of the passage's page
  kPassage
};
inline constexpr std::size_t kPromptFieldCount = 10;

/// Values by PromptField; those that a prompt does not name are not looked at.
using PromptValues = std::array<std::string, kPromptFieldCount>;

/// A prompt filled in.
struct RenderedPrompt {
  std::string system, user;
  /// Bytes at the start of `user` that hold for the whole topic, and before the first value of a passage: where a
  /// server's prompt cache can stop.
  std::size_t topic_bytes = 0, member_bytes = 0;
};

/// A question with its right answer, for a model to see.
struct PromptExample {
  PromptValues values;
  bool evidence = false;
  std::string reason;  ///< for answers that have one
};

/// A prompt file: TOML between two lines `+++` (name, answer), then the parts `=== system ===` and `=== user ===`, in
/// which `{{field}}` represents a value. docs/judging.md has the fields. Values come from a wiki and go in as
/// inert_text(), each as one line. The passage always is between tags, which no text can then hold: those that the
/// file puts around it, or <passage> and </passage>. Immutable, thread-safe.
class PromptTemplate {
 public:
  /// \param text   the file's content
  /// \param where  names it in messages
  /// Throws ConfigError with line and remedy. A value of a passage may not be before one of a topic or member: it
  /// would cost every request the server's prompt cache.
  static PromptTemplate parse(std::string_view text, const std::string& where);

  /// A prompt by the name of a built-in one ("evidence-binary") or by its file. Throws ConfigError.
  static PromptTemplate load(const std::string& name_or_file);
  static std::vector<std::string> built_in_names();

  /// This prompt with examples at the end of its system part, each as it would be asked; another digest. Throws
  /// ConfigError for kinds of answers that a yes or no does not give: only binary, reason and yes-no can have examples.
  PromptTemplate with_examples(const std::vector<PromptExample>& examples) const;

  RenderedPrompt render(const PromptValues& values) const;

  const std::string& name() const noexcept { return name_; }
  AnswerKind answer() const noexcept { return answer_; }
  /// SHA-256 of the file's text: what versions it.
  const std::string& digest() const noexcept { return digest_; }
  bool uses(PromptField field) const noexcept;

  /// Names how values become text, for fingerprints. Another form of the same values is another question.
  static constexpr std::string_view kTextForm = "inert/1";

 private:
  struct Piece {
    std::string literal;
    int field = -1;  ///< PromptField behind the literal, or -1
  };
  static std::vector<Piece> pieces_of(std::string_view part, const std::string& where, std::size_t line);
  static void delimit_passage(std::vector<Piece>& pieces);
  /// What the user part lacks for its kind of answer; empty if nothing.
  std::string_view missing_fields() const noexcept;

  std::string name_, digest_;
  AnswerKind answer_ = AnswerKind::kBinary;
  std::vector<Piece> system_, user_;
};

}  // namespace touchstone::llm_client::prompts
