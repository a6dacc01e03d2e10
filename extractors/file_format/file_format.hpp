#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Tells what a file is from its content and its name. It is the one place that knows the signs of formats.
namespace touchstone::extractors::file_format {

/// What the program does with a file of a format.
enum class Reading : std::uint8_t {
  kJsonLines,
  kEnterprise,  ///< JSON lines of Wikimedia Enterprise, or a tar archive of them
  kHtml,
  kMarkdown,
  kDokuWiki,
  kTqa,
  kZim,
  kPandoc,   ///< read with the program pandoc where it is installed
  kNotRead,  ///< a document or dump that the program names, and does not read
  kAside,    ///< what lies beside pages, such as pictures and styles; nothing is said of it
};

/// A row of the table of formats.
struct Format {
  std::string_view name;  ///< with its article: "a PDF"
  Reading reading;
  std::string_view endings;      ///< of file names in lower case, separated by blanks: ".htm .html"
  std::string_view remedy;       ///< of kNotRead: what a user can do, as an imperative
  std::string_view pandoc = {};  ///< of kPandoc: what the program calls the format
};

/// Ends the name of a lesson of TQA that was taken out of a file with many.
inline constexpr std::string_view kLessonEnding = ".tqa-lesson";

/// Bytes at the beginning of a file that tell what it is; fewer tell less.
inline constexpr std::size_t kHeadBytes = std::size_t{64} << 10;

/// The format of a file that is given by itself. The signature of the content decides, then the ending of the name,
/// then what the text looks like. Nothing for text that has no known sign. Pure.
/// \param name  of the file; an ending such as ".gz" is passed over
/// \param head  the first kHeadBytes of the file, unpacked, or all there are
const Format* format_of(std::string_view name, std::string_view head);

/// The format of a file in a folder or an archive, by the ending of its name. Nothing if it is not known. Pure.
const Format* format_of_name(std::string_view name);

/// The format of an archive whose entries make it one document, such as a Word document. Nothing for any other archive.
/// \param entries  names, ascending
const Format* format_of_archive(std::span<const std::string> entries);

/// Why a file is not read and what to do: "b.pdf: is a PDF, which is not read; convert it to HTML ...", or that it
/// needs pandoc.
std::string refusal(std::string_view file, const Format& format);

/// What `--pages` reads, for messages.
inline constexpr std::string_view kFormatsRead =
    "--pages reads EPUB, OpenStax collections, HTML, Markdown, DokuWiki pages, TQA, ZIM files, dumps of Wikimedia "
    "Enterprise and JSON lines, and other formats with pandoc (docs/textbooks.md)";

}  // namespace touchstone::extractors::file_format
