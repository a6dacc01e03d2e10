#pragma once

#include "common/digest.hpp"
#include "common/ids.hpp"
#include "storage/store.hpp"

#include <string>
#include <string_view>

namespace touchstone::pipeline::corpus {

/// Digests of all that a result depends on which a stage computes from the records of one page. A result with the same
/// digest in the work directory of an earlier dump is the same. Reads the family reading and the meta key kMetaReader.
/// Thread-safe.
class PageInputs {
 public:
  /// \param store  outlives this object
  /// \param rest   what the result depends on besides the records of the page, the wiki's own data (kMetaSite) and the
  ///               version of the program
  PageInputs(const storage::Store& store, std::string_view rest);

  /// Looks at pages in ascending order. Not thread-safe.
  class Walk {
   public:
    explicit Walk(const PageInputs& inputs)
        : inputs_(inputs), cursor_(inputs.store_.cursor(storage::Family::kReading)) {}
    /// All zeros if the source of the page does not tell. Throws StorageError.
    Digest128 of(PageId page);

   private:
    const PageInputs& inputs_;
    storage::Cursor cursor_;
    bool is_begun_ = false;
  };

 private:
  const storage::Store& store_;
  std::string date_;
  std::string rest_;  ///< a digest, as bytes
};

}  // namespace touchstone::pipeline::corpus
