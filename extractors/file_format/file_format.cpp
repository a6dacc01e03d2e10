#include "extractors/file_format/file_format.hpp"

#include "common/archive_signature.hpp"
#include "common/unicode.hpp"
#include "extractors/html/xml_tree.hpp"
#include "extractors/markup/dokuwiki.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace touchstone::extractors::file_format {
namespace {

using namespace std::string_view_literals;

constexpr auto kToHtml = "convert it to HTML, for example with LibreOffice: soffice --convert-to html"sv;
constexpr auto kEbook = "convert it to EPUB, for example with Calibre: ebook-convert"sv;
constexpr auto kUnpack = "take the files out of it and give their folder"sv;

constexpr Format kJsonLines = {"JSON lines", Reading::kJsonLines, ".jsonl .ndjson", ""};
constexpr Format kHtml = {"HTML", Reading::kHtml, ".html .htm .xhtml", ""};
constexpr Format kPdf = {"a PDF", Reading::kNotRead, ".pdf",
                         "convert it to HTML, for example with pdftohtml, or take an EPUB of the same book"};
constexpr Format kPostScript = {"PostScript", Reading::kNotRead, ".ps .eps", "convert it to HTML"};
constexpr Format kRtf = {"rich text (RTF)", Reading::kPandoc, ".rtf", "", "rtf"};
constexpr Format kOffice = {"a file of Microsoft Office before 2007", Reading::kNotRead, ".doc .ppt .xls", kToHtml};
constexpr Format kWord = {"a Word document", Reading::kPandoc, ".docx", "", "docx"};
constexpr Format kOpenText = {"an OpenDocument text", Reading::kPandoc, ".odt", "", "odt"};
constexpr Format kSlides = {"a presentation", Reading::kNotRead, ".pptx .odp", kToHtml};
constexpr Format kSheet = {"a spreadsheet", Reading::kNotRead, ".xlsx .ods", kToHtml};
constexpr Format kMobi = {"a Mobipocket or Kindle book", Reading::kNotRead, ".mobi .azw .azw3 .prc", kEbook};
constexpr Format kFictionBook = {"a FictionBook", Reading::kPandoc, ".fb2", "", "fb2"};
constexpr Format kDjvu = {"a DjVu file", Reading::kNotRead, ".djvu .djv", "take its text, for example with djvutxt"};
constexpr Format kChm = {"a help file (CHM)", Reading::kNotRead, ".chm", "unpack it, for example with extract_chmLib"};
constexpr Format kMarkdown = {"Markdown", Reading::kMarkdown, ".md .markdown .mdown .mkd .mdx", ""};
constexpr Format kDokuWiki = {"a page of DokuWiki", Reading::kDokuWiki, ".dokuwiki", ""};
constexpr Format kRst = {"reStructuredText", Reading::kPandoc, ".rst .rest", "", "rst"};
constexpr Format kOrg = {"an Org file", Reading::kPandoc, ".org", "", "org"};
constexpr Format kTypst = {"Typst", Reading::kPandoc, ".typ", "", "typst"};
constexpr Format kTextile = {"Textile", Reading::kPandoc, ".textile", "", "textile"};
constexpr Format kWikitext = {"wikitext", Reading::kPandoc, ".wiki .mediawiki", "", "mediawiki"};
constexpr Format kAsciidoc = {"AsciiDoc", Reading::kNotRead, ".adoc .asciidoc", "convert it with asciidoctor"};
constexpr Format kLatex = {"LaTeX", Reading::kPandoc, ".tex .latex", "", "latex"};
constexpr Format kNotebook = {"a Jupyter notebook", Reading::kPandoc, ".ipynb", "", "ipynb"};
constexpr Format kZim = {"a ZIM file", Reading::kZim, ".zim .zimaa", "name the file itself, not compressed"};
constexpr Format kTqa = {"lessons of TQA", Reading::kTqa, kLessonEnding, ""};
constexpr Format kJsonArray = {"a JSON array without lessons of TQA", Reading::kNotRead, "",
                               "write each page as a line of its own (docs/pages.md)"};
constexpr Format kEnterprise = {"a dump of Wikimedia Enterprise", Reading::kEnterprise, "", ""};
constexpr Format kDump = {"a MediaWiki dump", Reading::kNotRead, "", "give it with --dump"};
constexpr Format kModule = {"one module of CNXML", Reading::kNotRead, ".cnxml",
                            "give the folder or archive that holds the book's collection.xml"};
constexpr Format kXml = {"XML", Reading::kNotRead, "", "convert it to HTML"};
constexpr Format kDatabase = {"an SQLite database", Reading::kNotRead, ".sqlite", "write its texts as JSON lines"};
constexpr Format kRar = {"a RAR archive", Reading::kNotRead, ".rar", kUnpack};
constexpr Format kArchive = {"an archive", Reading::kNotRead, ".zip .tar .7z .cpio .deb .rpm .iso", kUnpack};
constexpr Format kCompressed = {"compressed twice", Reading::kNotRead, ".tgz .txz .tbz2", "unpack it once"};
constexpr Format kMedia = {"a picture, a sound or a video", Reading::kAside,
                           ".png .jpg .jpeg .gif .webp .svg .ico .bmp .tif .tiff .mp3 .mp4 .ogg .wav .webm .mov", ""};
constexpr Format kProgram = {"a program", Reading::kAside, ".exe .dll .so .js .mjs .css .scss .woff .woff2 .ttf", ""};

constexpr std::array kByName = {
    &kHtml,     &kJsonLines, &kPdf,         &kPostScript, &kRtf,   &kOffice,   &kWord,     &kOpenText, &kSlides,
    &kSheet,    &kMobi,      &kFictionBook, &kDjvu,       &kChm,   &kMarkdown, &kDokuWiki, &kRst,      &kOrg,
    &kTypst,    &kTextile,   &kWikitext,    &kAsciidoc,   &kLatex, &kNotebook, &kZim,      &kTqa,      &kModule,
    &kDatabase, &kRar,       &kArchive,     &kCompressed, &kMedia, &kProgram};

struct Signature {
  std::size_t at;
  std::string_view bytes;
  const Format* format;
};

/// Sources: the magic numbers of file(1); openzim.org/wiki/ZIM_file_format.
constexpr std::array kSignatures = {
    Signature{0, "%PDF-"sv, &kPdf},
    Signature{0, "%!PS"sv, &kPostScript},
    Signature{0, "{\\rtf"sv, &kRtf},
    Signature{0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, &kOffice},
    Signature{60, "BOOKMOBI"sv, &kMobi},
    Signature{60, "TEXtREAd"sv, &kMobi},
    Signature{0, "AT&TFORM"sv, &kDjvu},
    Signature{0, "ITSF"sv, &kChm},
    Signature{0, "ZIM\x04"sv, &kZim},
    Signature{0, "SQLite format 3\0"sv, &kDatabase},
    Signature{0, "Rar!\x1A\x07"sv, &kRar},
    Signature{0, "!<arch>\n"sv, &kArchive},
    Signature{0, "07070"sv, &kArchive},
    Signature{0, "\x1f\x8b"sv, &kCompressed},
    Signature{0, "BZh"sv, &kCompressed},
    Signature{0,
              "\xfd"
              "7zXZ\0"sv,
              &kCompressed},
    Signature{0, "\x28\xb5\x2f\xfd"sv, &kCompressed},
    Signature{0, "\x89PNG"sv, &kMedia},
    Signature{0, "\xFF\xD8\xFF"sv, &kMedia},
    Signature{0, "GIF8"sv, &kMedia},
    Signature{0, "OggS"sv, &kMedia},
    Signature{4, "ftyp"sv, &kMedia},
    Signature{0, "RIFF"sv, &kMedia},
    Signature{0,
              "\x7F"
              "ELF"sv,
              &kProgram},
    Signature{0, "MZ\x90"sv, &kProgram},
};

constexpr std::array kElements = {"html"sv,   "head"sv, "body"sv,  "title"sv, "meta"sv,    "link"sv,      "style"sv,
                                  "script"sv, "p"sv,    "div"sv,   "span"sv,  "article"sv, "main"sv,      "section"sv,
                                  "header"sv, "nav"sv,  "aside"sv, "h1"sv,    "h2"sv,      "h3"sv,        "h4"sv,
                                  "h5"sv,     "h6"sv,   "ul"sv,    "ol"sv,    "dl"sv,      "table"sv,     "pre"sv,
                                  "a"sv,      "b"sv,    "i"sv,     "em"sv,    "strong"sv,  "center"sv,    "font"sv,
                                  "img"sv,    "br"sv,   "hr"sv,    "base"sv,  "figure"sv,  "blockquote"sv};

bool has_ending(std::string_view lower, std::string_view endings) {
  while (!endings.empty()) {
    const auto blank = endings.find(' ');
    if (lower.ends_with(endings.substr(0, blank))) return true;
    endings = blank == std::string_view::npos ? std::string_view() : endings.substr(blank + 1);
  }
  return false;
}

/// Passes over white space, comments, processing instructions and declarations in front of the first element.
/// \param declared  set if one of them says that this is HTML
std::string_view without_prolog(std::string_view text, bool& declared) {
  for (;;) {
    const auto start = text.find_first_not_of(" \t\r\n\f");
    text = start == std::string_view::npos ? std::string_view() : text.substr(start);
    const auto close = text.starts_with("<!--")                           ? "-->"sv
                       : text.starts_with("<?") || text.starts_with("<!") ? ">"sv
                                                                          : ""sv;
    if (close.empty()) return text;
    if (text.starts_with("<!doctype html")) declared = true;
    const auto end = text.find(close, close.size() > 1 ? 4 : 2);
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + close.size());
  }
}

