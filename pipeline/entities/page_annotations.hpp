#pragma once

#include "common/stop.hpp"
#include "linking/linker.hpp"
#include "pipeline/corpus/page_files.hpp"
#include "pipeline/entities/linked_pages.hpp"
#include "pipeline/passages/passage_composer.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace touchstone::pipeline::entities {

/// The texts of a page under their docids.
struct PageTexts {
  std::vector<std::string> docids, texts;  ///< one for the other
};

/// Calls `take` with the pages of a source, one by one.
using PageTextsSource = std::function<void(const std::function<void(PageTexts)>& take)>;

/// Pages of JSON lines or of any other kind of file that ingest reads: docids are `<name>-<page number>-<number of the
/// paragraph>`. Pages without text are left out. Throws FormatError as the source does.
PageTextsSource texts_of_files(const corpus::PageFiles& files, std::string name);

/// A plain text as one page, whose paragraphs are parted by blank lines: docids are `<name>-1-<number>`. Throws
/// StorageError and FormatError.
PageTextsSource texts_of_plain_file(std::filesystem::path file, std::string name);

/// The passages of a store.
/// \param wiki  name in docids
PageTextsSource texts_of_store(const LinkedPages& pages, const passages::PassageComposer& composer, std::string wiki);

struct AnnotationCounts {
  std::uint64_t pages = 0, texts = 0, bytes = 0, spans = 0, entities = 0;
};

/// Writes the entities of pages as JSON lines, one for each text and entity (docs/entity-linking.md), in the order of
/// the texts and of the first spans. The bytes do not depend on the number of threads.
AnnotationCounts annotate(const PageTextsSource& source, const linking::Dictionary& dictionary,
                          const linking::LinkerOptions& options, int threads, const StopFlag& stop,
                          const std::function<void(std::string_view line)>& write);

}  // namespace touchstone::pipeline::entities
