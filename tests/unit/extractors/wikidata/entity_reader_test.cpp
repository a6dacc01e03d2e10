#include "extractors/wikidata/entity_reader.hpp"

#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

namespace touchstone::extractors::wikidata {
namespace {

EntityOptions everything() {
  EntityOptions options;
  options.languages = {"en", "de"};
  options.all_sites = true;
  options.properties = {kInstanceOf, kSubclassOf};
  return options;
}

Result<Entity, LineError> entity_of(std::string line, EntityOptions options = everything()) {
  const auto size = line.size();
  line.append(EntityReader::padding(), '#');
  return EntityReader(std::move(options)).read(std::string_view(line).substr(0, size));
}

std::string statement(std::string_view rank, std::string_view value) {
  return R"({"mainsnak":{"snaktype":"value","property":"P31","datavalue":{"value":)" + std::string(value) +
         R"(,"type":"wikibase-entityid"}},"type":"statement","rank":")" + std::string(rank) + "\"}";
}

TEST(EntityReader, ReadsTextsSitelinksAndStatements) {
  const auto entity = entity_of(
      R"({"type":"item","id":"Q42","labels":{"en":{"language":"en","value":"Ostra"},"fr":{"language":"fr","value":"O"}},)"
      R"("descriptions":{"de":{"language":"de","value":"Insel"}},)"
      R"("aliases":{"en":[{"language":"en","value":"Great Ostra"},{"language":"en","value":"Ostra \u00e9"}]},)"
      R"("claims":{"P31":[)" +
      statement("normal", R"({"entity-type":"item","numeric-id":23,"id":"Q23"})") + R"(],"P17":[)" +
      statement("normal", R"({"entity-type":"item","id":"Q9"})") +
      R"(]},"sitelinks":{"enwiki":{"site":"enwiki","title":"Ostra, Ostrand","badges":[]
}
}
})");
  ASSERT_TRUE(entity.has_value());
  EXPECT_EQ(entity->id, "Q42");
  EXPECT_EQ(entity->item(), 42U);
  EXPECT_EQ(entity->labels, (std::vector<LanguageText>{{"en", "Ostra"}}));
  EXPECT_EQ(entity->label_count, 2U);
  EXPECT_EQ(entity->descriptions, (std::vector<LanguageText>{{"de", "Insel"}}));
  EXPECT_EQ(entity->aliases, (std::vector<LanguageText>{{"en", "Great Ostra"}, {"en", "Ostra \xc3\xa9"}}));
  EXPECT_EQ(entity->sitelinks, (std::vector<Sitelink>{{"enwiki", "Ostra, Ostrand"}}));
  EXPECT_EQ(entity->statements, (std::vector<Statement>{{31, 23}}));
}

TEST(EntityReader, LeavesOutDeprecatedStatementsAndValuesThatAreNoItem) {
  const auto entity = entity_of(R"({"id":"Q1","claims":{"P31":[)" + statement("deprecated", R"({"id":"Q2"})") + "," +
                                statement("preferred", R"({"id":"Q3"})") + "," + statement("normal", R"({"id":"L4"})") +
                                R"(,{"mainsnak":{"snaktype":"somevalue","property":"P31"},"rank":"normal"}]}})");
  ASSERT_TRUE(entity.has_value());
  EXPECT_EQ(entity->statements, (std::vector<Statement>{{31, 3}}));
}

TEST(EntityReader, ReadsItemsThatOlderDumpsWriteAsANumberAlone) {
  const auto entity =
      entity_of(R"({"id":"Q1","claims":{"P31":[)" + statement("normal", R"({"entity-type":"item","numeric-id":3})") +
                "," + statement("normal", R"({"entity-type":"property","numeric-id":4})") + "]}}");
  ASSERT_TRUE(entity.has_value());
  EXPECT_EQ(entity->statements, (std::vector<Statement>{{31, 3}}));
}

