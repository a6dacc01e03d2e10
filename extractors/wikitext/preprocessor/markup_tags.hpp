#pragma once

#include "extractors/wikitext/preprocessor/markers.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace touchstone::extractors::wikitext::preprocessor::internal {

/// Which inclusion tags hold: a page that is shown, or a template that is included.
enum class Inclusion : std::uint8_t { kPage, kTemplate };

/// What a '<' begins.
struct MarkupTag {
  enum class Kind : std::uint8_t {
    kText,       ///< not a tag of these kinds
    kNothing,    ///< an inclusion tag, with what it hides, or a tag that only marks a text
    kComment,    ///< a comment or several
    kExtension,  ///< a tag with its content
  };
  Kind kind = Kind::kText;
  std::size_t end = 0;            ///< behind it
  Extension extension;            ///< kExtension
  bool takes_line = false;        ///< kComment: alone on its line, with which it goes; `end` is behind the line end
  std::size_t blanks_before = 0;  ///< kComment that takes its line: blanks in front of it, which go too
};

/// Reads comments, inclusion tags and extension tags of one text, in ascending order. All calls together take linear
/// time: a search for a missing end is not repeated.
class MarkupTags {
 public:
  /// \param source  outlives this object and the extensions
  MarkupTags(std::string_view source, Inclusion inclusion) : source_(source), inclusion_(inclusion) {}

  /// \pre  source[at] is '<'
  MarkupTag read(std::size_t at);

 private:
  MarkupTag read_comment(std::size_t at) const;
  bool read_inclusion_tag(std::string_view name, std::size_t name_end, MarkupTag& tag);
  bool read_marking_tag(std::size_t at, std::string_view name, std::size_t name_end, MarkupTag& tag);
  bool read_variable_tag(std::string_view name, std::size_t name_end, MarkupTag& tag);
  void read_extension(std::size_t at, std::size_t name_end, const ExtensionName& name, MarkupTag& tag);
  std::size_t find_greater(std::size_t from);
  std::size_t find_close(std::string_view name, std::size_t from, std::size_t& close_end) const;

  std::string_view source_;
  Inclusion inclusion_;
  bool no_more_greater_ = false;
  std::size_t open_variables_ = 0;   ///< `<tvar|name>` without its `</>`
  std::uint32_t no_more_close_ = 0;  ///< one bit for each name of an extension
};

}  // namespace touchstone::extractors::wikitext::preprocessor::internal
