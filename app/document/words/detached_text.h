#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "app/document/document.h"
#include "app/document/model/model_document.h"
#include "app/document/words/dropped_numbers.h"

namespace lab {

/// What an edit detached, and the numbers that it dropped.
struct DetachedReport {
  std::vector<std::string> words;   ///< the tokens that were removed
  std::vector<std::string> names;   ///< what belongs to them; not every one when they are very many
  std::size_t cells = 0;            ///< the number of these
  std::vector<std::string> counts;  ///< "1 override", "3 mask cells"
  DroppedNumbers dropped;
  /// True when nothing was detached or dropped.
  bool empty() const { return counts.empty() && dropped.empty(); }
  /// Adds cells of one kind: how many, and their names and tokens as far as given.
  void add(std::string count_text, std::size_t count, const std::vector<std::string>& cell_names,
           const std::vector<std::string>& removed);
};

/// What `after` has detached and `before` has not, and what it dropped.
DetachedReport detached_report(const Document& before, const Document& after);
/// The same of trained models, without dropped numbers; nothing when they show different texts of a
/// batch.
DetachedReport detached_report(const ModelDocument& before, const ModelDocument& after);

/// The report in pairs of sentences, the second of which says how to get it back; empty when there
/// are none.
std::string detached_text(const DetachedReport& report);
/// The report as a short note beside the name of the step; empty when there are none.
std::string detached_note(const DetachedReport& report);

/// What a person should know after an edit of a model: that overrides or patches were detached,
/// returned, or were cleared while they were detached. Empty when none of this happened.
std::string detached_or_returned_text(const ModelDocument& before, const ModelDocument& after);

}  // namespace lab
