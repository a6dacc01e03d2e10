#include "retrieval/docid_store.hpp"

#include "tests/support/temporary_folder.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace touchstone::retrieval {
namespace {

using touchstone::testing::TemporaryFolder;

std::optional<NumberedDocid> write(const std::filesystem::path& folder, const std::vector<std::string>& docids,
                                   std::size_t sort_bytes) {
  DocidStoreWriter writer(folder, sort_bytes);
  for (const auto& docid : docids) writer.add(docid);
  return writer.finish();
}

TEST(DocidStore, FindsDocidsWhateverTheirOrder) {
  std::vector<std::string> docids;
  for (int i = 0; i < 5000; ++i) docids.push_back("d" + std::to_string(i * 7919 % 5000));
  for (const std::size_t sort_bytes : {std::size_t{100}, std::size_t{1} << 20}) {
    const TemporaryFolder folder;
    EXPECT_FALSE(write(folder.path(), docids, sort_bytes));
    const DocidStore store(folder.path());
    ASSERT_EQ(store.size(), docids.size());
    EXPECT_FALSE(store.is_in_order());
    for (std::uint32_t i = 0; i < docids.size(); ++i) {
      EXPECT_EQ(store.docid(i), docids[i]);
      EXPECT_EQ(store.find(docids[i]), i);
    }
    EXPECT_EQ(store.order(0), 0U);  // d0
    EXPECT_LT(store.order(static_cast<std::uint32_t>(store.find("d10"))),
              store.order(static_cast<std::uint32_t>(store.find("d9"))));
    for (const char* absent : {"", "d", "d5000", "e"}) EXPECT_EQ(store.find(absent), -1) << absent;
  }
}

TEST(DocidStore, TellsThatTheCorpusIsInOrder) {
  const TemporaryFolder folder;
  write(folder.path(), {"a", "b", "c"}, 1 << 20);
  const DocidStore store(folder.path());
  EXPECT_TRUE(store.is_in_order());
  EXPECT_EQ(store.order(2), 2U);
  EXPECT_EQ(store.find("c"), 2);
}

TEST(DocidStore, NamesTheFirstDocumentWithADocidOfAnEarlierOne) {
  const TemporaryFolder folder;
  const auto twice = write(folder.path(), {"b", "c", "a", "c", "b", "a"}, 1 << 20);
  ASSERT_TRUE(twice);
  EXPECT_EQ(*twice, (NumberedDocid{"c", 3}));
}

}  // namespace
}  // namespace touchstone::retrieval
