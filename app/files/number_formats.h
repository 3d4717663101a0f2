#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/base/error.h"
#include "app/document/document.h"
#include "core/layer/trace.h"

namespace lab::files {

/// Which numbers of a document to write.
struct NumberRequest {
  std::optional<attention::Stage> stage;  ///< unset: every stage
  std::optional<attention::Index> head;   ///< from 0; unset: every head
};

/// A file format for numbers.
struct NumberFormat {
  std::string_view ending;    ///< with the dot
  std::string_view name;      ///< for people: "CSV"
  bool holds_several = true;  ///< stages in one file
  /// The bytes of the file; fails with kUsage when this format cannot hold what was requested.
  Expected<std::string> (*encode)(const Document& document, const attention::Trace& trace,
                                  const NumberRequest& request);
};

/// Every format of numbers, in the order of menus.
std::span<const NumberFormat> number_formats();

/// The format of files with that ending (.csv, .npy, .npz, .json), or null.
const NumberFormat* find_number_format(std::string_view ending);

}  // namespace lab::files
