#include "app/files/file_kind.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/base/unicode_text.h"
#include "app/embedded_session/embedded_session.h"
#include "app/files/io/little_endian.h"
#include "app/files/tensors/npy.h"

namespace lab::files {
namespace {

bool looks_like_safetensors(std::string_view bytes) {
  constexpr std::uint64_t kLongestHeader = 100'000'000;
  return bytes.size() > 8 && bytes[8] == '{' &&
         load_little_endian(bytes.substr(0, 8)) <= kLongestHeader;
}

bool looks_like_json(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  const std::size_t at = bytes.find_first_not_of(" \t\r\n");
  return at != bytes.npos && bytes[at] == '{';
}

// Every tokenizer.json has a list of added tokens near its beginning, before the model.
bool looks_like_tokenizer(std::string_view text) {
  return text.find("\"added_tokens\"") != text.npos;
}

// "type": with that value, in quotes, wherever in the beginning it stands.
bool has_type(std::string_view text, std::string_view quoted) {
  constexpr std::string_view kType = "\"type\"", kBlanks = " \t\r\n";
  const std::size_t value = text.find(quoted);
  if (value == text.npos) return false;
  const std::size_t colon = text.substr(0, value).find_last_not_of(kBlanks);
  if (colon == text.npos || text[colon] != ':') return false;
  const std::size_t end = text.substr(0, colon).find_last_not_of(kBlanks);
  return end != text.npos && text.substr(0, end + 1).ends_with(kType);
}

bool looks_like_model_session(std::string_view text) {
  return has_type(text, "\"attention-lab model session\"");
}

bool is_zip(std::string_view bytes) {
  return bytes.starts_with("PK\x03\x04") || bytes.starts_with("PK\x05\x06");
}

// The name of the first file in an archive; empty if there is none.
std::string_view first_in_zip(std::string_view bytes) {
  constexpr std::size_t kNameLengthAt = 26, kNameAt = 30;
  if (bytes.size() < kNameAt) return {};
  return bytes.substr(kNameAt, load_little_endian(bytes.substr(kNameLengthAt, 2)));
}

// The first file in an archive of torch.save is NAME/data.pkl.
bool is_torch_zip(std::string_view bytes) { return first_in_zip(bytes).ends_with("data.pkl"); }

bool has_control_characters(std::string_view bytes) {
  return std::ranges::any_of(bytes, [](unsigned char c) {
    return c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f';
  });
}

// --- texts

// A first line "count dimension", as word2vec writes it, gives the dimension; else 0.
std::size_t promised_dimension(std::string_view line) {
  const auto fields = split_fields(line, Separator::kBlanks);
  if (fields.size() != 2 || !parse_number<std::size_t>(fields[0])) return 0;
  return parse_number<std::size_t>(fields[1]).value_or(0);
}

// The fields of a line; separators in quotes are part of their field.
std::vector<std::string_view> quoted_fields(std::string_view line, Separator separator) {
  if (separator == Separator::kBlanks || line.find('"') == line.npos)
    return split_fields(line, separator);
  const char end = separator == Separator::kComma ? ',' : separator == Separator::kTab ? '\t' : ';';
  std::vector<std::string_view> fields;
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i == line.size() || (line[i] == end && !quoted)) {
      fields.push_back(trimmed_field(line.substr(begin, i - begin)));
      begin = i + 1;
    } else if (line[i] == '"') {
      quoted = i == begin || (quoted ? false : begin < i && line[begin] == '"');
    }
  }
  return fields;
}

std::string_view without_quotes(std::string_view field) {
  const bool quoted = field.size() > 1 && field.front() == '"' && field.back() == '"';
  return quoted ? field.substr(1, field.size() - 2) : field;
}

// Placeholders for a missing number, accepted here so that the reader of the table can name their
// place.
bool is_hole(std::string_view field) {
  constexpr std::array<std::string_view, 5> kHoles{"", "NA", "N/A", "null", "None"};
  return std::ranges::find(kHoles, field) != kHoles.end();
}

// True for a line of numbers, which may begin with a label and have holes between them.
bool is_table_line(std::string_view line, Separator separator) {
  auto fields = quoted_fields(line, separator);
  if (fields.size() > 2 && fields.back().empty()) fields.pop_back();
  const bool blanks = separator == Separator::kBlanks;
  const std::size_t labels = blanks ? 0 : 1;
  if (fields.size() <= labels) return false;
  const std::span values = std::span(fields).subspan(labels);
  const auto number = [&](std::string_view field) {
    const std::string_view text = without_quotes(field);
    return is_number(text, allows_decimal_comma(separator) || text.size() != field.size());
  };
  return std::ranges::any_of(values, number) &&
         std::ranges::all_of(values, [&](auto field) { return number(field) || is_hole(field); });
}

