#pragma once

#include "pipeline/flow/stage.hpp"

#include <string>

namespace touchstone::pipeline::automatic {

/// Headline numbers of the automatic collection, and where it is: what a build prints at its end. Throws StorageError
/// if the directory is not as its stage wrote it.
std::string collection_headline(const flow::WorkView& work);

}  // namespace touchstone::pipeline::automatic
