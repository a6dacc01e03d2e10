#include "pipeline/evidence/wording/listed_words.hpp"

#include <gtest/gtest.h>

namespace touchstone::pipeline::evidence::wording {
namespace {

TEST(ListedWords, WordsForListGoWhereTheyGovernNoCase) {
  EXPECT_EQ(listed_as_it_stands("Liste der Burgen in Hessen", "de"), "Burgen in Hessen");
  EXPECT_EQ(listed_as_it_stands("Liste d'îles du Valmer", "fr"), "îles du Valmer");
  EXPECT_EQ(listed_as_it_stands("Liste de la flotte", "fr"), "flotte");
  EXPECT_EQ(listed_as_it_stands("Liste des ponts", "fr-ca"), "ponts");
  EXPECT_EQ(listed_as_it_stands("Anexo:Municipios de Serrana", "es"), "Municipios de Serrana");
  EXPECT_EQ(listed_as_it_stands("Anexo:Lista de los ríos", "es"), "ríos");
  EXPECT_EQ(listed_as_it_stands("Lista do património da Beira", "pt"), "património da Beira");
  EXPECT_EQ(listed_as_it_stands("海山県の城の一覧", "ja"), "海山県の城");
  EXPECT_EQ(listed_as_it_stands("Türkiye'deki göller listesi", "tr"), "Türkiye'deki göller");
}

TEST(ListedWords, TitlesWhoseWordsWouldBeInTheWrongCaseStay) {
  for (const char* title : {"Liste der höchsten Berge", "Liste von Bergen in Tirol", "Liste deutscher Maler",
                            "Liste der Abgeordneten", "Burgen in Hessen", "Listenwahl"})
    EXPECT_EQ(listed_as_it_stands(title, "de"), "") << title;
  EXPECT_EQ(listed_as_it_stands("Список озёр Карелии", "ru"), "");
  EXPECT_EQ(listed_as_it_stands("Lista zamków na Podgórzu", "pl"), "");
  EXPECT_EQ(listed_as_it_stands("Rhestr o gestyll Cymru", "cy"), "");
}

}  // namespace
}  // namespace touchstone::pipeline::evidence::wording
