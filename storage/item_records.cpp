// Records of what sources beside the page dump say: items and classes of Wikidata, and SQL tables of the wiki.
#include "storage/record_coding.hpp"
#include "storage/records.hpp"

#include <utility>

namespace touchstone::storage {

using internal::Decoder;
using internal::Encoder;
namespace {

void put_texts(Encoder& out, const std::vector<std::string>& texts) {
  out.number(texts.size());
  for (const auto& text : texts) out.text(text);
}

std::vector<std::string> get_texts(Decoder& in) {
  std::vector<std::string> texts(in.count());
  for (auto& text : texts) text = in.text();
  return texts;
}

/// Ascending numbers of items, as gaps to the one before.
void put_items(Encoder& out, const std::vector<std::uint64_t>& items) {
  out.number(items.size());
  std::uint64_t last = 0;
  for (const auto item : items) out.number(item - std::exchange(last, item));
}

std::vector<std::uint64_t> get_items(Decoder& in) {
  std::vector<std::uint64_t> items(in.count());
  std::uint64_t last = 0;
  for (auto& item : items) item = last += in.number();
  return items;
}

}  // namespace

std::string encode(const EntityRecord& record) {
  Encoder out;
  out.number(record.item);
  if (!record.facts) return out.take();
  put_texts(out, record.facts->labels);
  put_texts(out, record.facts->aliases);
  put_items(out, record.facts->types);
  if (record.facts->statements.empty()) return out.take();
  out.number(record.facts->statements.size());
  for (const auto& statement : record.facts->statements) {
    out.number(statement.property);
    out.number(statement.item);
  }
  return out.take();
}

EntityRecord decode_entity(std::string_view bytes) {
  Decoder in(bytes, "entity");
  EntityRecord record;
  record.item = in.number();
  if (in.at_end()) return record;
  auto& facts = record.facts.emplace();
  facts.labels = get_texts(in);
  facts.aliases = get_texts(in);
  facts.types = get_items(in);
  if (in.at_end()) return record;
  facts.statements.resize(in.count());
  for (auto& statement : facts.statements) {
    statement.property = in.number32();
    statement.item = in.number();
  }
  return record;  // later versions may add fields
}

std::string encode(const ClassRecord& record) {
  Encoder out;
  out.text(record.label);
  put_items(out, record.superclasses);
  return out.take();
}

ClassRecord decode_class(std::string_view bytes) {
  Decoder in(bytes, "class");
  ClassRecord record;
  record.label = in.text();
  record.superclasses = get_items(in);
  return record;
}

std::string encode(const SqlPageRecord& record) {
  Encoder out;
  out.number(record.categories.size());
  for (const auto& category : record.categories) out.title(category);
  put_texts(out, record.names);
  return out.take();
}

SqlPageRecord decode_sql_page(std::string_view bytes) {
  Decoder in(bytes, "sql_page");
  SqlPageRecord record;
  record.categories.resize(in.count());
  for (auto& category : record.categories) category = in.title();
  record.names = get_texts(in);
  return record;
}

}  // namespace touchstone::storage
