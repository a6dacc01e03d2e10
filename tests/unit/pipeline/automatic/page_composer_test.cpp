#include "pipeline/automatic/page_composer.hpp"

#include "formats/car/ids.hpp"
#include "storage/keys.hpp"
#include "tests/support/stage_fixture.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::pipeline::automatic {
namespace {

using formats::car::Image;
using formats::car::Link;
using formats::car::ListItem;
using formats::car::Paragraph;
using formats::car::Section;
using formats::car::Skeleton;
using storage::Family;
using testing::simple_page;

/// A skeleton in one line: `Heading[ "text" * "item" ]`, images as `<file "caption">`.
std::string shape(const std::vector<Skeleton>& skeleton) {
  std::string out;
  for (const auto& [element] : skeleton) {
    if (!out.empty()) out += ' ';
    if (const auto* section = std::get_if<Section>(&element))
      out += section->heading + "[" + shape(section->children) + "]";
    if (const auto* paragraph = std::get_if<Paragraph>(&element)) out += '"' + paragraph_text(*paragraph) + '"';
    if (const auto* item = std::get_if<ListItem>(&element))
      out += std::string(item->level, '*') + '"' + paragraph_text(item->paragraph) + '"';
    if (const auto* image = std::get_if<Image>(&element)) {
      out += '<' + image->url + (image->caption.empty() ? "" : " " + shape(image->caption)) + '>';
    }
  }
  return out;
}

class PageComposer : public testing::StageFixture {
 protected:
  std::optional<ComposedPage> compose(std::uint32_t id, automatic::PageComposer::Options options = {}) const {
    const automatic::PageComposer composer(*store, "testwiki", options);
    return composer.compose(PageId{id}, storage::decode_page(get(Family::kPage, storage::page_key(PageId{id}))));
  }
  std::vector<std::string> inlinks(
      std::uint32_t id, const std::function<bool(PageId)>& left_out = [](PageId) { return false; }) const {
    formats::car::PageMetadata metadata;
    automatic::PageComposer(*store, "testwiki", {}).add_inlinks(PageId{id}, left_out, metadata);
    return metadata.inlink_ids;
  }
  std::string shape_of(std::uint32_t id, automatic::PageComposer::Options options = {}) const {
    const auto composed = compose(id, options);
    return composed ? shape(composed->page.skeleton) : "nothing";
  }
};

TEST_F(PageComposer, SectionsNestAndKeepTheOrderOfTheArticle) {
  fill_from_dump(simple_page(
      1, "A", "Lead.\n\n== One ==\nFirst.\n* item\n** inner\nLast.\n=== Deep ===\nBelow.\n== Two ==\nEnd."));
  EXPECT_EQ(shape_of(1), R"("Lead." One["First." *"item" **"inner" "Last." Deep["Below."]] Two["End."])");
}

TEST_F(PageComposer, LevelsThatJumpNestBelowTheLastHigherHeading) {
  fill_from_dump(simple_page(1, "A", "== One ==\n==== Deep ====\nX.\n=== Middle ===\nY."));
  EXPECT_EQ(shape_of(1), R"(One[Deep["X."] Middle["Y."]])");
}

TEST_F(PageComposer, WhatStandsBelowAnEmptyHeadingBelongsToTheParent) {
  fill_from_dump(
      simple_page(1, "A", "== One ==\nX.\n=== {{nothing here}} ===\nY.\n==== Deep ====\nZ.\n=== Two ===\nW."));
  EXPECT_EQ(shape_of(1), R"(One["X." "Y." Deep["Z."] Two["W."]])");
  EXPECT_EQ(compose(1)->empty_headings, 1U);
}

TEST_F(PageComposer, DamagedTextsAreLeftOut) {
  fill_from_dump(simple_page(1, "A",
                             "{{x}} is a light. It is old.\n\nThe lights are:\n* [[B]]\n\n[[C]] – [[D]] – [[E]]\n"
                             "== S ==\nRun this in the folder.\n $ ./configure --prefix=/usr && make\n"
                             "== T ==\nI agree. A (talk) 12:30, 3 May 2009 (UTC)"));
  EXPECT_EQ(shape_of(1),
            "\"It is old.\" *\"B\" S[\"Run this in the folder.\n$ ./configure --prefix=/usr && make\"] T[]");
  EXPECT_EQ(compose(1)->damaged, 3U);
}

TEST_F(PageComposer, LabelsAndRestsOfSentencesAreLeftOut) {
  fill_from_dump(simple_page(1, "A",
                             "Option breite\n\nDas Licht ist rot\n\nDas Licht A ist rot und alt\n\n"
                             "— Ada im Mai 2010 im Forum\n\niPod A ist kein "
                             "Licht der Küste\n\nRot ist es.\n\nwird zu einem anderen Licht gebaut\n"
                             "== S ==\nA gibt es so.\n make && make install\nund danach mit\n ./start --now; x=1\n"
                             "== U ==\nWir bauen A [[File:A.jpg|frame]] mit dem Haus. Ende.\n"
                             "== T ==\n # Uncomment the next line.\n #debug\n lock\n 115200"));
  EXPECT_EQ(shape_of(1),
            "\"Das Licht A ist rot und alt\" \"iPod A ist kein Licht der Küste\" \"Rot ist es.\" "
            "S[\"A gibt es so.\nmake && make install\nund danach mit\n./start --now; x=1\"] U[\"Wir bauen A mit dem "
            "Haus. Ende.\" <A.jpg>] T[]");
}

TEST_F(PageComposer, ShortParagraphsJoinTheirNeighbours) {
  fill_from_dump(
      simple_page(
          1, "A",
          "See [[B]].\n\nThe old light of the harbour burns day and night.\n\nIt is red.\n* item\n\nIt is [[C]].\n"
          "== One ==\nIt is old.\n== Two ==\nIt is old.\n\nIt is red and white.\n\nIt stands.") +
      simple_page(2, "B", "x") + simple_page(3, "C", "y"));
  const automatic::PageComposer::Options options{.min_words = 8};
  EXPECT_EQ(shape_of(1, options),
            R"("See B. The old light of the harbour burns day and night. It is red. It is C." *"item" One[] )"
            R"(Two["It is old. It is red and white. It stands."])");
  EXPECT_EQ(compose(1, options)->damaged, 1U) << "what is alone below One";
  const auto page = compose(1, options)->page;
  std::vector<std::string> links;
  for (const auto& body : std::get<Paragraph>(page.skeleton.front().element).bodies)
    if (const auto* link = std::get_if<Link>(&body)) links.push_back(link->anchor);
  EXPECT_EQ(links, (std::vector<std::string>{"B", "C"}));
}

TEST_F(PageComposer, ShortListItemsThatArePassagesJoinWithinTheirList) {
  fill_from_dump(
      simple_page(1, "A",
                  "* red light\n* green light on a hill\n* an old light of the harbour that is white\n* the end\n"
                  "Here follows a text about the lights of the coast.\n"
                  "* one [[B]]\n* two\n== S ==\n* only\n") +
      simple_page(2, "B", "x"));
  automatic::PageComposer::Options options{.list_items = true, .min_words = 7};
  EXPECT_EQ(shape_of(1, options),
            "*\"red light\ngreen light on a hill\" *\"an old light of the harbour that is white\nthe end\" "
            "\"Here follows a text about the lights of the coast.\" S[]");
  EXPECT_EQ(compose(1, options)->damaged, 2U) << "lists that are too short as a whole";
  options.list_items = false;
  EXPECT_EQ(shape_of(1, options),
            "*\"red light\" *\"green light on a hill\" *\"an old light of the harbour that is white\" *\"the end\" "
            "\"Here follows a text about the lights of the coast.\" *\"one B\" *\"two\" S[*\"only\"]");
}

TEST_F(PageComposer, NotesThatLeadToOtherPagesAreNoParagraphs) {
  fill_from_dump(
      simple_page(1, "A", "{{About|B}}\nLead.\n== S ==\n{{Main|C}}\nText.\n{{See also|D}}\n== T ==\n{{Main|E}}"));
  EXPECT_EQ(shape_of(1), R"("Lead." S["Text."] T[])");
}

TEST_F(PageComposer, ImagesStandWhereTheyStoodWithTheirCaptions) {
  fill_from_dump(simple_page(
      1, "A", "First.\n\n[[File:Light.jpg|thumb|The [[B|light]].]]\nSecond.\n\n== S ==\n[[File:Map.png|thumb]]"));
  EXPECT_EQ(shape_of(1), R"("First." <Light.jpg "The light."> "Second." S[<Map.png>])");
  const auto page = compose(1)->page;
  const auto& image = std::get<Image>(page.skeleton.at(1).element);
  const auto& link = std::get<Link>(std::get<Paragraph>(image.caption.at(0).element).bodies.at(1));
  EXPECT_EQ(link.page_name, "B");
  EXPECT_EQ(link.anchor, "light");
}

TEST_F(PageComposer, RowsOfTablesAreParagraphsOnRequest) {
  fill_from_dump(simple_page(1, "A", "One.\n{|\n! Light !! Height\n|-\n| [[B]] || 30 m\n|}\nTwo."));
  EXPECT_EQ(shape_of(1), R"("One." "Two.")");
  EXPECT_EQ(shape_of(1, {.table_rows = true}), R"("One." "Light: B; Height: 30 m" "Two.")");
}

TEST_F(PageComposer, LinksLeadToThePageBehindAllRedirects) {
  fill_from_dump(simple_page(1, "A", "See [[old b|it]], [[Nowhere]] and [[Category:X]]; ''[[:Category:Q|q]]''.") +
                 simple_page(2, "B", "x") + simple_page(3, "Old b", "#REDIRECT [[Older]]", "Older") +
                 simple_page(4, "Older", "#REDIRECT [[B]]", "B"));
  const auto page = compose(1)->page;
  const auto& bodies = std::get<Paragraph>(page.skeleton.at(0).element).bodies;
  std::vector<std::string> links;
  for (const auto& body : bodies) {
    if (const auto* link = std::get_if<Link>(&body))
      links.push_back(link->page_name + "|" + link->page_id + "|" + link->anchor);
  }
  EXPECT_EQ(links, (std::vector<std::string>{"B|testwiki:B|it", "Nowhere|testwiki:Nowhere|Nowhere", "Category:Q||q"}));
  EXPECT_EQ(std::get<Paragraph>(page.skeleton.at(0).element).id, formats::car::paragraph_id(bodies));
}

TEST_F(PageComposer, MetadataNamesRedirectsCategoriesAndInlinks) {
  fill_from_dump(simple_page(1, "A", "x [[Category:Herbs]]") + simple_page(2, "Old a", "#REDIRECT [[A]]", "A") +
                 simple_page(3, "C", "[[A]]") + simple_page(4, "B b", "[[Old a]]"));
  const auto metadata = compose(1)->page.metadata;
  EXPECT_EQ(metadata.redirect_names, std::vector<std::string>{"Old a"});
  EXPECT_EQ(metadata.category_names, std::vector<std::string>{"Category:Herbs"});
  EXPECT_EQ(metadata.category_ids, std::vector<std::string>{"testwiki:Category:Herbs"});
  EXPECT_EQ(inlinks(1), (std::vector<std::string>{"testwiki:B%20b", "testwiki:C"}));
  EXPECT_EQ(metadata.site_id, "testwiki");
  const auto without = compose(1, {.links = false})->page;
  EXPECT_EQ(without.metadata.redirect_names, metadata.redirect_names);
}

TEST_F(PageComposer, PagesThatAreLeftOutAndThePageItselfAreNoInlinks) {
  fill_from_dump(simple_page(1, "A", "x [[A#S|here]]") + simple_page(3, "C", "[[A]]") + simple_page(4, "D", "[[A]]"));
  EXPECT_EQ(inlinks(1), (std::vector<std::string>{"testwiki:C", "testwiki:D"}));
  EXPECT_EQ(inlinks(1, [](PageId page) { return page.value == 3; }), std::vector<std::string>{"testwiki:D"});
}

TEST_F(PageComposer, LinksToSectionsNameTheSection) {
  fill_from_dump(
      simple_page(1, "A", "One.\n\n== S ==\n* [[C]] and [[B#Early years|his youth]], [[B|he]].\n\nSee [[B#X]].") +
      simple_page(2, "B", "x"));
  const auto page = compose(1)->page;
  std::vector<std::string> links;
  const auto add = [&](const Paragraph& paragraph) {
    for (const auto& body : paragraph.bodies) {
      if (const auto* link = std::get_if<Link>(&body))
        links.push_back(link->page_name + "#" + link->section.value_or("-") + "|" + link->anchor);
    }
  };
  const auto& section = std::get<Section>(page.skeleton.at(1).element);
  add(std::get<ListItem>(section.children.at(0).element).paragraph);
  add(std::get<Paragraph>(section.children.at(1).element));
  EXPECT_EQ(links, (std::vector<std::string>{"C#-|C", "B#Early years|his youth", "B#-|he", "B#X|B#X"}));
}

TEST_F(PageComposer, PagesAndLinksHaveTheQidOfThePageBehindARedirect) {
  fill_from_dump(simple_page(1, "A", "See [[B]], [[R]], [[C]] and [[Missing]].") + simple_page(2, "B", "x") +
                 simple_page(3, "C", "x") + simple_page(4, "R", "#REDIRECT [[B]]", "B"));
  const auto set_qid = [&](std::uint32_t page, const char* qid) {
    storage::AttributeRecord record;
    record.qid = qid;
    storage::Batch batch;
    batch.put(Family::kAttribute, storage::page_key(PageId{page}), encode(record));
    store->write(batch, storage::Durability::kProcess);
  };
  set_qid(1, "Q1");
  set_qid(2, "Q9999999999999999999");
  const auto page = compose(1)->page;
  EXPECT_EQ(page.metadata.qid, "Q1");
  std::vector<std::string> links;
  for (const auto& body : std::get<Paragraph>(page.skeleton.at(0).element).bodies) {
    if (const auto* link = std::get_if<Link>(&body)) links.push_back(link->page_name + " " + link->qid);
  }
  EXPECT_EQ(links, (std::vector<std::string>{"B Q9999999999999999999", "B Q9999999999999999999", "C ", "Missing "}));
}

TEST_F(PageComposer, RedirectsAndPagesWithoutTextAreNoPages) {
  fill_from_dump(simple_page(1, "A", "X.") + simple_page(2, "R", "#REDIRECT [[A]]", "A"));
  EXPECT_EQ(shape_of(2), "nothing");
  EXPECT_EQ(shape_of(1), R"("X.")");
}

}  // namespace
}  // namespace touchstone::pipeline::automatic
