#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "app/tokenizer/text/aligned_text.h"

namespace lab::tokenizer {

/// A regular expression, compiled: the engine behind Pattern. The program has Oniguruma's, a page
/// in a browser JavaScript's.
class Expression {
 public:
  /// Of `text`, in Oniguruma's syntax with the properties of characters that the reference has.
  /// Throws BadInput when it is no expression.
  explicit Expression(const std::string& text);
  ~Expression();
  /// Can be neither copied nor moved.
  Expression(const Expression&) = delete;
  Expression& operator=(const Expression&) = delete;

  /// The searches of one text, which share its limits.
  class Search;
  /// Begins the searches in `text`, which must outlive them.
  std::unique_ptr<Search> search(std::string_view text) const;

 private:
  struct Compiled;
  std::unique_ptr<const Compiled> compiled_;
};

/// See Expression::search().
class Expression::Search {
 public:
  virtual ~Search() = default;
  /// The first match that begins at byte `from` or later. Throws BadInput when it takes too many
  /// steps or too much memory.
  virtual std::optional<TextRange> first(std::size_t from) = 0;
};

}  // namespace lab::tokenizer
