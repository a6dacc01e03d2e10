#include "storage/records.hpp"

#include "common/error.hpp"
#include "storage/keys.hpp"
#include "storage/reading_record.hpp"

#include <random>

#include <gtest/gtest.h>

namespace touchstone::storage {
namespace {

/// Deterministic 32-bit numbers.
class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint32_t operator()() { return static_cast<std::uint32_t>(engine_()); }

 private:
  std::mt19937 engine_;
};

std::string random_text(Random& random) {
  std::string text(random() % 20, ' ');
  for (auto& c : text) c = static_cast<char>(random() & 255);
  return text;
}

std::vector<TextLink> random_links(Random& random) {
  std::vector<TextLink> links(random() % 4);
  std::uint32_t at = 0;
  for (auto& link : links) {
    link.begin = at += random() % 100;
    link.end = link.begin + random() % 30;
    link.target = random() % 5;
    link.from_template = (random() & 1) != 0;
  }
  return links;
}

// Property: what was encoded decodes to the same record, whatever it holds. The seed is fixed and printed on failure.
TEST(Records, EncodeThenDecodeGivesTheSameRecord) {
  for (unsigned seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    PageRecord page;
    page.title = {static_cast<std::int32_t>(random() % 40) - 2, random_text(random)};
    page.is_redirect = (random() & 1) != 0;
    if (page.is_redirect) {
      page.redirect = {static_cast<std::int32_t>(random() % 20), random_text(random)};
      page.redirect_fragment = random_text(random);
    }
    page.revision.value = (std::uint64_t{random()} << 32) | random();
    page.timestamp = random_text(random);
    page.content = static_cast<PageContent>(random() % 3);
    page.model = random_text(random);
    page.text_bytes = random();
    page.is_disambiguation = (random() & 1) != 0;
    for (auto& byte : page.content_digest) byte = static_cast<std::uint8_t>(random());
    EXPECT_EQ(decode_page(encode(page)), page);

    OutlineRecord outline;
    std::uint32_t ordinal = 0;
    for (std::uint32_t i = 0; i < 1 + random() % 5; ++i) {
      const auto count = random() % 10;
      outline.sections.push_back(
          {static_cast<std::uint8_t>(random() % 7), random() % (i + 1), random_text(random), ordinal, count});
      ordinal += count;
    }
    outline.table_count = random() % 9;
    EXPECT_EQ(decode_outline(encode(outline)), outline);

    SectionTextRecord section;
    for (unsigned i = 0; i < random() % 5; ++i) {
      const auto kind = static_cast<ParagraphKind>(random() % 3);
      section.paragraphs.push_back({kind,
                                    kind == ParagraphKind::kListItem ? random_text(random) : "",
                                    random_text(random),
                                    random_links(random),
                                    {}});
      for (unsigned k = 0, gap = 0; k < random() % 3; ++k)
        section.paragraphs.back().gaps.push_back(gap += random() % 9);
    }
    EXPECT_EQ(decode_section_text(encode(section)), section);

    LinkRecord links;
    for (unsigned i = 0; i < 5; ++i)
      links.targets.push_back({static_cast<std::int32_t>(random() % 16), random_text(random)});
    std::uint32_t paragraph = 0;
    for (unsigned i = 0; i < random() % 20; ++i)
      links.places.push_back({random() % 5, paragraph += random() % 3, (random() & 1) != 0});
    EXPECT_EQ(decode_links(encode(links)), links);
    EXPECT_EQ(decode_link_titles(encode(links)), links.targets);
    std::vector<Title> targets;
    const auto bytes = encode(links);
    const auto places = visit_link_targets(bytes, [&](std::int32_t ns, std::string_view text) {
      targets.push_back({ns, std::string(text)});
    });
    EXPECT_EQ(decode_link_places(places, targets.size()), links.places);
    EXPECT_EQ(targets, links.targets);

    LinkTargetRecord link_targets;
    for (unsigned i = 0; i < random() % 6; ++i) link_targets.pages.push_back(PageId{random()});
    EXPECT_EQ(decode_link_targets(encode(link_targets)), link_targets);

    TableRecord table;
    table.section = random() % 100;
    table.depth = static_cast<std::uint16_t>(random() % 3);
    table.css_class = random_text(random);
    table.caption = random_text(random);
    table.columns = 1 + random() % 4;
    const std::uint32_t cell_count = table.columns * (random() % 4);
    for (unsigned i = 0; i < cell_count; ++i) {
      CellRecord cell;
      cell.missing = random() % 5 == 0;
      if (!cell.missing) {
        cell.text = random_text(random);
        cell.links = random_links(random);
        cell.row_span = 1 + random() % 3;
        cell.column_span = 1 + random() % 3;
      }
      cell.header = (random() & 1) != 0;
      cell.repeated = (random() & 1) != 0;
      table.cells.push_back(cell);
    }
    EXPECT_EQ(decode_table(encode(table)), table);

    AliasRecord aliases;
    std::uint32_t page_id = 0;
    for (unsigned i = 0; i < random() % 5; ++i)
      aliases.aliases.push_back({PageId{page_id += 1 + random() % 99}, (random() & 1) != 0});
    EXPECT_EQ(decode_aliases(encode(aliases)), aliases);

    EntityRecord entity{random() % 99, std::nullopt};
    EXPECT_EQ(decode_entity(encode(entity)), entity);
    auto& facts = entity.facts.emplace();
    for (unsigned i = 0; i < random() % 4; ++i) facts.labels.push_back(random_text(random));
    for (unsigned i = 0; i < random() % 4; ++i) facts.aliases.push_back(random_text(random));
    std::uint64_t type = 0;
    for (unsigned i = 0; i < random() % 4; ++i) facts.types.push_back(type += 1 + random());
    EXPECT_EQ(decode_entity(encode(entity)), entity);
    for (unsigned i = 0; i < random() % 4; ++i)
      facts.statements.push_back({static_cast<std::uint32_t>(random()), random()});
    EXPECT_EQ(decode_entity(encode(entity)), entity);
    const ClassRecord of_class{random_text(random), facts.types};
    EXPECT_EQ(decode_class(encode(of_class)), of_class);
    SqlPageRecord sql_page{{}, facts.labels};
    for (unsigned i = 0; i < random() % 4; ++i) sql_page.categories.push_back({14, random_text(random)});
    EXPECT_EQ(decode_sql_page(encode(sql_page)), sql_page);

    AttributeRecord attributes;
    for (unsigned i = 0; i < random() % 4; ++i) attributes.categories.push_back({14, random_text(random)});
    for (unsigned i = 0; i < random() % 3; ++i) attributes.tags.push_back(random_text(random));
    for (unsigned i = 0; i < random() % 3; ++i) {
      attributes.images.push_back({static_cast<std::uint32_t>(random() % 9), static_cast<std::uint32_t>(random() % 300),
                                   random_text(random), random_text(random), random_links(random)});
    }
    for (unsigned i = 0; i < random() % 4; ++i)
      attributes.table_places.push_back(static_cast<std::uint32_t>(random() % 300));
    for (std::uint32_t i = 0; i < random() % 4; ++i)
      attributes.section_links.push_back({i * 7, static_cast<std::uint32_t>(random() % 9), random_text(random)});
    if (random() % 2 == 0) attributes.qid = "Q" + std::to_string(1 + random() % 99);
    if (random() % 2 == 0) attributes.origin.book = random_text(random);
    if (random() % 4 == 0) attributes.origin.license = random_text(random);
    for (unsigned i = 0; i < random() % 3; ++i) attributes.origin.chapters.push_back(random_text(random));
    for (unsigned i = 0; i < random() % 3; ++i) attributes.origin.anchors.push_back(random_text(random));
    EXPECT_EQ(decode_attributes(encode(attributes)), attributes);
    EXPECT_EQ(attributes == AttributeRecord{}, attributes.empty());

    ReadingRecord reading;
    reading.date = (random() & 1) != 0;
    for (unsigned i = 0; i < random() % 4; ++i) reading.counters.push_back(random());
    for (unsigned i = 0; i < random() % 3; ++i) {
      reading.inclusions.push_back({{10, random_text(random)}, (random() & 1) != 0, {}});
      reading.inclusions.back().content.fill(static_cast<std::uint8_t>(random()));
    }
    if (random() % 2 == 0) {
      reading.source.fill(static_cast<std::uint8_t>(1 + random() % 255));
      reading.links = random();
      reading.paragraphs = random();
      reading.tables = random();
      for (unsigned i = 0; i < random() % 3; ++i)
        reading.remarks.push_back({random(), random_text(random), random_text(random)});
    }
    EXPECT_EQ(decode_reading(encode(reading)), reading);
    EXPECT_EQ(reading == ReadingRecord{}, reading.empty());
  }
}

TEST(Records, APageWithoutADigestIsOfAnOlderStoreAndIsRead) {
  PageRecord page;
  page.title.text = "Amber";
  page.content_digest.fill(7);
  auto bytes = encode(page);
  bytes.resize(bytes.size() - page.content_digest.size());
  page.content_digest = {};
  EXPECT_EQ(decode_page(bytes), page);
  EXPECT_THROW(decode_page(bytes + "x"), StorageError) << "a digest that is cut short";
}

// Property: any bytes either decode or are refused; nothing is read outside them and nothing huge is allocated.
TEST(Records, RandomBytesAreDecodedOrRefused) {
  Random random(7);
  unsigned refused = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string bytes(random() % 40, ' ');
    for (auto& c : bytes) c = static_cast<char>(random() & 255);
    const auto attempt = [&](auto decode) {
      try {
        decode(bytes);
      } catch (const StorageError&) {
        ++refused;
      }
    };
    attempt(decode_page);
    attempt(decode_outline);
    attempt(decode_section_text);
    attempt(decode_links);
    attempt(decode_link_targets);
    attempt(decode_link_titles);
    attempt([](std::string_view record) {
      return decode_link_places(visit_link_targets(record, [](std::int32_t, std::string_view) {}), 2);
    });
    attempt(decode_table);
    attempt(decode_aliases);
    attempt(decode_attributes);
    attempt(decode_reading);
  }
  EXPECT_GT(refused, 110'000U);
}

TEST(Keys, ByteOrderIsNumberOrder) {
  EXPECT_LT(page_key(PageId{255}), page_key(PageId{256}));
  EXPECT_LT(page_key(PageId{65'535}), page_key(PageId{1'000'000}));
  EXPECT_LT(page_part_key(PageId{1}, 300), page_part_key(PageId{2}, 0));
  EXPECT_LT(title_key(-2, "z"), title_key(0, "a"));
  EXPECT_LT(title_key(0, "z"), title_key(14, "a"));
}

TEST(Keys, ReadBackWhatWasBuilt) {
  EXPECT_EQ(read_page_key(page_key(PageId{123'456'789}))->value, 123'456'789U);
  const auto part = read_page_part_key(page_part_key(PageId{7}, 9));
  EXPECT_EQ(part->page.value, 7U);
  EXPECT_EQ(part->part, 9U);
  const std::string key = title_key(-1, "Übersicht");
  EXPECT_EQ(read_title_key(key)->ns, -1);
  EXPECT_EQ(read_title_key(key)->text, "Übersicht");
  EXPECT_FALSE(read_page_key("abc"));
  EXPECT_FALSE(read_title_key("abc"));
}

}  // namespace
}  // namespace touchstone::storage
