#pragma once

#include "common/result.hpp"
#include "formats/car/reader.hpp"
#include "formats/car/records.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>

/// Pages, outlines and paragraphs as JSON lines. Failures are ends of sentences that start with file and line.
namespace touchstone::formats::car {

/// The page as one line with its line end. Lists of the metadata that are empty are written too; an unknown QID or site
/// is null.
std::string page_json_line(const Page& page);

/// {"para_id", "para_body"} as one line with its line end.
std::string paragraph_json_line(const Paragraph& paragraph);
/// The same without a line end, of a paragraph with another id.
std::string paragraph_json(std::string_view id, std::span<const ParagraphBody> bodies);

/// Reads lines whoever wrote them: metadata may lack fields, and fields that CAR does not know are ignored. Keeps its
/// buffers between lines. Not thread-safe.
class JsonLineReader {
 public:
  JsonLineReader();
  ~JsonLineReader();
  JsonLineReader(JsonLineReader&&) noexcept;
  JsonLineReader& operator=(JsonLineReader&&) noexcept;

  /// A page or a paragraph, told by its fields.
  Result<Record, std::string> record(std::string_view line);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace touchstone::formats::car
