#include "retrieval/retrieve.hpp"

#include "common/error.hpp"
#include "common/files.hpp"
#include "common/log.hpp"
#include "common/scratch_folder.hpp"
#include "formats/fields/quote.hpp"
#include "retrieval/runs.hpp"
#include "retrieval/searcher.hpp"
#include "retrieval/tokenizer.hpp"

#include <algorithm>
#include <ctime>
#include <memory>
#include <optional>
#include <system_error>
#include <thread>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace touchstone::retrieval {
namespace {

namespace fs = std::filesystem;

/// Topics whose lines are in memory: with 100 documents each, some 7 MB.
constexpr std::size_t kTopicsAtOnce = 1024;

/// Where indexes are: the folder of the user, or one that is removed at the end.
class IndexPlace {
 public:
  IndexPlace(const fs::path& work, const fs::path& temporary) : work_(work) {
    if (!work.empty()) return;
    if (temporary.empty())
      scratch_ = std::make_unique<ScratchFolder>("retrieve");
    else
      scratch_.reset(new ScratchFolder(ScratchFolder::at(temporary / "retrieve-")));
  }
  const fs::path& path() const noexcept { return scratch_ ? scratch_->path() : work_; }

 private:
  const fs::path& work_;
  std::unique_ptr<ScratchFolder> scratch_;
};

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The baseline systems that the tags name. Throws ConfigError for a tag of no system, and for the dense system if
/// there are no vectors.
std::vector<const System*> chosen_systems(const RetrieveOptions& options) {
  const auto& tags = options.systems;
  std::vector<const System*> chosen;
  for (const auto& system : systems()) {
    if (tags.empty() || std::find(tags.begin(), tags.end(), system.tag) != tags.end()) chosen.push_back(&system);
  }
  for (const auto& tag : tags) {
    const bool is_known =
        std::any_of(systems().begin(), systems().end(), [&](const System& s) { return s.tag == tag; });
    if (is_known) continue;
    if (tag == options.dense_tag && options.dense) continue;
    std::string all;
    for (const auto& system : systems()) all.append(all.empty() ? "" : ", ").append(system.tag);
    if (tag == options.dense_tag) {
      throw ConfigError("the system " + tag +
                        " searches vectors that you give, because the program has no model that makes them: name them "
                        "with --embeddings, --embedding-ids and --query-embeddings; without vectors there are " +
                        all);
    }
    throw ConfigError("there is no system " + formats::fields::quote_for_message(tag) + "; choose from " + all +
                      ", or " + options.dense_tag + " with --embeddings");
  }
  return chosen;
}

/// The fields that the systems work on.
FieldSet fields_of(const std::vector<const System*>& chosen) {
  FieldSet fields;
  for (const auto* system : chosen) {
    fields.set(static_cast<std::size_t>(system->field));
    if (system->method == Method::kCocitation)
      fields.set(static_cast<std::size_t>(Field::kAll));  // of its first search
  }
  return fields;
}

/// The words of the topics, as they are and stemmed.
TermSet words_of(std::span<const Topic> topics, const std::string& stemmer) {
  Tokenizer tokenizer(stemmer);
  TermSet words;
  for (const auto& topic : topics) {
    tokenizer.add(topic.text);
    for (auto& [word, count] : tokenizer.take_words(true)) words.insert(std::move(word));
    for (auto& [word, count] : tokenizer.take_stems(false)) words.insert(std::move(word));
  }
  return words;
}

/// Name of the stemmer that documents and topics get.
std::string stemmer_for(const RetrieveOptions& options, const CollectionSource& source) {
  if (options.stemmer) {
    const auto stemmer = stemmer_of(*options.stemmer);
    if (stemmer.empty() && *options.stemmer != "none")
      throw ConfigError("there is no stemmer for " + formats::fields::quote_for_message(*options.stemmer) +
                        "; give a language code such as en or de, or none");
    return stemmer;
  }
  const auto language = source.language();
  const auto stemmer = stemmer_of(language.empty() ? "en" : language);
  if (language.empty())
    log_info("{} does not say its language: words are stemmed as English (--stemmer changes this)",
             source.corpus_file().string());
  if (stemmer.empty())
    log_info("there is no stemmer for the language {}: systems with stemming take words as they are", language);
  return stemmer;
}

void create_out(const fs::path& out) {
  std::error_code error;
  fs::create_directories(out, error);
  if (error || !fs::is_directory(out))
    throw StorageError("the folder " + out.string() + " cannot be made (" +
                       (error ? error.message() : "a file is in the way") + "); name another one with --out");
}

/// Writes the run of one system, topic after topic. There is no file if it finds nothing. Not thread-safe.
class RunWriter {
 public:
  RunWriter(const fs::path& out, std::string tag, std::string description)
      : result_{tag, std::move(description), out / (tag + ".run"), 0} {}

