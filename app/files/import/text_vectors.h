#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "app/base/error.h"
#include "core/matrix.h"
#include "core/numerics/work_watch.h"

// Word vectors as text, a word a line with its numbers behind it: GloVe, and word2vec's text form,
// whose first line tells how many words and how many numbers.

namespace lab::files {

/// Longest line that is read, in bytes.
inline constexpr std::size_t kLongestVectorLine = std::size_t{1} << 20;

/// The vectors of the words that were asked for.
struct WordVectors {
  attention::Index dimension = 0;                                 ///< numbers of each vector
  std::map<std::string, attention::RowVector, std::less<>> rows;  ///< [1 × dimension], by word
  std::vector<std::string> lowered;  ///< words whose lower-case form was found in their place
  std::vector<std::string> missing;  ///< words that were not found
};

/// The vectors of `words`, of each the first in the file; a word that is not there has those of its
/// lower-case form. Reading ends as soon as every word was found as it is written. A word in the
/// file may have blanks in it: its numbers are the last ones of its line. Fails with kBadInput
/// naming the line when it has too few or too many numbers, one that is none, or is too long; when
/// vectors have more than Limits::kDModel numbers; when the file ends before the words that its
/// first line tells. Tells `watch`, which may be null, of bytes; throws as it does.
Expected<WordVectors> read_text_vectors(std::string_view text,
                                        const std::vector<std::string>& words,
                                        attention::WorkWatch* watch = nullptr);

/// The same from the file at `path`, of which a few lines at a time are in memory. Fails with kIo
/// when it cannot be read.
Expected<WordVectors> read_text_vectors_at(const std::string& path,
                                           const std::vector<std::string>& words,
                                           attention::WorkWatch* watch = nullptr);

}  // namespace lab::files
