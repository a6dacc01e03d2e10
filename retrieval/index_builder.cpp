#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"
#include "formats/fields/quote.hpp"
#include "retrieval/index.hpp"
#include "retrieval/tokenizer.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <unordered_set>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <xapian.h>

namespace touchstone::retrieval::internal {
namespace {

constexpr std::size_t kDocumentsPerBatch = 4096;
constexpr std::size_t kBytesPerBatch = std::size_t{16} << 20;
constexpr std::size_t kWordsOfLead = 12;
constexpr std::size_t kMaxDocidBytes = 512;
/// How many documents Xapian gathers in memory before it writes them. More make it slower: its tables of terms no
/// longer fit into the caches of the processor.
constexpr const char* kDocumentsPerFlush = "4000";

void add_terms(Xapian::Document& document, const std::vector<TermCount>& terms) {
  for (const auto& [term, count] : terms) document.add_term(term, count);
}

/// A document as it goes into the index of each field.
struct IndexedDocument {
  std::array<Xapian::Document, kFields.size()> fields;
  std::array<bool, kFields.size()> has_terms{};

  void set(Field field, const std::vector<TermCount>& terms) {
    add_terms(fields[static_cast<std::size_t>(field)], terms);
    has_terms[static_cast<std::size_t>(field)] = !terms.empty();
  }
};

IndexedDocument indexed(const Document& document, Tokenizer& tokenizer, const FieldSet& fields, const TermSet* wanted) {
  IndexedDocument made;
  const auto wants = [&](Field field) { return fields.test(static_cast<std::size_t>(field)); };
  if (wants(Field::kTitle)) {
    tokenizer.add(document.title);
    made.set(Field::kTitle, tokenizer.take_stems(false, wanted));
  }
  if (wants(Field::kLead)) {
    if (document.lead.empty()) {
      tokenizer.add(document.text, kWordsOfLead);
    } else {
      tokenizer.add(document.lead);
    }
    made.set(Field::kLead, tokenizer.take_stems(false, wanted));
  }
  if (wants(Field::kAnchors)) {
    tokenizer.add(document.anchors);
    made.set(Field::kAnchors, tokenizer.take_stems(false, wanted));
  }
  if (!wants(Field::kText) && !wants(Field::kAll)) return made;
  tokenizer.add(document.text);
  if (wants(Field::kText)) made.set(Field::kText, tokenizer.take_words(wants(Field::kAll), wanted));
  if (!wants(Field::kAll)) return made;
  tokenizer.add(document.title);
  made.set(Field::kAll, tokenizer.take_stems(false, wanted));
  return made;
}

class Builder {
 public:
  Builder(const std::filesystem::path& folder, const CollectionSource& source, const IndexOptions& options)
      : folder_(folder),
        corpus_(source.corpus_file()),
        docids_(folder),
        texts_(folder),
        tokenizers_([stemmer = options.stemmer] { return Tokenizer(stemmer); }),
        fields_(options.fields),
        words_(options.words),
        has_graph_(options.has_graph),
        corpus_has_sources_(options.links.empty()) {
    for (const auto& info : kFields) {
      if (!fields_.test(static_cast<std::size_t>(info.field))) continue;
      const int flags = Xapian::DB_CREATE | Xapian::DB_BACKEND_GLASS | Xapian::DB_NO_SYNC | Xapian::DB_DANGEROUS |
                        Xapian::DB_NO_TERMLIST;
      databases_[static_cast<std::size_t>(info.field)] = Xapian::WritableDatabase((folder / info.name).string(), flags);
    }
  }

  void take(Document&& document) {
    check(document);
    docids_.add(document.id);
    if (words_ == nullptr) texts_.add(document.text, document.title);  // feedback needs all words
    if (has_graph_) note_links(document);
    batch_bytes_ += document.text.size() + document.anchors.size();
    batch_.push_back(std::move(document));
    if (batch_.size() == kDocumentsPerBatch || batch_bytes_ >= kBytesPerBatch) index_batch();
  }

  /// \param hidden  pages whose links no system may see
  void finish(const std::filesystem::path& links, const std::unordered_set<std::string>& hidden) {
    if (docids_.size() == 0)
      throw FormatError(
          corpus_.string() +
          " has no passage, so there is nothing to retrieve; build the collection again, or name another one");
    index_batch();
    if (const auto twice = docids_.finish())
      fail("has the docid " + formats::fields::quote_for_message(twice->docid) + " a second time, as document " +
           std::to_string(twice->number + 1) + "; give each document its own docid");
    texts_.finish();
    if (has_graph_) finish_graph(links, hidden);
    tbb::parallel_for(std::size_t{0}, kFields.size(), [&](std::size_t field) {
      if (!fields_.test(field)) return;
      databases_[field].set_metadata("has-terms", has_terms_[field] ? "1" : "");
      databases_[field].commit();
      databases_[field].close();
    });
  }

