#include "app/files/tensors/npy.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/visible_text.h"
#include "app/files/io/little_endian.h"
#include "app/files/tensors/elements.h"

// The format (NEP 1): magic, version, header length, a Python dictionary such as
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
// padded with spaces up to a line end, then the numbers.

namespace lab::files {
namespace {

constexpr std::size_t kLongestArrayHeader = 10'000;

struct Header {
  std::optional<std::string> descr;
  std::optional<bool> fortran_order;
  std::optional<std::vector<std::int64_t>> shape;
};

// Parses the dictionary of the header, and no other Python syntax.
class DictReader {
 public:
  explicit DictReader(std::string_view text) : text_(text) {}

  Header read() {
    Header header;
    expect('{');
    while (!accept('}')) {
      read_member(header);
      if (accept(',')) continue;
      expect('}');
      break;
    }
    skip_space();
    if (!text_.empty()) throw BadInput("the header continues after its dictionary");
    if (!header.descr || !header.fortran_order || !header.shape)
      throw BadInput("the header lacks one of descr, fortran_order, shape");
    return header;
  }

 private:
  void read_member(Header& header) {
    const std::string name = read_string();
    expect(':');
    if (name == "descr" && !header.descr) {
      header.descr = read_descr();
    } else if (name == "fortran_order" && !header.fortran_order) {
      header.fortran_order = read_bool();
    } else if (name == "shape" && !header.shape) {
      header.shape = read_shape();
    } else {
      throw BadInput("the header's member " + in_quotes(name) + " is unknown or there twice");
    }
  }

  std::string read_descr() {
    skip_space();
    if (text_.starts_with('['))
      throw BadInput(
          "a structured array (a table of records) is not supported; save each field "
          "as an array of its own");
    return read_string();
  }

  bool read_bool() {
    skip_space();
    for (const auto& [word, value] : {std::pair("True", true), std::pair("False", false)}) {
      if (!text_.starts_with(word)) continue;
      text_.remove_prefix(std::string_view(word).size());
      return value;
    }
    throw BadInput("the header's fortran_order should be True or False");
  }

  std::vector<std::int64_t> read_shape() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!accept(')')) {
      shape.push_back(read_size());
      const bool comma = accept(',');
      if (!comma && shape.size() == 1) throw BadInput("the header's shape is not a tuple");
      if (comma) continue;
      expect(')');
      break;
    }
    return shape;
  }

  std::int64_t read_size() {
    skip_space();
    const bool negative = text_.starts_with('-');
    const auto size = take_number<std::int64_t>(text_);
    if (!size || negative)
      throw BadInput("a size in the header's shape is not a whole number, or is too large");
    return *size;
  }

  std::string read_string() {
    skip_space();
    const char quote = text_.empty() ? '\0' : text_.front();
    if (quote != '\'' && quote != '"') throw BadInput("a string is missing in the header");
    const std::size_t end = text_.find(quote, 1);
    if (end == text_.npos) throw BadInput("a string in the header does not end");
    std::string value(text_.substr(1, end - 1));
    text_.remove_prefix(end + 1);
    return value;
  }

  void skip_space() {
    const std::size_t at = std::min(text_.find_first_not_of(" \t\r\n"), text_.size());
    text_.remove_prefix(at);
  }
  bool accept(char c) {
    skip_space();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) throw BadInput(std::string("the header lacks a ") + c);
  }

  std::string_view text_;
};

constexpr std::array kArrayTypes = std::to_array<std::pair<std::string_view, ElementType>>({
    {"b1", ElementType::kBool},
    {"u1", ElementType::kU8},
    {"i1", ElementType::kI8},
    {"u2", ElementType::kU16},
    {"i2", ElementType::kI16},
    {"u4", ElementType::kU32},
    {"i4", ElementType::kI32},
    {"u8", ElementType::kU64},
    {"i8", ElementType::kI64},
    {"f2", ElementType::kF16},
    {"f4", ElementType::kF32},
    {"f8", ElementType::kF64},
});

struct Format {
  ElementType type{};
  std::endian order = std::endian::little;
};

Format format_of(std::string_view descr) {
  if (descr.ends_with('O'))
    throw BadInput(
        "an array of Python objects is a pickle, which could run any program, and is not "
        "read; save numbers instead, such as array.astype('float32')");
  const auto at =
      std::ranges::find(kArrayTypes, descr.substr(std::min<std::size_t>(1, descr.size())),
                        &decltype(kArrayTypes)::value_type::first);
  const bool known_order = !descr.empty() && std::string_view("<>=|").find(descr[0]) != descr.npos;
  if (at == kArrayTypes.end() || !known_order)
    throw BadInput("dtype " + in_quotes(descr) + " is not supported; save real numbers, such as " +
                   "array.astype('float32')");
  return {at->second, descr[0] == '>' ? std::endian::big : std::endian::little};
}

