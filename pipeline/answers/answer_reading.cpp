#include "pipeline/answers/answer_reading.hpp"

#include "pipeline/answers/answer_collection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace touchstone::pipeline::answers {
namespace {

using analysis::measures::TopicAnswer;
using evidence::mentions::MentionSearch;
using Ranges = std::vector<MentionSearch::Range>;

/// The pages that a text names, and where.
std::map<PageId, Ranges> pages_named(const MentionSearch& search, const std::string& text) {
  std::map<PageId, Ranges> pages;
  for (const auto& mention : search.find(text, {})) pages[mention.member].emplace_back(mention.begin, mention.end);
  return pages;
}

bool supports(const Citation& citation, const Ranges& mentions) {
  return !citation.range || std::any_of(mentions.begin(), mentions.end(), [&](const auto& mention) {
    return mention.first < citation.range->second && citation.range->first < mention.second;
  });
}

/// Reads the statements of single answers.
class StatementReader {
 public:
  StatementReader(const AnswerCollection& collection, AnswerReading& reading)
      : collection_(collection),
        search_(collection.names->search(collection.language)),
        named_(collection.names->named_pages()),
        reading_(reading) {}

  TopicAnswer read(const std::string& id, const AnswerTopic& topic, const Answer& answer) {
    TopicAnswer found{.topic = id};
    const auto pages = pages_named(search_, answer.text);
    for (const auto member : topic.members) {
      if (!named_.contains(member)) {
        ++found.nameless;
        continue;
      }
      const auto stated = pages.find(member);
      const auto& title = collection_.titles.at(member);
      (stated == pages.end() ? found.missing : found.stated).push_back(title);
      if (stated != pages.end() && !is_supported(id, member, answer, stated->second))
        found.unsupported.push_back(title);
    }
    add_others(found, topic, pages);
    count_citations(found, id, topic, answer);
    for (auto* titles : {&found.stated, &found.missing, &found.unsupported, &found.others})
      std::sort(titles->begin(), titles->end());
    return found;
  }

 private:
  bool is_evidence(const std::string& topic, const std::string& docid, PageId member) const {
    const auto known = collection_.docids.find(docid);
    return known != collection_.docids.end() && collection_.evidence.contains({topic, known->second, member});
  }

  bool is_supported(const std::string& topic, PageId member, const Answer& answer, const Ranges& mentions) {
    return std::any_of(answer.citations.begin(), answer.citations.end(), [&](const auto& citation) {
      return is_evidence(topic, citation.docid, member) && supports(citation, mentions);
    });
  }

  /// Pages that are not members, unless the words of the topic name them.
  void add_others(TopicAnswer& found, const AnswerTopic& topic, const std::map<PageId, Ranges>& pages) {
    const auto of_topic = pages_named(search_, topic.words);
    for (const auto& [page, ranges] : pages) {
      if (topic.members.contains(page) || page == topic.list_page || of_topic.contains(page)) continue;
      found.others.push_back(collection_.titles.at(page));
      found.listed_others += collection_.members.contains(page);
    }
  }

  void count_citations(TopicAnswer& found, const std::string& id, const AnswerTopic& topic, const Answer& answer) {
    std::set<std::string> cited;
    for (const auto& citation : answer.citations) {
      const auto known = collection_.docids.find(citation.docid);
      if (!cited.insert(known == collection_.docids.end() ? citation.docid : known->second).second) continue;
      if (known == collection_.docids.end() && reading_.unknown_citations++ == 0) {
        reading_.first_unknown = citation.docid;
        reading_.first_unknown_line = answer.line;
      }
      found.citations_evidence += std::any_of(topic.members.begin(), topic.members.end(), [&](const auto member) {
        return is_evidence(id, citation.docid, member);
      });
    }
    found.citations = cited.size();
  }

  const AnswerCollection& collection_;
  const MentionSearch search_;
  const std::unordered_set<PageId> named_;
  AnswerReading& reading_;
};

}  // namespace

AnswerReading read_statements(const std::filesystem::path& directory, const std::vector<Answer>& answers,
                              bool complete) {
  const auto read = read_answer_collection(directory, answers);
  const auto& collection = *read;
  AnswerReading reading;
  reading.topics_of_collection = collection.topics.size();
  std::map<std::string, const Answer*> by_topic;
  for (const auto& answer : answers) {
    if (collection.topics.contains(answer.topic)) {
      by_topic.emplace(answer.topic, &answer);
    } else {
      reading.other_answers.push_back(&answer);
    }
  }
  reading.missing_topics = collection.topics.size() - by_topic.size();
  StatementReader reader(collection, reading);
  const Answer no_answer;
  for (const auto& [id, topic] : collection.topics) {
    const auto answer = by_topic.find(id);
    if (answer != by_topic.end() || complete)
      reading.topics.push_back(reader.read(id, topic, answer == by_topic.end() ? no_answer : *answer->second));
  }
  return reading;
}

}  // namespace touchstone::pipeline::answers
