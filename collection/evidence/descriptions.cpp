#include "collection/evidence/descriptions.hpp"

#include "collection/evidence/audit_texts.hpp"
#include "common/number_text.hpp"

#include <algorithm>

namespace touchstone::collection::evidence {

std::string what_it_is(const CollectionInfo& info) {
  const std::string site = info.title();
  return "A test collection for evidence retrieval, built from " + (site.empty() ? "a wiki" : site) +
         ". Each topic asks for all passages that give evidence that some article belongs to a group; a group is one "
         "column of a table in a list page, and its members are the articles that the column links to.";
}

std::string_view source_meaning(CandidateSource source) noexcept {
  switch (source) {
    case CandidateSource::kOwnArticle:
      return "stands in the member's own article";
    case CandidateSource::kLink:
      return "links to the member";
    case CandidateSource::kMention:
      return "names the member without a link";
    case CandidateSource::kPage:
      return "stands on a page that links to the member elsewhere";
  }
  return {};
}

std::string candidate_passages(const CollectionInfo& info) {
  const auto uses = [&](CandidateSource source) {
    return std::find(info.candidate_sources.begin(), info.candidate_sources.end(), source) !=
           info.candidate_sources.end();
  };
  std::string text;
  if (uses(CandidateSource::kPage)) {
    text = "every passage of the pages that link to the member's article or to one of its redirects";
  } else if (uses(CandidateSource::kLink)) {
    text = "every passage that links to the member's article or to one of its redirects";
  }
  if (uses(CandidateSource::kMention)) {
    text += text.empty() ? "" : ", and ";
    text += "every passage that names the member without a link";
  }
  return text;
}

std::string label_method(const CollectionInfo& info) {
  std::string text =
      "For each member, " + candidate_passages(info) +
      " was collected, and the member's own passages. Each (topic, member, passage) was then judged: would a report "
      "writer who "
      "collects all documents that directly confirm that this member belongs to this list and column include the "
      "passage? A passage is evidence for the topic (grade 1) when the answer is yes for at least one member, and "
      "grade 0 when it is no for all that were judged. A passage that nobody judged is absent from the qrels, never "
      "0.";
  if (info.evidence_grade > 1) {
    text += " The judge gave grades, of which " + std::to_string(info.evidence_grade) +
            " and above count as evidence and stand in the qrels; lower ones are 0 there, and only "
            "judgments.jsonl.gz has them.";
  }
  return text;
}

std::string label_statement(const CollectionInfo& info) {
  if (info.baseline_judge) {
    return "The labels are a BASELINE: they were given by the embedded rule-based judge, " + info.judge +
           ", which compares words; " +
           (info.audit ? "people have read the passages of " + with_commas(info.audit->audited) + " of " +
                             with_commas(info.audit->decisions) + " decisions, and no language model any"
                       : std::string("no human and no language model has read the passages")) +
           ". They show that the pipeline works and give other judges something to beat. Do not rank systems by them.";
  }
  if (info.audit)
    return "The labels were given by the judge " + info.judge + ", and corrected where people answered. " +
           audit_statement(*info.audit);
  return "The labels were given by the judge " + info.judge + ". Check a sample by hand before you rely on them.";
}

}  // namespace touchstone::collection::evidence