 private:
  [[noreturn]] void fail(const std::string& what) const { throw FormatError(corpus_.string() + " " + what); }

  void check(const Document& document) const {
    if (document.id.empty() || document.id.size() > kMaxDocidBytes ||
        std::any_of(document.id.begin(), document.id.end(),
                    [](char c) { return c == '\n' || c == '\0' || formats::fields::is_field_blank(c); }))
      fail("has the docid " + formats::fields::quote_for_message(document.id) +
           ", which no run can hold because it is empty, too long or holds white space; give document " +
           std::to_string(docids_.size() + 1) + " another one");
  }

  void note_links(const Document& document) {
    std::vector<std::uint32_t> targets;
    for (const auto& link : document.links) targets.push_back(graph_.page(link));
    if (corpus_has_sources_ && !targets.empty()) graph_.add_source(targets);
    if (!document.page.empty()) {
      const auto page = graph_.page(document.page);
      targets.push_back(page);
      if (corpus_has_sources_) {
        for (const auto& source : document.inlinks) inlink_sources_[graph_.page(source)].push_back(page);
      }
    }
    graph_.add_document(std::move(targets));
  }

  void finish_graph(const std::filesystem::path& links, const std::unordered_set<std::string>& hidden) {
    if (!links.empty()) read_links(links, hidden);
    for (const auto& [source, targets] : inlink_sources_) graph_.add_source(targets);
    graph_.finish();
    graph_.save(folder_);
  }

  void read_links(const std::filesystem::path& path, const std::unordered_set<std::string>& hidden) {
    std::map<std::string, std::vector<std::uint32_t>, std::less<>> sources;
    for_each_line(path, [&](std::string_view line, std::uint64_t number) {
      if (line.empty()) return true;
      const auto columns = formats::fields::split_at_tabs(line, 3);
      if (columns.size() != 2)
        throw FormatError(path.string() + " line " + std::to_string(number) +
                          " does not have two columns, from and to; make the file with `touchstone links`");
      const auto target = graph_.find(columns[1]);
      std::string source(columns[0]);
      if (target != LinkGraph::kNone && !hidden.contains(source)) sources[std::move(source)].push_back(target);
      return true;
    });
    for (auto& [source, targets] : sources) graph_.add_source(std::move(targets));
  }

  void index_batch() {
    std::vector<IndexedDocument> made(batch_.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, batch_.size(), 64), [&](const auto& range) {
      auto& tokenizer = tokenizers_.local();
      for (auto i = range.begin(); i != range.end(); ++i) made[i] = indexed(batch_[i], tokenizer, fields_, words_);
    });
    tbb::parallel_for(std::size_t{0}, kFields.size(), [&](std::size_t field) {
      if (!fields_.test(field)) return;
      for (auto& document : made) {
        databases_[field].add_document(document.fields[field]);
        document.fields[field] = Xapian::Document();
        if (document.has_terms[field]) has_terms_[field] = true;
      }
    });
    batch_.clear();
    batch_bytes_ = 0;
  }

  std::filesystem::path folder_, corpus_;
  DocidStoreWriter docids_;
  TextStoreWriter texts_;
  tbb::enumerable_thread_specific<Tokenizer> tokenizers_;
  FieldSet fields_;
  const TermSet* words_;
  bool has_graph_, corpus_has_sources_;
  std::array<Xapian::WritableDatabase, kFields.size()> databases_;
  std::array<bool, kFields.size()> has_terms_{};
  LinkGraph graph_;
  std::map<std::uint32_t, std::vector<std::uint32_t>> inlink_sources_;
  std::vector<Document> batch_;
  std::size_t batch_bytes_ = 0;
};

}  // namespace

void build_index(const std::filesystem::path& folder, CollectionSource& source, const IndexOptions& options) {
  ::setenv("XAPIAN_FLUSH_THRESHOLD", kDocumentsPerFlush, 0);
  try {
    Builder builder(folder, source, options);
    source.for_each_document([&](Document&& document) {
      if (options.stop != nullptr) options.stop->check();
      builder.take(std::move(document));
    });
    builder.finish(options.links, source.list_pages());
  } catch (const Xapian::Error& error) {
    throw StorageError("the index in " + folder.string() + " cannot be written (" + error.get_description() +
                       "); make room on the disk or name another folder with --work");
  }
}

}  // namespace touchstone::retrieval::internal