/// The format of text that begins with an element; nothing for other text.
const Format* format_of_markup(std::string_view lower) {
  bool declared = false;
  const auto text = without_prolog(lower, declared);
  if (declared || (text.empty() && lower.find("<!--") != std::string_view::npos)) return &kHtml;
  if (!text.starts_with('<')) return nullptr;
  const auto name = text.substr(1, text.find_first_of(" \t\r\n\f/>", 1) - 1);
  if (name == "mediawiki" || name == "page") return &kDump;
  if (name == "fictionbook") return &kFictionBook;
  if (name == "document" && text.find("cnx.rice.edu") != std::string_view::npos) return &kModule;
  if (std::find(kElements.begin(), kElements.end(), name) != kElements.end()) return &kHtml;
  return lower.starts_with("<?xml") ? &kXml : nullptr;
}

/// Whether text is an array of objects, or an empty one, and not a line in front of others.
bool is_array(std::string_view text) {
  if (!text.starts_with('[')) return false;
  const auto first = text.find_first_not_of(" \t\r\n", 1);
  if (first == std::string_view::npos) return true;
  return text[first] == '{' || (text[first] == ']' && text.find_first_not_of(" \t\r\n", first + 1) == text.npos);
}

/// The format of text with JSON in it; nothing for other text.
const Format* format_of_json(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) return nullptr;
  const auto has = [&](std::string_view name) { return text.find(name) != std::string_view::npos; };
  const bool tqa = has("\"adjunctTopics\"") || (has("\"globalID\"") && has("\"lessonName\""));
  if (tqa && (text[start] == '[' || text[start] == '{')) return &kTqa;
  if (is_array(text.substr(start))) return &kJsonArray;
  const bool enterprise = has("\"article_body\"") || (has("\"is_part_of\"") && has("\"date_modified\""));
  if (text[start] == '{' && enterprise) return &kEnterprise;
  // Lines that are no pages may be in front of those that are.
  return text[start] == '{' || has("\n{") ? &kJsonLines : nullptr;
}