// Takes the magic, version and header off `bytes`, which leaves the numbers. Returns the text of
// the header.
std::string_view take_header(std::string_view& bytes) {
  if (!bytes.starts_with(kNpyMagic)) throw BadInput("does not begin like a .npy file");
  if (bytes.size() < 8) throw BadInput("the file is cut off in its header");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3 || bytes[7] != 0)
    throw BadInput("version " + std::to_string(static_cast<unsigned char>(bytes[6])) + "." +
                   std::to_string(static_cast<unsigned char>(bytes[7])) +
                   " of the .npy format; versions 1.0, 2.0 and 3.0 are read");
  const std::size_t length_size = version == 1 ? 2 : 4;
  if (bytes.size() < 8 + length_size) throw BadInput("the file is cut off in its header");
  const std::uint64_t length = load_little_endian(bytes.substr(8, length_size));
  if (length > kLongestArrayHeader)
    throw BadInput("header length " + std::to_string(length) + "; at most " +
                   std::to_string(kLongestArrayHeader) + " bytes are allowed");
  bytes.remove_prefix(8 + length_size);
  if (length > bytes.size()) throw BadInput("the file is cut off in its header");
  const std::string_view header = bytes.substr(0, length);
  bytes.remove_prefix(length);
  return header;
}

// Reorders numbers from Fortran order (first index fastest) to C order (last index fastest).
std::vector<float> to_c_order(const std::vector<float>& values,
                              const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size(), 0);
  std::vector<std::int64_t> step(shape.size(), 1);
  for (std::size_t d = 1; d < shape.size(); ++d) step[d] = step[d - 1] * shape[d - 1];
  std::vector<float> result;
  result.reserve(values.size());
  std::int64_t from = 0;
  while (result.size() < values.size()) {
    result.push_back(values[static_cast<std::size_t>(from)]);
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += step[d];
      if (++index[d] < shape[d]) break;
      from -= step[d] * shape[d];
      index[d] = 0;
    }
  }
  return result;
}

constexpr std::uint32_t kLongestText = 4096;
constexpr char32_t kUnknownCharacter = 0xFFFD;
constexpr std::uint64_t kMostTexts = 100'000, kWideSize = 4;

// The text of 4-byte code points, padded with zeros.
std::string text_of_wide(std::string_view bytes, bool big_endian) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += kWideSize) {
    std::string unit(bytes.substr(at, kWideSize));
    if (big_endian) std::ranges::reverse(unit);
    const auto code = static_cast<char32_t>(load_little_endian(unit));
    if (code == 0) break;
    const bool known = code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF);
    append_utf8(text, known ? code : kUnknownCharacter);
  }
  return text;
}

std::string with_header(const char* descr, const std::string& shape) {
  std::string header =
      std::string("{'descr': '") + descr + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kBefore = 10;  // magic, version and header length
  header.append(63 - (kBefore + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes(kNpyMagic);
  bytes += '\x01';
  bytes += '\0';
  append_little_endian(bytes, header.size(), 2);
  return bytes + header;
}

}  // namespace

std::optional<std::size_t> npy_rank(std::string_view start) {
  const auto header = guarded([&] { return DictReader(take_header(start)).read(); });
  if (!header) return std::nullopt;
  const std::vector<std::int64_t>& shape = *header->shape;
  const auto first = std::ranges::find_if(shape, [](std::int64_t size) { return size != 1; });
  return static_cast<std::size_t>(shape.end() - first);
}

Tensor parse_npy(std::string_view bytes) {
  const Header header = DictReader(take_header(bytes)).read();
  const Format format = format_of(*header.descr);
  const std::int64_t count = element_count(*header.shape);
  const auto size = static_cast<std::uint64_t>(count * element_size(format.type));
  if (bytes.size() != size)
    throw BadInput(std::to_string(bytes.size()) + " bytes of numbers, but its shape (" +
                   shape_text(*header.shape) + ") takes " + std::to_string(size));
  Tensor tensor{"", *header.shape, to_floats(format.type, format.order, bytes)};
  if (*header.fortran_order) tensor.values = to_c_order(tensor.values, tensor.shape);
  return tensor;
}

std::optional<std::vector<std::string>> parse_npy_texts(std::string_view bytes) {
  const Header header = DictReader(take_header(bytes)).read();
  const std::string_view descr = *header.descr;
  const bool wide = descr.size() > 2 && descr[1] == 'U';
  const bool narrow = descr.size() > 2 && descr[1] == 'S';
  if ((!wide && !narrow) || header.shape->size() != 1) return std::nullopt;
  const auto length = parse_number<std::uint32_t>(descr.substr(2));
  const auto count = static_cast<std::uint64_t>(header.shape->front());
  if (!length || *length > kLongestText || count > kMostTexts ||
      bytes.size() != count * *length * (wide ? kWideSize : 1))
    throw BadInput("its texts do not have the size that the header says");
  std::vector<std::string> texts;
  const std::size_t size = bytes.size() / std::max<std::size_t>(1, count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view item = bytes.substr(i * size, size);
    texts.push_back(wide ? text_of_wide(item, descr[0] == '>')
                         : std::string(item.substr(0, item.find_last_not_of('\0') + 1)));
  }
  return texts;
}

Expected<Tensor> read_npy(std::string_view bytes) {
  return guarded([&] { return parse_npy(bytes); });
}

std::string write_npy(const Tensor& tensor) {
  std::string shape;
  for (const std::int64_t size : tensor.shape) {
    if (!shape.empty()) shape += ' ';
    shape += std::to_string(size) + ',';
  }
  if (tensor.shape.size() > 1) shape.pop_back();  // (3,) but (3, 4), as Python writes it
  std::string bytes = with_header("<f4", shape);
  append_floats(bytes, tensor.values);
  return bytes;
}

std::string write_npy_text(std::string_view text) {
  return with_header("|u1", std::to_string(text.size()) + ",").append(text);
}

}  // namespace lab::files