// True for a word, which may contain blanks, followed by at least two numbers.
bool is_vector_line(std::string_view line) {
  const auto fields = split_fields(line, Separator::kBlanks);
  return fields.size() > 2 && !is_number(fields.front()) && is_number(fields.back()) &&
         is_number(fields[fields.size() - 2]);
}

constexpr std::array kSeparators = {Separator::kComma, Separator::kSemicolon, Separator::kTab,
                                    Separator::kBlanks};

// Counts the lines at the beginning of a text that look like words with vectors, and like tables.
struct Votes {
  int vectors = 0;
  std::array<int, kSeparators.size()> tables{};

  void add(std::string_view line) {
    if (trimmed_field(line).empty() || line == "#" || line.starts_with("# ")) return;
    if (is_vector_line(line)) ++vectors;
    for (std::size_t i = 0; i < kSeparators.size(); ++i)
      if (is_table_line(line, kSeparators[i])) ++tables[i];
  }
  int best_table() const { return *std::ranges::max_element(tables); }
};

Votes votes_of(std::string_view text) {
  constexpr int kLines = 20;
  Votes votes;
  text = without_byte_order_mark(text);
  const std::size_t last_end = text.find_last_of('\n');
  // The last line may be incomplete.
  if (text.size() > kKindBytes / 2 && last_end != text.npos) text = text.substr(0, last_end);
  for (int i = 0; i < kLines && !text.empty(); ++i) votes.add(take_line(text));
  return votes;
}

bool begins_as_word2vec(std::string_view text) {
  text = without_byte_order_mark(text);
  const std::size_t dimension = promised_dimension(take_line(text));
  return dimension > 0 && split_fields(take_line(text), Separator::kBlanks).size() > dimension;
}

FileKind text_kind(std::string_view text) {
  if (begins_as_word2vec(text)) return FileKind::kVectors;
  const Votes votes = votes_of(text);
  if (votes.vectors > votes.best_table()) return FileKind::kVectors;
  if (votes.best_table() > 0) return FileKind::kTable;
  const bool list = trimmed_field(without_byte_order_mark(text)).starts_with('[');
  return list ? FileKind::kBrackets : FileKind::kUnknown;
}

constexpr std::string_view kLfsStart = "version https://git-lfs.github.com/spec/";

bool is_web_page(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  const auto begins = [&](std::string_view tag) {
    return text.size() >= tag.size() &&
           std::ranges::equal(text.substr(0, tag.size()), tag,
                              [](char a, char b) { return to_lower(a) == b; });
  };
  return begins("<!doctype html") || begins("<html");
}

struct Beginning {
  std::string_view bytes;
  FileKind kind;
};
constexpr std::array kBeginnings = {
    Beginning{kNpyMagic, FileKind::kNpy},    Beginning{"\x80", FileKind::kPickle},
    Beginning{"\x89HDF", FileKind::kHdf5},   Beginning{"\x1F\x8B", FileKind::kGzip},
    Beginning{"GGUF", FileKind::kGguf},      Beginning{"\xFF\xFE", FileKind::kUtf16},
    Beginning{"\xFE\xFF", FileKind::kUtf16}, Beginning{kLfsStart, FileKind::kLfsPointer},
};

// True for UTF-8 whose last character may be cut off. Labels of a table may hold control
// characters.
bool is_utf8_beginning(std::string_view bytes) {
  constexpr std::size_t kLongestCharacter = 4;
  const std::size_t end = bytes.size() - std::min(bytes.size(), kLongestCharacter - 1);
  std::size_t at = 0;
  while (at < end) {
    const CodePoint point = code_point_at(bytes, at);
    if (!point.valid()) return false;
    at += point.size;
  }
  return true;
}

FileKind binary_kind(std::string_view bytes) {
  std::string_view rest = bytes;
  if (promised_dimension(take_line(rest)) > 0) return FileKind::kWord2VecBinary;
  return FileKind::kUnknown;
}

