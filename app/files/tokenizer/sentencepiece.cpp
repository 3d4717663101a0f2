#include "app/files/tokenizer/sentencepiece.h"

#include <bit>
#include <cstddef>
#include <cstdint>

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"

namespace lab::files {
namespace {

// How a field is stored (the encoding of Protocol Buffers).
enum class WireType { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

// A field of a message.
struct ProtoField {
  std::uint64_t number = 0;
  WireType type = WireType::kVarint;
  std::uint64_t value = 0;   // of a varint or of fixed size
  std::string_view bytes;    // of a text or a message
  std::size_t place = 0;     // where it begins in the file
  std::size_t contents = 0;  // where its bytes begin
};

// The fields of a message, one after the other.
class ProtoFields {
 public:
  // `bytes` begin at `place` of the file.
  ProtoFields(std::string_view bytes, std::size_t place) : bytes_(bytes), place_(place) {}

  bool at_end() const { return at_ == bytes_.size(); }

  ProtoField next() {
    ProtoField field;
    field.place = place_ + at_;
    const std::uint64_t tag = varint();
    field.number = tag >> 3U;
    field.type = static_cast<WireType>(tag & 7U);
    if (field.number == 0) refuse("there is no field 0");
    switch (field.type) {
      case WireType::kVarint:
        field.value = varint();
        break;
      case WireType::kFixed64:
        field.value = little_endian(8);
        break;
      case WireType::kFixed32:
        field.value = little_endian(4);
        break;
      case WireType::kBytes: {
        const std::uint64_t size = varint();
        field.contents = place_ + at_;
        field.bytes = taken(size);
        break;
      }
      default:
        refuse("a field is stored in a way that is not known");
    }
    return field;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw BadInput("byte " + std::to_string(place_ + at_) + ": " + problem);
  }
  std::string_view taken(std::uint64_t size) {
    if (size > bytes_.size() - at_)
      refuse("the file is cut short or damaged: " + std::to_string(size) + " bytes should follow");
    const std::string_view part = bytes_.substr(at_, static_cast<std::size_t>(size));
    at_ += part.size();
    return part;
  }
  std::uint64_t varint() {
    constexpr unsigned kLongest = 70;  // bits, 7 in a byte
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < kLongest; shift += 7) {
      const auto byte = static_cast<unsigned char>(taken(1).front());
      value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
      if (byte < 0x80U) return value;
    }
    refuse("a number has more than 10 bytes");
  }
  std::uint64_t little_endian(std::size_t size) {
    const std::string_view part = taken(size);
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;)
      value = (value << 8U) | static_cast<unsigned char>(part[i]);
    return value;
  }

  std::string_view bytes_;
  std::size_t place_ = 0;
  std::size_t at_ = 0;
};

[[noreturn]] void refuse_field(const ProtoField& field, const std::string& problem) {
  throw BadInput("byte " + std::to_string(field.place) + ": " + problem);
}

void check_type(const ProtoField& field, WireType type, const char* name) {
  if (field.type != type) refuse_field(field, std::string(name) + " is stored as something else");
}

std::string proto_text(const ProtoField& field, const char* name) {
  check_type(field, WireType::kBytes, name);
  if (!is_utf8(field.bytes)) refuse_field(field, std::string(name) + " is not valid UTF-8");
  return std::string(field.bytes);
}

bool proto_flag(const ProtoField& field, const char* name) {
  check_type(field, WireType::kVarint, name);
  return field.value != 0;
}

int proto_id(const ProtoField& field, const char* name) {
  check_type(field, WireType::kVarint, name);
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(field.value));
}

ProtoFields proto_fields(const ProtoField& field, const char* name) {
  check_type(field, WireType::kBytes, name);
  return {field.bytes, field.contents};
}

SentencePiece piece_in(ProtoFields fields) {
  SentencePiece piece;
  while (!fields.at_end()) {
    const ProtoField field = fields.next();
    switch (field.number) {
      case 1:
        piece.text = proto_text(field, "a piece");
        break;
      case 2:
        check_type(field, WireType::kFixed32, "a score");
        piece.score = std::bit_cast<float>(static_cast<std::uint32_t>(field.value));
        if (!(piece.score - piece.score == 0)) refuse_field(field, "a score is not finite");
        break;
      case 3:
        check_type(field, WireType::kVarint, "the type of a piece");
        if (field.value < 1 || field.value > 6)
          refuse_field(field, "there is no type of pieces " + std::to_string(field.value));
        piece.type = static_cast<PieceType>(field.value);
        break;
      default:
        break;
    }
  }
  return piece;
}

// How the model was trained.
void read_trainer_spec(ProtoFields fields, SentencePieceModel& model) {
  while (!fields.at_end()) {
    const ProtoField field = fields.next();
    switch (field.number) {
      case 3:
        check_type(field, WireType::kVarint, "model_type");
        model.unigram = field.value == 1;
        break;
      case 24:
        model.blank_at_end = proto_flag(field, "treat_whitespace_as_suffix");
        break;
      case 35:
        model.byte_fallback = proto_flag(field, "byte_fallback");
        break;
      case 40:
        model.unk_id = proto_id(field, "unk_id");
        break;
      case 41:
        model.bos_id = proto_id(field, "bos_id");
        break;
      case 42:
        model.eos_id = proto_id(field, "eos_id");
        break;
      case 45:
        model.unk_piece = proto_text(field, "unk_piece");
        break;
      case 46:
        model.bos_piece = proto_text(field, "bos_piece");
        break;
      case 47:
        model.eos_piece = proto_text(field, "eos_piece");
        break;
      default:
        break;
    }
  }
}

// How text is written before it is cut.
void read_normalizer_spec(ProtoFields fields, SentencePieceModel& model) {
  while (!fields.at_end()) {
    const ProtoField field = fields.next();
    switch (field.number) {
      case 2:
        check_type(field, WireType::kBytes, "precompiled_charsmap");
        model.charsmap = field.bytes;
        break;
      case 3:
        model.add_dummy_prefix = proto_flag(field, "add_dummy_prefix");
        break;
      case 4:
        model.remove_extra_whitespaces = proto_flag(field, "remove_extra_whitespaces");
        break;
      case 5:
        model.escape_whitespaces = proto_flag(field, "escape_whitespaces");
        break;
      default:
        break;
    }
  }
}

}  // namespace

SentencePieceModel read_sentencepiece(std::string_view bytes) {
  constexpr std::size_t kMostPieces = std::size_t{1} << 22U;  // as many as a tokenizer may have
  SentencePieceModel model;
  for (ProtoFields fields(bytes, 0); !fields.at_end();) {
    const ProtoField field = fields.next();
    if (field.number == 1) {
      if (model.pieces.size() == kMostPieces) refuse_field(field, "there are too many pieces");
      model.pieces.push_back(piece_in(proto_fields(field, "a piece")));
    } else if (field.number == 2) {
      read_trainer_spec(proto_fields(field, "trainer_spec"), model);
    } else if (field.number == 3) {
      read_normalizer_spec(proto_fields(field, "normalizer_spec"), model);
    }
  }
  if (model.pieces.empty()) throw BadInput("it has no pieces of SentencePiece");
  return model;
}

}  // namespace lab::files
