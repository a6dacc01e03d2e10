#include "pipeline/entities/page_annotations.hpp"

#include "collection/automatic/ordered_batches.hpp"
#include "common/error.hpp"
#include "common/file_text.hpp"
#include "common/json_writer.hpp"
#include "common/unicode.hpp"
#include "extractors/page_loader.hpp"
#include "pipeline/corpus/docids.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <oneapi/tbb/task_arena.h>

namespace touchstone::pipeline::entities {
namespace {

using linking::Annotation;
using linking::Dictionary;
using linking::Linker;
using linking::LinkerOptions;

constexpr std::size_t kPagesPerBatch = 64;

/// Files of this command include no other pages.
class NoPages final : public extractors::PageLoader {
 public:
  std::optional<std::string> load(const Title&) const override { return std::nullopt; }
};

PageTexts texts_of(const extractors::SourcePage& page, const std::string& name) {
  PageTexts texts;
  std::uint32_t ordinal = 0;
  for (const auto& block : page.document->blocks) {
    const auto number = ordinal++;
    if (is_invisible(block.content.text)) continue;
    texts.docids.push_back(corpus::make_docid(name, page.head.id, number));
    texts.texts.push_back(block.content.text);
  }
  return texts;
}

/// The lines of one page.
struct Lines {
  std::string text;
  AnnotationCounts counts;
};

/// All mentions of one entity in one text.
struct Mentions {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> spans;
  Annotation best;  ///< the one with the highest score, of those the first
};

void write_line(const Dictionary& dictionary, const std::string& docid, const Mentions& mentions, std::string& out) {
  const auto number = [](double value) { return fmt::format("{:.4f}", value); };
  const auto& best = mentions.best;
  JsonWriter json({.escapes = JsonEscapes::kLineBreaks});
  json.begin_object().field("docid", docid).field("title", dictionary.title(best.entity));
  if (const auto qid = dictionary.qid(best.entity); qid != 0) json.field("qid", "Q" + std::to_string(qid));
  json.field("spans", mentions.spans);
  json.key("probability").raw(number(best.link_probability)).key("commonness").raw(number(best.commonness));
  json.key("coherence").raw(number(best.coherence)).key("score").raw(number(best.score));
  out += json.end_object().take_line();
}

Lines lines_of(const PageTexts& page, const Dictionary& dictionary, const LinkerOptions& options) {
  Lines lines;
  lines.counts.pages = 1;
  lines.counts.texts = page.texts.size();
  for (const auto& text : page.texts) lines.counts.bytes += text.size();
  const auto annotations = Linker(dictionary, options).link(page.texts);
  for (auto at = annotations.begin(); at != annotations.end();) {
    const auto text = at->text;
    std::vector<Mentions> found;  // by first mention
    std::map<std::uint32_t, std::size_t> number_of;
    for (; at != annotations.end() && at->text == text; ++at) {
      const auto [known, is_new] = number_of.try_emplace(at->entity, found.size());
      if (is_new) found.push_back({{}, *at});
      auto& mentions = found[known->second];
      mentions.spans.emplace_back(at->begin, at->end);
      if (at->score > mentions.best.score) mentions.best = *at;
      ++lines.counts.spans;
    }
    lines.counts.entities += found.size();
    for (const auto& mentions : found) write_line(dictionary, page.docids[text], mentions, lines.text);
  }
  return lines;
}

}  // namespace

PageTextsSource texts_of_files(const corpus::PageFiles& files, std::string name) {
  return [&files, name = std::move(name)](const std::function<void(PageTexts)>& take) {
    const NoPages none;
    PageId last;
    for (std::size_t i = 0; i < files.count(); ++i) {
      const auto source = files.open(i, last, none);
      (void)source->site_info();
      while (auto batch = source->next()) {
        auto read = source->read(std::move(*batch));
        if (!read.remarks.empty()) {
          const auto& remark = read.remarks.front();
          throw FormatError(source->name() + ", " + remark.where + ": cannot be read as a page; " +
                            std::string(files.remedy()));
        }
        for (const auto& page : read.pages) {
          last = std::max(last, page.head.id);
          if (!page.document || page.head.is_redirect || page.head.title.ns != kNamespaceMain) continue;
          if (auto texts = texts_of(page, name); !texts.texts.empty()) take(std::move(texts));
        }
      }
    }
  };
}

PageTextsSource texts_of_plain_file(std::filesystem::path file, std::string name) {
  return [file = std::move(file), name = std::move(name)](const std::function<void(PageTexts)>& take) {
    const FileText bytes(file);
    std::string_view rest = bytes.view();
    PageTexts page;
    std::string paragraph;
    const auto end_paragraph = [&] {
      if (!is_invisible(paragraph)) {
        page.docids.push_back(corpus::make_docid(name, PageId{1}, static_cast<std::uint32_t>(page.texts.size())));
        page.texts.push_back(repair_utf8(paragraph));
      }
      paragraph.clear();
    };
    while (!rest.empty()) {
      auto line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (is_white_space(line)) {
        end_paragraph();
      } else {
        if (!paragraph.empty()) paragraph += ' ';
        paragraph += line;
      }
    }
    end_paragraph();
    if (!page.texts.empty()) take(std::move(page));
  };
}

PageTextsSource texts_of_store(const LinkedPages& pages, const passages::PassageComposer& composer, std::string wiki) {
  return [&, wiki = std::move(wiki)](const std::function<void(PageTexts)>& take) {
    for (const auto page : pages.articles()) {
      PageTexts texts;
      for (auto& passage : composer.passages(page)) {
        texts.docids.push_back(corpus::make_docid(wiki, page, passage.ordinal));
        texts.texts.push_back(std::move(passage.text));
      }
      if (!texts.texts.empty()) take(std::move(texts));
    }
  };
}

AnnotationCounts annotate(const PageTextsSource& source, const Dictionary& dictionary, const LinkerOptions& options,
                          int threads, const StopFlag& stop, const std::function<void(std::string_view line)>& write) {
  AnnotationCounts sum;
  tbb::task_arena arena(threads);
  arena.execute([&] {
    collection::automatic::OrderedBatches<PageTexts, Lines> batches(
        kPagesPerBatch, [&](PageTexts& page) { return lines_of(page, dictionary, options); },
        [&](const Lines& lines) {
          write(lines.text);
          sum.pages += lines.counts.pages;
          sum.texts += lines.counts.texts;
          sum.bytes += lines.counts.bytes;
          sum.spans += lines.counts.spans;
          sum.entities += lines.counts.entities;
        });
    source([&](PageTexts page) {
      stop.check();
      batches.add(std::move(page));
    });
    batches.finish();
  });
  return sum;
}

}  // namespace touchstone::pipeline::entities