bool has_dokuwiki_heading(std::string_view text) {
  while (!text.empty()) {
    const auto end = text.find('\n');
    if (markup::is_dokuwiki_heading(text.substr(0, end))) return true;
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return false;
}

/// The format of the first file of a tar archive that is one of JSON; nothing for other archives.
const Format* format_of_tar(std::string_view head) {
  // A header is a block; one or two more blocks may hold what does not fit into it.
  constexpr std::size_t kBlock = 512, kMostHeaders = 8;
  for (std::size_t at = kBlock; at <= kMostHeaders * kBlock && at < head.size(); at += kBlock) {
    if (head[at] == '{') return format_of_json(head.substr(at));
  }
  return nullptr;
}

std::string_view without_compression(std::string_view lower) {
  for (const auto ending : {".gz"sv, ".xz"sv, ".bz2"sv, ".zst"sv}) {
    if (lower.ends_with(ending)) lower.remove_suffix(ending.size());
  }
  return lower;
}

}  // namespace

const Format* format_of_name(std::string_view name) {
  const auto lower = lower_case(repair_utf8(name));
  for (const auto* format : kByName) {
    if (has_ending(without_compression(lower), format->endings)) return format;
  }
  return nullptr;
}

const Format* format_of(std::string_view name, std::string_view head) {
  for (const auto& signature : kSignatures) {
    if (head.size() > signature.at && head.substr(signature.at).starts_with(signature.bytes)) return signature.format;
  }
  if (archive_kind(head.substr(0, kArchiveHeadBytes)) == "tar") {
    const auto* inner = format_of_tar(head);
    return inner == &kEnterprise ? inner : &kArchive;
  }
  const auto text = html::as_utf8(head);
  const auto* json = format_of_json(text);
  if (json == &kTqa || json == &kEnterprise) return json;
  const auto* markup = format_of_markup(lower_case(text));
  if (markup == &kDump || markup == &kModule) return markup;
  if (const auto* named = format_of_name(name); named != nullptr && named->reading != Reading::kAside) return named;
  if (has_dokuwiki_heading(text)) return &kDokuWiki;
  return markup != nullptr ? markup : json;
}

const Format* format_of_archive(std::span<const std::string> entries) {
  const auto holds = [&](std::string_view name) { return std::binary_search(entries.begin(), entries.end(), name); };
  if (holds("META-INF/container.xml")) return nullptr;
  if (holds("word/document.xml")) return &kWord;
  if (holds("ppt/presentation.xml")) return &kSlides;
  if (holds("xl/workbook.xml")) return &kSheet;
  if (holds("content.xml") && holds("META-INF/manifest.xml")) return &kOpenText;
  return nullptr;
}

std::string refusal(std::string_view file, const Format& format) {
  if (format.reading == Reading::kPandoc) {
    return fmt::format("{}: is {}, which is read with pandoc, which is not installed; apt-get install pandoc", file,
                       format.name);
  }
  if (format.reading == Reading::kJsonLines) {
    return fmt::format(
        "{}: holds JSON lines, which are read only as files of their own; name each of them after --pages", file);
  }
  if (format.reading == Reading::kZim) {
    return fmt::format("{}: is {}, which is read only as a file of its own; {}", file, format.name, format.remedy);
  }
  return fmt::format("{}: is {}, which is not read; {}", file, format.name,
                     format.remedy.empty() ? kFormatsRead : format.remedy);
}

}  // namespace touchstone::extractors::file_format
