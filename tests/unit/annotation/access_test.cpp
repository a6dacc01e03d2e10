#include "annotation/access.hpp"

#include "common/error.hpp"
#include "tests/unit/annotation/campaign_folder.hpp"

#include <algorithm>
#include <set>

namespace touchstone::annotation {
namespace {

class AccessTest : public CampaignFolder {
 protected:
  std::string refused(const std::string& names) {
    return message_of<FormatError>([&] { people(names); });
  }
  std::set<std::string> names_of(const Access& access) {
    std::set<std::string> names;
    for (const auto& annotator : access.annotators()) names.insert(annotator.name);
    return names;
  }
};

TEST_F(AccessTest, ANameALineWithoutCommentsBlanksAndWhatFollowsATab) {
  const auto access = people("# our people\n Ann \r\n\nBen\tben@example.org\n\xC3\x85sa\n");
  EXPECT_EQ(names_of(access), (std::set<std::string>{"Ann", "Ben", "\xC3\x85sa"}));
}

TEST_F(AccessTest, AByteOrderMarkIsNoPartOfAName) {
  EXPECT_EQ(names_of(people("\xEF\xBB\xBF"
                            "Ann\n")),
            std::set<std::string>{"Ann"});
}

TEST_F(AccessTest, BadListsAreRefusedInOneSentence) {
  const auto list = (folder_ / "names").string();
  EXPECT_EQ(refused("Ann\nBen\nAnn \n"), list + ":3: the name \"Ann\" is in line 1 already; tell the two people apart");
  EXPECT_EQ(refused("# nobody\n"), list + " names nobody; write the name of one annotator a line");
  EXPECT_EQ(refused(std::string(201, 'x')), list + ":1: a name has more than 200 bytes; give one name a line");
  EXPECT_EQ(refused("A\x1B[31mnn\n"),
            list + ":1: a name has a control character or is not UTF-8; write names as plain text");
  EXPECT_EQ(refused("\xE9milie\n"),
            list + ":1: a name has a control character or is not UTF-8; write names as plain text");
}

TEST_F(AccessTest, PseudonymsAreNumbersThatDoNotFollowTheOrderOfNames) {
  std::string names;
  for (int i = 0; i < 50; ++i) names += "person " + std::to_string(i) + "\n";
  const auto access = people(names);
  std::set<std::string> pseudonyms;
  bool in_order = true;
  for (std::size_t i = 0; i < access.annotators().size(); ++i) {
    pseudonyms.insert(access.annotators()[i].pseudonym);
    in_order = in_order && access.annotators()[i].pseudonym == "A" + std::to_string(i + 1);
  }
  EXPECT_EQ(pseudonyms.size(), 50U);
  EXPECT_TRUE(pseudonyms.contains("A1") && pseudonyms.contains("A50"));
  EXPECT_FALSE(in_order);
}

TEST_F(AccessTest, TokensAreLongRandomAndFoundAgain) {
  const auto access = people();
  std::set<std::string> tokens{access.owner_token()};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& token = access.annotators()[i].token;
    tokens.insert(token);
    EXPECT_EQ(token.size(), 43U);
    EXPECT_EQ(access.find_token(token), i);
    EXPECT_FALSE(access.find_token(token.substr(1)));
  }
  EXPECT_EQ(tokens.size(), 4U);
  EXPECT_EQ(access.find_token(access.owner_token()), Access::kOwner);
  EXPECT_FALSE(access.find_token(""));
}

TEST_F(AccessTest, ACookieProvesOnePersonAndIsNoTokenOfRequests) {
  const auto access = people();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto cookie = access.cookie_of(i);
    EXPECT_EQ(access.find_cookie(cookie), i);
    EXPECT_EQ(cookie.find(access.csrf_of(i)), std::string::npos);
    auto other = cookie;
    other.back() = other.back() == '0' ? '1' : '0';
    EXPECT_FALSE(access.find_cookie(other));
    const auto dot = cookie.find('.');
    EXPECT_FALSE(access.find_cookie(access.annotators()[(i + 1) % 3].pseudonym + cookie.substr(dot)));
    EXPECT_FALSE(access.find_cookie("owner" + cookie.substr(dot)));
  }
  EXPECT_EQ(access.find_cookie(access.cookie_of(Access::kOwner)), Access::kOwner);
  for (const auto* const wrong : {"", ".", "A1", "A1.", "owner.", "A9999.00"}) EXPECT_FALSE(access.find_cookie(wrong));
}

TEST_F(AccessTest, CookiesOfAnotherFolderAreWorthNothing) {
  const auto access = people();
  const auto cookie = access.cookie_of(0);
  std::filesystem::remove(folder_ / "access.json");
  EXPECT_FALSE(people().find_cookie(cookie));
}

TEST_F(AccessTest, WithALaterListPeopleKeepTheirLinksAndThoseWhoAreMissingMayNotEnter) {
  const auto before = people("Ann\nBen\n");
  const auto after = people("Cleo\nAnn\n");
  const auto ann = number_of(after, "Ann"), ben = number_of(after, "Ben"), cleo = number_of(after, "Cleo");
  EXPECT_EQ(after.annotators()[ann].token, before.annotators()[number_of(before, "Ann")].token);
  EXPECT_EQ(after.annotators()[ann].pseudonym, before.annotators()[number_of(before, "Ann")].pseudonym);
  EXPECT_EQ(after.annotators()[cleo].pseudonym, "A3");
  EXPECT_FALSE(after.find_token(after.annotators()[ben].token));
  EXPECT_FALSE(after.find_cookie(after.cookie_of(ben)));
  EXPECT_EQ(after.owner_token(), before.owner_token());
  const auto reopened = Access::reopen(folder_);
  EXPECT_FALSE(reopened.find_token(reopened.annotators()[ben].token)) << "also when the list is not named again";
  EXPECT_EQ(reopened.find_cookie(before.cookie_of(number_of(before, "Ann"))), ann);
}

TEST_F(AccessTest, OnlyTheOwnerMayReadTheFile) {
  people();
  const auto mode = std::filesystem::status(folder_ / "access.json").permissions();
  EXPECT_EQ(mode & std::filesystem::perms::all,
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST_F(AccessTest, ADamagedFileIsRefused) {
  write("access.json", R"({"owner_token":"x","secret":"y","annotators":[]})");
  EXPECT_EQ(message_of<FormatError>([&] { Access::reopen(folder_); }),
            (folder_ / "access.json").string() + " has a token that is too short");
  write("access.json", "{");
  EXPECT_THROW(Access::reopen(folder_), FormatError);
}

TEST_F(AccessTest, AFolderIsForOneAtATime) {
  const auto lock = lock_folder(folder_);
  EXPECT_EQ(
      message_of<StorageError>([&] { lock_folder(folder_); }),
      folder_.string() + " is in use by another touchstone annotate; stop that one, or name another folder with --out");
}

TEST(ConstantTime, ComparesTexts) {
  EXPECT_TRUE(equal_in_constant_time("abc", "abc"));
  EXPECT_TRUE(equal_in_constant_time("", ""));
  EXPECT_FALSE(equal_in_constant_time("abc", "abd"));
  EXPECT_FALSE(equal_in_constant_time("abc", "ab"));
}

}  // namespace
}  // namespace touchstone::annotation
