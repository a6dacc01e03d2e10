#include "formats/labeling/label_files.hpp"

#include "common/error.hpp"
#include "common/file_text.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/labeling/foreign_answers.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include <fmt/format.h>

namespace touchstone::formats::labeling {
namespace {

constexpr std::size_t kMaxFirstLineBytes = std::size_t{1} << 28;

bool names_column(std::string_view header, std::initializer_list<std::string_view> names) {
  const char separator = header.find('\t') != std::string_view::npos ? '\t' : ',';
  const auto columns = fields::split_at(header, separator, 10'000);
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return std::find(columns.begin(), columns.end(), name) != columns.end();
  });
}

std::optional<LabelFormat> format_of_object(std::string_view line) {
  simdjson::dom::parser parser;
  simdjson::dom::object object;
  // A user_state.json that is printed over several lines ends inside its first line.
  if (parser.parse(line.data(), line.size()).get(object) != simdjson::SUCCESS) return std::nullopt;
  const auto has = [&](std::string_view name) { return object[name].error() == simdjson::SUCCESS; };
  if (has("instance_id_to_label_to_value") || has("label_annotations") || (has("user_id") && has("labels")))
    return LabelFormat::kPotato;
  if (has("annotations") && has("data")) return LabelFormat::kLabelStudio;
  if (has("cats") || has("entities") || has("label")) return LabelFormat::kDoccano;
  if (has("annotator") && has("topic") && has("docid")) return LabelFormat::kTouchstone;
  return std::nullopt;
}

/// A list of JSON: of Label Studio, unless its first object has the labels of doccano and no annotator.
LabelFormat format_of_list(const std::filesystem::path& file) {
  const FileText text(file, std::uint64_t{1} << 31);
  simdjson::dom::parser parser;
  simdjson::dom::array list;
  simdjson::dom::object first;
  if (parser.parse(text.view().data(), text.view().size()).get(list) != simdjson::SUCCESS ||
      list.at(0).get(first) != simdjson::SUCCESS)
    return LabelFormat::kLabelStudio;
  const auto has = [&](std::string_view name) { return first[name].error() == simdjson::SUCCESS; };
  const bool labels = has("label") || has("cats") || has("entities");
  return labels && !has("annotations") && !has("annotation_id") && !has("lead_time") ? LabelFormat::kDoccano
                                                                                     : LabelFormat::kLabelStudio;
}

void check_spans(const std::filesystem::path& file, const Annotation& answer, const Texts* texts) {
  if (texts == nullptr || answer.spans.empty() || !texts->contains(answer.docid)) return;
  try {
    internal::text_for(answer, *texts);
  } catch (const FormatError& error) {
    throw FormatError(file.string() + ": " + error.what());
  }
}

}  // namespace

LabelFormat format_of(const std::filesystem::path& file) {
  std::optional<LabelFormat> format;
  bool several_lines = false;
  for_each_line(
      file,
      [&](std::string_view line, std::uint64_t) {
        const auto begin = line.find_first_not_of(" \t");
        if (begin == std::string_view::npos) return true;
        if (line[begin] == '[') {
          format = format_of_list(file);
        } else if (line[begin] == '{') {
          format = format_of_object(line);
          several_lines = !format;
        } else if (names_column(line, {"relevanceLevel"})) {
          format = LabelFormat::kFira;
        } else if (names_column(line, {"instance_id"})) {
          format = LabelFormat::kPotato;
        } else if (names_column(line, {"label"})) {
          format = LabelFormat::kDoccano;
        }
        return false;
      },
      kMaxFirstLineBytes);
  if (several_lines && read_file(file).find("\"instance_id_to_label_to_value\"") != std::string::npos)
    format = LabelFormat::kPotato;
  if (!format)
    throw FormatError(file.string() +
                      ": the first line does not tell the format; name it with --format-in, or give annotations.jsonl, "
                      "FiRA's TSV, or an export of doccano, Label Studio or potato");
  return *format;
}

LabelFile read_labels(const std::filesystem::path& file, LabelFormat format, const LabelRules& rules) {
  LabelFile read;
  switch (format) {
    case LabelFormat::kTouchstone:
      for_each_annotation(file, [&](Annotation answer) {
        check_spans(file, answer, rules.texts);
        read.answers.push_back(std::move(answer));
      });
      break;
    case LabelFormat::kFira:
      internal::read_fira(file, rules, read);
      break;
    case LabelFormat::kDoccano:
      internal::read_doccano(file, rules, read);
      break;
    case LabelFormat::kLabelStudio:
      internal::read_label_studio(file, rules, read);
      break;
    case LabelFormat::kPotato:
      internal::read_potato(file, rules, read);
      break;
  }
  return read;
}

std::map<std::string, std::uint64_t> write_labels(const std::filesystem::path& file, LabelFormat format,
                                                  std::span<const Annotation> answers, const Texts& texts,
                                                  const Texts& queries) {
  std::map<std::string, std::uint64_t> notes;
  std::string text;
  switch (format) {
    case LabelFormat::kTouchstone:
      for (const auto& answer : answers) text += annotation_line(answer) + "\n";
      break;
    case LabelFormat::kFira:
      text = internal::fira_text(answers, texts, notes);
      break;
    case LabelFormat::kDoccano:
      text = internal::doccano_text(answers, texts, queries);
      break;
    case LabelFormat::kLabelStudio:
      text = internal::label_studio_text(answers, texts, queries);
      break;
    case LabelFormat::kPotato:
      text = internal::potato_text(answers, texts, queries);
      break;
  }
  TextWriter writer(file, InTheWay::kRefuse);
  writer.write(text);
  writer.finish();
  return notes;
}

}  // namespace touchstone::formats::labeling
