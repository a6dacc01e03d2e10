#include "formats/fields/quote.hpp"

#include <gtest/gtest.h>

namespace touchstone::formats::fields {
namespace {

TEST(QuoteForMessage, QuotedValuesInMessagesAreShortAndOneLine) {
  EXPECT_EQ(quote_for_message("a\nb"), "\"a b\"");
  const std::string quoted = quote_for_message(std::string(1000, 'x'));
  EXPECT_EQ(quoted, "\"" + std::string(60, 'x') + "...\"");
}

}  // namespace
}  // namespace touchstone::formats::fields
