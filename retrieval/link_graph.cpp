#include "retrieval/link_graph.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "formats/fields/columns.hpp"
#include "formats/fields/one_line.hpp"

#include <algorithm>

namespace touchstone::retrieval {
namespace {

constexpr std::string_view kPages = "pages.txt", kDocuments = "document-pages.txt", kSources = "sources.txt";

std::vector<std::uint32_t> distinct(std::vector<std::uint32_t> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

void save_lists(const std::filesystem::path& path, const NumberLists& lists) {
  TextWriter file(path);
  std::string line;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    line.clear();
    for (const auto number : lists[i]) line.append(line.empty() ? "" : " ").append(std::to_string(number));
    file.write(line += '\n');
  }
  file.finish();
}

NumberLists load_lists(const std::filesystem::path& path, std::size_t limit) {
  NumberLists lists;
  for_each_line(path, [&](std::string_view line, std::uint64_t number) {
    std::vector<std::uint32_t> numbers;
    for (auto field = formats::fields::next_field(line); !field.empty(); field = formats::fields::next_field(line)) {
      std::uint32_t value = 0;
      if (!formats::fields::parse_integer(field, std::uint32_t{0}, static_cast<std::uint32_t>(limit - 1), value) ||
          limit == 0)
        throw StorageError(path.string() + " line " + std::to_string(number) +
                           " is damaged; delete the folder of this index, and the next run builds it again");
      numbers.push_back(value);
    }
    lists.add(numbers);
    return true;
  });
  return lists;
}

}  // namespace

NumberLists NumberLists::inverse(std::size_t count) const {
  NumberLists inverted;
  inverted.ends_.assign(count, 0);
  for (const auto number : numbers_) ++inverted.ends_[number];
  std::size_t sum = 0;
  std::vector<std::size_t> next(count);
  for (std::size_t i = 0; i < count; ++i) {
    next[i] = sum;
    sum += inverted.ends_[i];
    inverted.ends_[i] = sum;
  }
  inverted.numbers_.resize(sum);
  for (std::size_t list = 0; list < size(); ++list) {
    for (const auto number : (*this)[list]) inverted.numbers_[next[number]++] = static_cast<std::uint32_t>(list);
  }
  return inverted;
}

std::uint32_t LinkGraph::page(std::string_view name) {
  const auto [found, is_new] =
      numbers_.try_emplace(formats::fields::one_line(name), static_cast<std::uint32_t>(names_.size()));
  if (is_new) names_.push_back(found->first);
  return found->second;
}

std::uint32_t LinkGraph::find(std::string_view name) const {
  const auto found = numbers_.find(formats::fields::one_line(name));
  return found == numbers_.end() ? kNone : found->second;
}

void LinkGraph::add_document(std::vector<std::uint32_t> pages) {
  documents_.add(distinct(std::move(pages)));
}

void LinkGraph::add_source(std::vector<std::uint32_t> pages) {
  sources_.add(distinct(std::move(pages)));
}

void LinkGraph::finish() {
  page_documents_ = documents_.inverse(names_.size());
  page_sources_ = sources_.inverse(names_.size());
}

void LinkGraph::save(const std::filesystem::path& folder) const {
  TextWriter pages(folder / kPages);
  for (const auto& name : names_) pages.write(name + "\n");
  pages.finish();
  save_lists(folder / kDocuments, documents_);
  save_lists(folder / kSources, sources_);
}

LinkGraph LinkGraph::load(const std::filesystem::path& folder) {
  LinkGraph graph;
  for_each_line(folder / kPages, [&](std::string_view line, std::uint64_t) {
    graph.page(line);
    return true;
  });
  graph.documents_ = load_lists(folder / kDocuments, graph.names_.size());
  graph.sources_ = load_lists(folder / kSources, graph.names_.size());
  graph.finish();
  return graph;
}

}  // namespace touchstone::retrieval
