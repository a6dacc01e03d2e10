#pragma once

#include "formats/labeling/annotation.hpp"
#include "formats/labeling/grade_names.hpp"
#include "formats/labeling/span_units.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

/// Answers of people in the files of Touchstone, FiRA, doccano, Label Studio and potato, to and from one record.
/// docs/people.md has the forms, and says which of them were checked against the tools' sources.
namespace touchstone {
namespace formats::labeling {

enum class LabelFormat : std::uint8_t {
  kTouchstone,   ///< annotations.jsonl (annotation.hpp)
  kFira,         ///< raw judgments as TSV (formats/fira/judgments.hpp)
  kDoccano,      ///< JSON lines of one annotator: classification, sequence labeling, or both
  kLabelStudio,  ///< JSON or JSON-MIN
  kPotato        ///< annotated_instances.jsonl, user_state.json, or an export as JSON lines, TSV or CSV
};

/// Texts of passages by docid.
using Texts = std::unordered_map<std::string, std::string>;

/// What is needed to understand a foreign file.
struct LabelRules {
  GradeNames names;
  std::optional<OffsetUnit> offsets;  ///< nothing: what the tool counts in
  const Texts* texts = nullptr;       ///< known texts of passages; those in the export must be the same
};

/// What a file holds.
struct LabelFile {
  std::vector<Annotation> answers;  ///< in the order of the file
  Texts texts;                      ///< that the file carries
  Texts queries;                    ///< by topic, that the file carries
  /// What was not taken as an answer, or taken with a doubt: ends of the sentence "N ...", with N.
  std::map<std::string, std::uint64_t> notes;
};

/// The format of a file, by its contents. Throws FormatError if it cannot be told, StorageError if the file cannot be
/// read.
LabelFormat format_of(const std::filesystem::path& file);

/// Reads a file of labels, plain or .gz. All is in memory at once. Throws StorageError if the file cannot be read, and
/// FormatError with the file, the line or record and the remedy for a record that is cut off or damaged, a label that
/// is not known, a span outside its text, and a record that does not say topic, passage or annotator. Thread-safe.
LabelFile read_labels(const std::filesystem::path& file, LabelFormat format, const LabelRules& rules);

/// Writes answers so that read_labels() gives them again, as far as the format can hold them: FiRA has neither
/// members, selections without grades, skipped answers, reasons nor parts of seconds. The other formats have a field
/// `touchstone` for what their tool does not know. Spans need the texts of their passages. Returns what was left out,
/// as LabelFile::notes. Throws StorageError, and FormatError for a text that is missing or an answer that the format
/// cannot hold.
std::map<std::string, std::uint64_t> write_labels(const std::filesystem::path& file, LabelFormat format,
                                                  std::span<const Annotation> answers, const Texts& texts,
                                                  const Texts& queries);

}  // namespace formats::labeling

template <>
struct Choices<formats::labeling::LabelFormat> {
  using Format = formats::labeling::LabelFormat;
  static constexpr Choice<Format> table[] = {{"touchstone", Format::kTouchstone},
                                             {"fira", Format::kFira},
                                             {"doccano", Format::kDoccano},
                                             {"label-studio", Format::kLabelStudio},
                                             {"potato", Format::kPotato}};
};

}  // namespace touchstone
