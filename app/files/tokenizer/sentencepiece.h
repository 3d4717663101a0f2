#pragma once

#include <string>
#include <string_view>
#include <vector>

// The files of SentencePiece (tokenizer.model, spiece.model, source.spm …): a message of Protocol
// Buffers called ModelProto.

namespace lab::files {

/// What a piece is, by its number in the file.
enum class PieceType { kNormal = 1, kUnknown, kControl, kUserDefined, kUnused, kByte };

/// A piece of the vocabulary; its id is its place in the list.
struct SentencePiece {
  std::string text;
  float score = 0;  ///< a logarithmic probability, or minus the rank of a merge
  PieceType type = PieceType::kNormal;
};

/// A model as it was trained. What a file does not say has the default of its format.
struct SentencePieceModel {
  std::vector<SentencePiece> pieces;
  bool unigram = true;  ///< else pairs, words or characters
  bool byte_fallback = false;
  bool blank_at_end = false;  ///< the mark of a blank ends a word (treat_whitespace_as_suffix)
  int unk_id = 0, bos_id = 1, eos_id = 2;  ///< negative: there is none
  std::string unk_piece = "<unk>", bos_piece = "<s>", eos_piece = "</s>";
  std::string charsmap;  ///< see tokenizer::Precompiled; empty: text stays as it is
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
};

/// The model in `bytes`. Throws BadInput with the place when they are cut short or damaged, or have
/// no pieces. Allocates no more than a small multiple of their number.
SentencePieceModel read_sentencepiece(std::string_view bytes);

}  // namespace lab::files