TEST(EntityReader, TakesAnEmptyArrayForAnObjectWithoutFields) {
  const auto entity =
      entity_of(R"({"id":"P16","labels":[],"descriptions":[],"aliases":[],"claims":[],"sitelinks":[]})");
  ASSERT_TRUE(entity.has_value());
  EXPECT_EQ(entity->item(), 0U);
  EXPECT_EQ(entity->label_count, 0U);
}

TEST(EntityReader, KeepsSitelinksOfTheWikiAskedForAndCountsAll) {
  EntityOptions options;
  options.site = "dewiki";
  const auto entity = entity_of(R"({"id":"Q1","sitelinks":{"enwiki":{"title":"A"},"dewiki":{"title":"B"}}})", options);
  ASSERT_TRUE(entity.has_value());
  EXPECT_EQ(entity->sitelinks, (std::vector<Sitelink>{{"dewiki", "B"}}));
  EXPECT_EQ(entity->sitelink_count, 2U);
}

std::string reason_of(std::string line) {
  const auto entity = entity_of(std::move(line));
  return entity ? "" : entity.error().reason();
}

TEST(EntityReader, SaysWhyALineIsNoEntity) {
  EXPECT_TRUE(reason_of(R"({"id":"Q1","labels":{"en")").starts_with("malformed JSON: "));
  EXPECT_TRUE(reason_of(R"({"id":"Q1" "labels":{}})").starts_with("malformed JSON: "));
  EXPECT_TRUE(reason_of("{\"id\":\"Q1\",\"x\":\"\xff\"}").starts_with("malformed JSON: "));
  EXPECT_TRUE(reason_of(R"({"id":"Q1"} x)").starts_with("malformed JSON: "));
  EXPECT_TRUE(reason_of(R"({"id":"Q1"}})").starts_with("malformed JSON: "));
  EXPECT_TRUE(reason_of(R"({"id":"Q1"}{"id":"Q2"})").starts_with("malformed JSON: "));
  EXPECT_TRUE(reason_of(R"({"id":"Q1","x":[1,2})").starts_with("malformed JSON: "));
  EXPECT_TRUE(reason_of(R"({"id":"Q1","claims":{"P31":[)" + statement("normal", R"({"id":"Q3")") + "]}")
                  .starts_with("malformed JSON: "));
  EXPECT_EQ(reason_of(R"([{"id":"Q1"}])"), "an array, where one entity a line is expected");
  EXPECT_EQ(reason_of("12"), "not an object");
  EXPECT_EQ(reason_of(R"({"labels":{}})"), "without an id such as \"Q42\"");
  EXPECT_EQ(reason_of(R"({"id":"Q042"})"), "without an id such as \"Q42\"");
  EXPECT_EQ(reason_of(R"({"id":42})"), "without an id such as \"Q42\"");
  EXPECT_EQ(reason_of(R"({"id":"Q1","labels":7})"), "a field of another form than the format has: labels");
  EXPECT_EQ(reason_of(R"({"id":"Q1","aliases":{"en":{}}})"), "a field of another form than the format has: aliases");
  EXPECT_EQ(reason_of(R"({"id":"Q1","claims":{"P31":[3]}})"), "a field of another form than the format has: claims");
  EXPECT_EQ(reason_of(R"({"id":"Q1","sitelinks":{"enwiki":"A"}})"),
            "a field of another form than the format has: sitelinks");
}

TEST(EntityReader, IdNumbersAreDigitsWithoutALeadingZero) {
  EXPECT_EQ(id_number("Q42", 'Q'), 42U);
  EXPECT_EQ(id_number("P31", 'Q'), 0U);
  EXPECT_EQ(id_number("Q", 'Q'), 0U);
  EXPECT_EQ(id_number("Q4x", 'Q'), 0U);
  EXPECT_EQ(id_number("Q99999999999999999999", 'Q'), 0U);
}

}  // namespace
}  // namespace touchstone::extractors::wikidata
