#pragma once

#include "retrieval/document.hpp"
#include "retrieval/index.hpp"
#include "retrieval/npy_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace touchstone::retrieval {

/// For each query vector the `depth` rows with the greatest inner products. All pairs are computed: the search is
/// exact. Products are summed in single precision in a fixed order, so that results do not depend on the number of
/// threads (those of the caller's TBB arena). Memory: the queries, and for each thread 1024 rows and the best of each
/// query. \param documents  number of the document of each row Equal products: by docid in byte order. Throws
/// FormatError if the widths differ, and as NpyFile::read_rows does.
std::vector<Ranking> search_vectors(const Index& index, const NpyFile& rows, std::span<const std::uint32_t> documents,
                                    const NpyFile& queries, std::size_t depth);

struct DenseFiles {
  std::filesystem::path vectors;    ///< of documents
  std::filesystem::path ids;        ///< their docids, one a line
  std::filesystem::path queries;    ///< vectors of the topics
  std::filesystem::path query_ids;  ///< their topics, one a line; empty: in the order of the topics
};

/// Reads the files and answers all topics; in the order of `topics`, empty for a topic without a vector. Throws
/// FormatError if files do not fit to each other, to the collection or to the topics.
std::vector<Ranking> search_dense(const Index& index, std::span<const Topic> topics, const DenseFiles& files,
                                  std::size_t depth);

}  // namespace touchstone::retrieval
