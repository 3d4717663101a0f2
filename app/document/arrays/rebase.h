#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "app/document/document.h"

namespace lab {

/// Rebases edits from one version of a document to the next, when another program gives new
/// numbers: what was edited stays where it still fits, everything else is new.
///
/// Where both versions have the same sizes, a matrix that was not edited is that of the new
/// version, in an edited one the cells that were edited stay, and so do edited words, switches, the
/// mix of heads and overrides. Where the sizes differ, overrides and the mix of heads stay as far
/// as there is a place for them. Of a batch, the current sentence stays the same one, and
/// with each what was edited in it.
class Rebase {
 public:
  /// From `before` to `now`; both must outlive this.
  Rebase(const Document& before, const Document& now);
  ~Rebase();

  /// `edited`, an edit of the old version, as the same edit of the new one. Edits that share
  /// matrices share them afterwards.
  Document operator()(const Document& edited);

  /// True when both versions have the same sizes.
  bool same_sizes() const { return same_sizes_; }

  /// What of `edited` the new version has no place for, as a sentence in the language of the
  /// moment; empty: nothing.
  std::string lost(const Document& edited) const;

 private:
  // Both versions at another sentence of their batch.
  struct AtSentence;

  Document of_batch(const Document& edited);
  Document remapped(const Document& edited);
  Document refitted(const Document& edited) const;
  attention::SharedMatrix merged(const attention::SharedMatrix& edited,
                                 const attention::SharedMatrix& before,
                                 const attention::SharedMatrix& now);
  void remap_words(const Document& edited, Document& result) const;
  void remap_matrices(const Document& edited, Document& result);

  const Document& before_;
  const Document& now_;
  bool same_sizes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, attention::SharedMatrix> merged_;
  std::map<std::pair<std::size_t, bool>, std::unique_ptr<AtSentence>>
      at_sentences_;  // by sentence and padding
};

/// `now` with the matrices of `before` wherever they hold the same numbers, so that nothing is
/// computed again that did not change.
Document sharing_matrices(Document now, const Document& before);

}  // namespace lab
