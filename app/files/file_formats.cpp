#include "app/files/file_formats.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "app/base/bad_input.h"
#include "app/base/strings.h"
#include "app/base/unicode_text.h"
#include "app/embedded_session/embedded_session.h"
#include "app/files/import/csv.h"
#include "app/files/io/little_endian.h"
#include "app/files/problem/attention_file.h"
#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"
#include "app/files/tensors/npy.h"
#include "app/translation/words.h"

namespace lab::files {
namespace {

// --- recognising

bool is_figure(std::string_view start) { return embedded_session::carrier_type(start) != nullptr; }

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
  return looks_like_json(text) && text.find("\"added_tokens\"") != text.npos;
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
  return looks_like_json(text) && has_type(text, "\"attention-lab model session\"");
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
bool is_torch_zip(std::string_view bytes) {
  return is_zip(bytes) && first_in_zip(bytes).ends_with("data.pkl");
}

bool is_npy_stack(std::string_view bytes) {
  return bytes.starts_with(kNpyMagic) && npy_rank(bytes).value_or(0) > 2;
}

bool is_utf16(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
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

// --- opening

Expected<Opened> opened_session(const std::string& text, const Opening& opening) {
  return read_whole_session(text, opening.watch).map([](Session&& session) {
    return Opened{std::move(session.document),
                  std::move(session.view),
                  std::move(session.notes),
                  !session.newer,
                  {}};
  });
}

// The session that a figure embeds. Saving may not overwrite the figure, which is more than that.
Expected<Opened> opened_figure(const std::string& bytes, const Opening& opening) {
  const embedded_session::CarrierType& figure = *embedded_session::carrier_type(bytes);
  const auto session = guarded([&] { return figure.session(bytes); });
  if (!session) return tl::make_unexpected(session.error());
  if (*session && file_type(**session) == FileType::kModelSession)
    return tl::make_unexpected(refusal(FileType::kModelSession));
  if (*session) {
    auto opened = opened_session(**session, opening);
    if (opened) opened->is_session = false;
    return opened;
  }
  if (embedded_session::has_session_mark(figure, bytes))
    return fail(ErrorType::kBadInput, "the session in this figure is damaged");
  return fail(ErrorType::kBadInput,
              std::string(figure.name) +
                  " without a session; those that Attention Lab exports embed theirs");
}

Expected<Opened> opened_layer(const TensorFile& file, const Opening& opening) {
  std::vector<std::string> notes;
  return document_from_multihead(file, opening.title, opening.choice, notes)
      .map([&](Document&& document) {
        return Opened{std::move(document), std::nullopt, std::move(notes), false, {}, {}};
      });
}

Expected<Opened> opened_problem(const TensorFile& file, const Opening& opening) {
  return document_from_tensors(file, opening.title).map([&](Document&& document) {
    return Opened{std::move(document), std::nullopt, misspelt_names(file), false, {}, {}};
  });
}

Expected<Opened> opened_attention(const TensorFile& file, const Opening& opening) {
  std::vector<std::string> notes;
  return document_from_attention(file, opening.title, opening.choice, notes)
      .map([&](Document&& document) {
        return Opened{std::move(document), std::nullopt, std::move(notes), false, {}, {}};
      });
}

Expected<Opened> opened_tensors(const TensorFile& file, const Opening& opening) {
  if (holds_multihead(file)) return opened_layer(file, opening);
  if (holds_attention(file)) return opened_attention(file, opening);
  return opened_problem(file, opening);
}

// One array without a name.
Expected<Opened> opened_array(const std::string& bytes, const Opening& opening) {
  return read_npy(bytes).and_then([&](Tensor&& tensor) -> Expected<Opened> {
    tensor.name = "attention";
    TensorFile file{{std::move(tensor)}, {}};
    if (holds_attention(file)) return opened_attention(file, opening);
    return tl::make_unexpected(refusal(FileType::kNpy));
  });
}

// What to say of weights of which one is NaN in a row of numbers; empty for another table.
std::string lone_nan(const LabelledTable& table) {
  std::string place;
  for (attention::Index i = 0; i < table.values.rows(); ++i) {
    const auto row = table.values.row(i).array();
    if (!row.isNaN().any() || row.isNaN().all()) {
      if (!row.isNaN().all() && !((row >= 0).all() && std::abs(row.sum() - 1) < 0.01f)) return {};
      continue;
    }
    attention::Index j = 0;
    while (!std::isnan(row(j))) ++j;
    const auto field = j + (table.rows.empty() ? 1 : 2);
    if (place.empty())
      place = "line " + std::to_string(table.lines[static_cast<std::size_t>(i)]) + ", field " +
              std::to_string(field) +
              " is NaN; of attention weights, only a whole row may be, which is masked";
  }
  return place;
}

// The weights of one head; other tables go into a matrix of a document.
Expected<Opened> opened_table(const std::string& bytes, const Opening& opening) {
  auto table = read_labelled_csv(bytes, opening.watch);
  if (!table) return tl::make_unexpected(table.error());
  if (const std::string hole = lone_nan(*table); !hole.empty())
    return fail(ErrorType::kBadInput, hole);
  if (!is_attention(table->values) && !is_cross_attention(*table))
    return tl::make_unexpected(refusal(FileType::kTable));
  std::vector<std::string> notes;
  return document_from_attention_table(std::move(*table), opening.title, notes)
      .map([&](Document&& document) {
        return Opened{std::move(document), std::nullopt, std::move(notes), false, {}, {}};
      });
}

Expected<Opened> opened_safetensors(const std::string& bytes, const Opening& opening) {
  return read_safetensors(bytes, opening.watch).and_then([&](const TensorFile& file) {
    return opened_tensors(file, opening);
  });
}

Expected<Opened> opened_npz(const std::string& bytes, const Opening& opening) {
  return read_npz(bytes, opening.watch).and_then([&](const TensorFile& file) {
    return opened_tensors(file, opening);
  });
}

Expected<Opened> opened_utf16(const std::string& bytes, const Opening& opening) {
  return decoded_text(bytes).and_then([&](const std::string& text) {
    return open_bytes(text, opening.title, opening.watch, opening.choice);
  });
}

// --- the formats, in the order in which they are tried

constexpr auto kFileFormats = std::to_array<FileFormat>({
    {.type = FileType::kEmpty,
     .recognise = [](std::string_view start) { return start.empty(); },
     .why_not = "the file is empty"},
    {.type = FileType::kFigure,
     .recognise = is_figure,
     .open = opened_figure,
     .listed = tr_later("Figure"),
     .endings = {".png", ".svg", ".pdf", ".webp", ".html"}},
    {.type = FileType::kSafetensors,
     .recognise = looks_like_safetensors,
     .open = opened_safetensors,
     .listed = tr_later("Tensors"),
     .endings = {".safetensors"}},
    {.type = FileType::kTorchZip,
     .recognise = is_torch_zip,
     .why_not = "a PyTorch file: a pickle could run any program and is not read; save the tensors "
                "with safetensors.torch.save_file instead",
     .weights = ".bin"},
    {.type = FileType::kNpz,
     .recognise = is_zip,
     .open = opened_npz,
     .listed = tr_later("Tensors"),
     .endings = {".npz"}},
    {.type = FileType::kNpyStack,
     .recognise = is_npy_stack,
     .open = opened_array,
     .listed = tr_later("Array")},
    {.type = FileType::kNpy,
     .recognise = [](std::string_view start) { return start.starts_with(kNpyMagic); },
     .open = opened_array,
     .why_not = "a single .npy array, which belongs in a document: open one and drop the array on "
                "its window, or use \"attention-lab import\"; a problem needs X, W_Q, W_K, W_V and "
                "W_O together: save them with numpy.savez",
     .listed = tr_later("Array"),
     .endings = {".npy"}},
    {.type = FileType::kPickle,
     .recognise = [](std::string_view start) { return start.starts_with("\x80"); },
     .why_not =
         "a Python pickle, which could run any program and is not read; save the tensors with "
         "safetensors.torch.save_file or numpy.savez instead",
     .weights = ".bin"},
    {.type = FileType::kHdf5,
     .recognise = [](std::string_view start) { return start.starts_with("\x89HDF"); },
     .why_not = "an HDF5 file; save the arrays with safetensors or numpy.savez instead",
     .weights = ".h5"},
    {.type = FileType::kGzip,
     .recognise = [](std::string_view start) { return start.starts_with("\x1F\x8B"); },
     .why_not = "compressed with gzip; unpack it first, with gunzip"},
    {.type = FileType::kGguf,
     .recognise = [](std::string_view start) { return start.starts_with("GGUF"); },
     .why_not =
         "a model in GGUF, which attention-lab opens in its window, and attribute, check, compute, "
         "convert, export, predict and tokenize by its file's name",
     .listed = tr_later("Model"),
     .endings = {".gguf"}},
    {.type = FileType::kUtf16,
     .recognise = is_utf16,
     .open = opened_utf16,
     .why_not = "text in UTF-16, which spreadsheets call Unicode text; save it as CSV in UTF-8"},
    {.type = FileType::kLfsPointer,
     .recognise = [](std::string_view start) { return start.starts_with(kLfsStart); },
     .why_not = "a pointer of Git LFS, which stands for a file that was not fetched; run \"git lfs "
                "pull\" in its folder"},
    {.type = FileType::kModelSession,
     .recognise = looks_like_model_session,
     .why_not = "a session of a trained model, which apply, attribute, check, compute, convert, "
                "explain, export and predict open by its file's name"},
    {.type = FileType::kTokenizer,
     .recognise = looks_like_tokenizer,
     .why_not = "a tokenizer, which splits sentences: open a session and choose the file under "
                "Tokens, or use \"attention-lab tokenize\"",
     .listed = tr_later("Tokenizer")},
    {.type = FileType::kSession,
     .recognise = looks_like_json,
     .open = opened_session,
     .listed = tr_later("Session"),
     .endings = {".json"}},
    {.type = FileType::kVectors,
     .recognise = looks_like_vectors,
     .why_not = "word vectors, which belong in a document: open one and drop the file on its "
                "window, or use \"attention-lab import\"",
     .listed = tr_later("Vectors"),
     .endings = {".vec"}},
    {.type = FileType::kWord2VecBinary,
     .recognise = looks_like_binary_vectors,
     .why_not = "word2vec's binary form; save the vectors as text instead, in Python with gensim's "
                "vectors.save_word2vec_format(path, binary=False)"},
    {.type = FileType::kTable,
     .recognise = looks_like_table,
     .open = opened_table,
     .why_not = "a table of numbers, which belongs in a document: open one and drop the table on "
                "its window, or use \"attention-lab import\"",
     .listed = tr_later("Table"),
     .endings = {".csv", ".tsv"}},
    {.type = FileType::kBrackets,
     .recognise = looks_like_list,
     .why_not = "a list in brackets, as NumPy and JSON print it; save the array with numpy.save or "
                "numpy.savetxt"},
    {.type = FileType::kUnknown,
     .recognise = [](std::string_view) { return true; },
     .why_not = "neither a session (JSON, or a figure that embeds one) nor a problem (.safetensors "
                "or .npz), by what is in it; nor a matrix (.npy, CSV) or word vectors (text)"},
});

}  // namespace

std::span<const FileFormat> file_formats() { return kFileFormats; }

const FileFormat& file_format(FileType type) {
  return *std::ranges::find(kFileFormats, type, &FileFormat::type);
}

FileType file_type(std::string_view start) {
  start = start.substr(0, kTypeBytes);
  return std::ranges::find_if(kFileFormats,
                              [&](const FileFormat& format) { return format.recognise(start); })
      ->type;
}

Error refusal(FileType type) {
  const char* const why_not = file_format(type).why_not;
  return {ErrorType::kBadInput, why_not ? why_not : kFileFormats.back().why_not};
}

Expected<Opened> open_bytes(const std::string& bytes, const std::string& title,
                            attention::WorkWatch* watch, const MultiheadChoice& choice) {
  const FileType type = file_type(bytes);
  const auto open = file_format(type).open;
  return open ? open(bytes, {title, watch, choice}) : tl::make_unexpected(refusal(type));
}

bool names_session(std::string_view start) {
  return has_type(start.substr(0, kTypeBytes), "\"attention-lab session\"");
}

bool begins_with_array(std::string_view start) { return first_in_zip(start).ends_with(".npy"); }

std::string download_mistake(std::string_view start) {
  if (start.starts_with(kLfsStart)) return refusal(FileType::kLfsPointer).message;
  if (is_web_page(without_byte_order_mark(start)))
    return "a web page, as servers send it in place of a file that they do not give; download the "
           "file again";
  return {};
}

}  // namespace lab::files
