#pragma once

#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"

// A batch as a list of documents with one sentence each.

namespace lab {

/// Every sentence of the batch as a separate document, without the others and without padding, in
/// their order; the document itself when it has one. Fails with kBadInput when a sentence does not
/// fit the sizes that were chosen since.
Expected<std::vector<Document>> all_sentences(const Document& document);

/// `document` at the sentence that `batch` shows, and padded as that is. The document itself when
/// it has another number of sentences, or that one does not fit.
Document seen_as(const Document& document, const Batch& batch);

/// `first` with the sentences of `others` after its own, as a batch that is not padded.
/// Precondition: they have the weights, switches and lexicons of `first`, a single sentence each,
/// and there are at most kMostSentences. Fails with kBadInput as leaving a sentence does.
Expected<Document> join_sentences(Document first, const std::vector<Document>& others);

}  // namespace lab