const char* why_not(FileKind kind) {
  switch (kind) {
    case FileKind::kEmpty:
      return "the file is empty";
    case FileKind::kNpy:
      return "a single .npy array, which belongs in a document: open one and drop the array on "
             "its window, or use \"attention-lab import\"; a problem needs X, W_Q, W_K, W_V and "
             "W_O together: save them with numpy.savez";
    case FileKind::kTable:
      return "a table of numbers, which belongs in a document: open one and drop the table on "
             "its window, or use \"attention-lab import\"";
    case FileKind::kVectors:
      return "word vectors, which belong in a document: open one and drop the file on its "
             "window, or use \"attention-lab import\"";
    case FileKind::kPickle:
      return "a Python pickle, which could run any program and is not read; save the tensors with "
             "safetensors.torch.save_file or numpy.savez instead";
    case FileKind::kTorchZip:
      return "a PyTorch file: a pickle could run any program and is not read; save the tensors "
             "with safetensors.torch.save_file instead";
    case FileKind::kHdf5:
      return "an HDF5 file; save the arrays with safetensors or numpy.savez instead";
    case FileKind::kGzip:
      return "compressed with gzip; unpack it first, with gunzip";
    case FileKind::kGguf:
      return "a model in GGUF, the format of llama.cpp, which is not read; convert it to a folder "
             "in Python with transformers: AutoModelForCausalLM.from_pretrained(FOLDER, "
             "gguf_file=NAME).save_pretrained(NEW), and the same with AutoTokenizer; then open NEW";
    case FileKind::kLfsPointer:
      return "a pointer of Git LFS, which stands for a file that was not fetched; run \"git lfs "
             "pull\" in its folder";
    case FileKind::kUtf16:
      return "text in UTF-16, which spreadsheets call Unicode text; save it as CSV in UTF-8";
    case FileKind::kBrackets:
      return "a list in brackets, as NumPy and JSON print it; save the array with numpy.save or "
             "numpy.savetxt";
    case FileKind::kTokenizer:
      return "a tokenizer, which splits sentences: open a session and choose the file under "
             "Tokens, or use \"attention-lab tokenize\"";
    case FileKind::kModelSession:
      return "a session of a trained model, which apply, attribute, check, compute, convert, "
             "explain, export and predict open by its file's name";
    case FileKind::kWord2VecBinary:
      return "word2vec's binary form; save the vectors as text instead, in Python with gensim's "
             "vectors.save_word2vec_format(path, binary=False)";
    default:
      return "neither a session (JSON, or a figure that embeds one) nor a problem (.safetensors "
             "or .npz), by what is in it; nor a matrix (.npy, CSV) or word vectors (text)";
  }
}

}  // namespace

FileKind file_kind(std::string_view start) {
  start = start.substr(0, kKindBytes);
  if (start.empty()) return FileKind::kEmpty;
  if (embedded_session::carrier_kind(start)) return FileKind::kFigure;
  if (looks_like_safetensors(start)) return FileKind::kSafetensors;
  if (is_zip(start)) return is_torch_zip(start) ? FileKind::kTorchZip : FileKind::kNpz;
  const auto known = std::ranges::find_if(
      kBeginnings, [&](const Beginning& beginning) { return start.starts_with(beginning.bytes); });
  if (known != kBeginnings.end() && known->kind == FileKind::kNpy)
    return npy_rank(start).value_or(0) > 2 ? FileKind::kNpyStack : FileKind::kNpy;
  if (known != kBeginnings.end()) return known->kind;
  if (looks_like_json(start)) {
    if (looks_like_model_session(start)) return FileKind::kModelSession;
    return looks_like_tokenizer(start) ? FileKind::kTokenizer : FileKind::kSession;
  }
  if (!has_control_characters(start)) return text_kind(start);
  const FileKind binary = binary_kind(start);
  const bool table =
      binary == FileKind::kUnknown && is_utf8_beginning(start) && table_separator(start);
  return table ? FileKind::kTable : binary;
}

bool names_session(std::string_view start) {
  return has_type(start.substr(0, kKindBytes), "\"attention-lab session\"");
}

bool begins_with_array(std::string_view start) { return first_in_zip(start).ends_with(".npy"); }

std::string download_mistake(std::string_view start) {
  if (start.starts_with(kLfsStart)) return why_not(FileKind::kLfsPointer);
  if (is_web_page(without_byte_order_mark(start)))
    return "a web page, as servers send it in place of a file that they do not give; download the "
           "file again";
  return {};
}

Error refusal(FileKind kind) { return {ErrorKind::kBadInput, why_not(kind)}; }

std::optional<Separator> named_separator(std::string_view start) {
  std::string_view rest = without_byte_order_mark(start);
  const std::string_view line = without_quotes(trimmed_field(take_line(rest)));
  if (line == "sep=,") return Separator::kComma;
  if (line == "sep=;") return Separator::kSemicolon;
  if (line == "sep=" || line == "sep=\t") return Separator::kTab;
  return std::nullopt;
}

std::optional<Separator> table_separator(std::string_view start) {
  if (const auto named = named_separator(start)) return named;
  const Votes votes = votes_of(start.substr(0, kKindBytes));
  const auto best = std::ranges::max_element(votes.tables);
  if (*best == 0) return std::nullopt;
  return kSeparators[static_cast<std::size_t>(best - votes.tables.begin())];
}

}  // namespace lab::files
