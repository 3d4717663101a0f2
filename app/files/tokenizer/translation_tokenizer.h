#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace lab::files {

/// What a tokenizer.json would say of the files of Marian (source.spm, target.spm, vocab.json) or
/// M2M-100 (sentencepiece.bpe.model, vocab.json) in `folder`, as transformers 5.24 reads them:
/// pieces are cut by SentencePiece itself and numbered by vocab.json. `of_target`: for the texts
/// that a decoder reads; null unless it has a tokenizer of its own. Null also when a file is not
/// there, or the class of the tokenizer is another. Throws Error when a file cannot be read, and
/// BadInput, naming it, when it is damaged or asks for what is not known here.
nlohmann::json translation_tokenizer(const std::string& folder, bool of_target);

}  // namespace lab::files