  /// \param lines  of one topic; may be empty
  void add(const std::string& lines) {
    if (lines.empty()) return;
    if (!file_) file_.emplace(result_.run);
    file_->write(lines);
    ++result_.answered;
  }
  /// Nothing if the system found nothing for any topic.
  std::optional<SystemResult> finish() {
    if (!file_) return std::nullopt;
    file_->finish();
    return std::move(result_);
  }

 private:
  SystemResult result_;
  std::optional<TextWriter> file_;
};

class Retrieval {
 public:
  Retrieval(const RetrieveOptions& options, CollectionSource& source) : options_(options), source_(source) {}

  RetrieveResult run() {
    const auto chosen = chosen_systems(options_);
    const auto topics = source_.topics();
    result_.stemmer = stemmer_for(options_, source_);
    create_out(options_.out);
    const IndexPlace place(options_.work, options_.temporary);
    const double start = cpu_seconds();
    // An index that is kept serves later runs with other systems and topics.
    TermSet words;
    IndexOptions wanted{result_.stemmer, options_.links};
    wanted.stop = options_.stop;
    if (options_.work.empty()) {
      const auto any = [&](auto is) {
        return std::any_of(chosen.begin(), chosen.end(), [&](auto* s) { return is(*s); });
      };
      wanted.fields = fields_of(chosen);
      wanted.has_graph = any([](const System& system) { return needs_links(system); });
      words = words_of(topics, result_.stemmer);
      if (!any([](const System& system) { return system.method == Method::kFeedback; })) wanted.words = &words;
    }
    const auto index = Index::open_or_build(place.path(), source_, options_.source.unit, wanted);
    const double indexed = cpu_seconds();
    result_.documents = index.size();
    result_.topics = topics.size();
    result_.index_was_built = index.was_built();
    result_.index_cpu_seconds = indexed - start;
    answer(index, topics, chosen);
    if (options_.dense) {
      const auto rankings = search_dense(index, topics, *options_.dense, options_.depth);
      RunWriter run(options_.out, options_.dense_tag, "inner products of vectors, exact");
      for (std::size_t i = 0; i < topics.size(); ++i)
        run.add(run_lines(index, topics[i].id, rankings[i], options_.dense_tag));
      finish(run, options_.dense_tag);
    }
    for (const auto& run : options_.runs) {
      auto checked = check_run(run, topics, [&](std::string_view docid) { return index.find(docid) >= 0; });
      result_.systems.push_back({std::move(checked.tag), "run of another system", run, checked.answered});
    }
    result_.search_cpu_seconds = cpu_seconds() - indexed;
    return std::move(result_);
  }

 private:
  void answer(const Index& index, std::span<const Topic> topics, const std::vector<const System*>& chosen) {
    tbb::enumerable_thread_specific<Searcher> searchers([&] { return Searcher(index, result_.stemmer); });
    for (const auto* system : chosen) {
      if (auto reason = why_left_out(*system, index); !reason.empty()) {
        leave_out(std::string(system->tag), std::move(reason));
        continue;
      }
      const std::string tag(system->tag);
      RunWriter run(options_.out, tag, describe(*system));
      for (std::size_t first = 0; first < topics.size(); first += kTopicsAtOnce) {
        std::vector<std::string> lines(std::min(kTopicsAtOnce, topics.size() - first));
        tbb::parallel_for(std::size_t{0}, lines.size(), [&](std::size_t i) {
          if (options_.stop != nullptr) options_.stop->check();
          const auto& topic = topics[first + i];
          lines[i] = run_lines(index, topic.id, searchers.local().search(*system, topic, options_.depth), tag);
        });
        for (const auto& of_topic : lines) run.add(of_topic);
      }
      finish(run, tag);
    }
  }

  void finish(RunWriter& run, const std::string& tag) {
    if (auto result = run.finish()) {
      result_.systems.push_back(std::move(*result));
    } else {
      leave_out(tag, "it finds nothing for any topic");
    }
  }

  void leave_out(const std::string& tag, std::string reason) {
    result_.left_out.push_back({tag, std::move(reason)});
    const auto old = options_.out / (tag + ".run");
    if (fs::exists(old))
      log_warn(
          "{} is from an earlier run, perhaps on another collection; remove it before you score the runs of this "
          "folder",
          old.string());
  }

  const RetrieveOptions& options_;
  CollectionSource& source_;
  RetrieveResult result_;
};

}  // namespace

RetrieveResult retrieve(const RetrieveOptions& options) {
  const auto source = open_collection(options.collection, options.source);
  RetrieveResult result;
  const int threads =
      options.threads > 0 ? options.threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  // By default TBB allows no more threads than cores and warns on standard error.
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  tbb::task_arena(threads).execute([&] { result = Retrieval(options, *source).run(); });
  return result;
}

}  // namespace touchstone::retrieval
