#include "app/files/open.h"

#include <algorithm>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/base/unicode_text.h"
#include "app/embedded_session/embedded_session.h"
#include "app/files/examples_index.h"
#include "app/files/file_kind.h"
#include "app/files/import/csv.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/files/journal/journal.h"
#include "app/files/problem/attention_file.h"
#include "app/files/problem/problem_file.h"
#include "app/files/session/session.h"

namespace lab::files {
namespace {

Expected<Opened> opened_session(std::string_view text, attention::WorkWatch* watch) {
  return read_whole_session(text, watch).map([](Session&& session) {
    return Opened{std::move(session.document),
                  std::move(session.view),
                  std::move(session.notes),
                  !session.newer,
                  {}};
  });
}

// The session that a figure embeds. Saving may not overwrite the figure, which is more than that.
Expected<Opened> opened_figure(const embedded_session::CarrierKind& figure,
                               const std::string& bytes, attention::WorkWatch* watch) {
  const auto session = guarded([&] { return figure.session(bytes); });
  if (!session) return tl::make_unexpected(session.error());
  if (*session && file_kind(**session) == FileKind::kModelSession)
    return tl::make_unexpected(refusal(FileKind::kModelSession));
  if (*session) {
    auto opened = opened_session(**session, watch);
    if (opened) opened->is_session = false;
    return opened;
  }
  if (embedded_session::has_session_mark(figure, bytes))
    return fail(ErrorKind::kBadInput, "the session in this figure is damaged");
  return fail(ErrorKind::kBadInput,
              std::string(figure.name) +
                  " without a session; those that Attention Lab exports embed theirs");
}

Expected<Opened> opened_layer(const TensorFile& file, const std::string& title,
                              const MultiheadChoice& choice) {
  std::vector<std::string> notes;
  return document_from_multihead(file, title, choice, notes).map([&](Document&& document) {
    return Opened{std::move(document), std::nullopt, std::move(notes), false, {}, {}};
  });
}

Expected<Opened> opened_problem(const TensorFile& file, const std::string& title) {
  return document_from_tensors(file, title).map([&](Document&& document) {
    return Opened{std::move(document), std::nullopt, misspelt_names(file), false, {}, {}};
  });
}

Expected<Opened> opened_attention(const TensorFile& file, const std::string& title,
                                  const MultiheadChoice& choice) {
  std::vector<std::string> notes;
  return document_from_attention(file, title, choice, notes).map([&](Document&& document) {
    return Opened{std::move(document), std::nullopt, std::move(notes), false, {}, {}};
  });
}

Expected<Opened> opened_tensors(const TensorFile& file, const std::string& title,
                                const MultiheadChoice& choice) {
  if (holds_multihead(file)) return opened_layer(file, title, choice);
  if (holds_attention(file)) return opened_attention(file, title, choice);
  return opened_problem(file, title);
}

// One array without a name.
Expected<Opened> opened_array(std::string_view bytes, const std::string& title,
                              const MultiheadChoice& choice) {
  return read_npy(bytes).and_then([&](Tensor&& tensor) -> Expected<Opened> {
    tensor.name = "attention";
    TensorFile file{{std::move(tensor)}, {}};
    if (holds_attention(file)) return opened_attention(file, title, choice);
    return tl::make_unexpected(refusal(FileKind::kNpy));
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
Expected<Opened> opened_table(std::string_view bytes, const std::string& title,
                              attention::WorkWatch* watch) {
  auto table = read_labelled_csv(bytes, watch);
  if (!table) return tl::make_unexpected(table.error());
  if (const std::string hole = lone_nan(*table); !hole.empty())
    return fail(ErrorKind::kBadInput, hole);
  if (!is_attention(table->values) && !is_cross_attention(*table))
    return tl::make_unexpected(refusal(FileKind::kTable));
  std::vector<std::string> notes;
  return document_from_attention_table(std::move(*table), title, notes)
      .map([&](Document&& document) {
        return Opened{std::move(document), std::nullopt, std::move(notes), false, {}, {}};
      });
}

}  // namespace

Expected<Opened> open_bytes(const std::string& bytes, const std::string& title,
                            attention::WorkWatch* watch, const MultiheadChoice& choice) {
  const auto from_tensors = [&](const TensorFile& file) {
    return opened_tensors(file, title, choice);
  };
  switch (const FileKind kind = file_kind(bytes)) {
    case FileKind::kFigure:
      return opened_figure(*embedded_session::carrier_kind(bytes), bytes, watch);
    case FileKind::kSession:
      return opened_session(bytes, watch);
    case FileKind::kSafetensors:
      return read_safetensors(bytes, watch).and_then(from_tensors);
    case FileKind::kNpz:
      return read_npz(bytes, watch).and_then(from_tensors);
    case FileKind::kUtf16:
      return decoded_text(bytes).and_then(
          [&](const std::string& text) { return open_bytes(text, title, watch, choice); });
    case FileKind::kNpy:
    case FileKind::kNpyStack:
      return opened_array(bytes, title, choice);
    case FileKind::kTable:
      return opened_table(bytes, title, watch);
    default:
      return tl::make_unexpected(refusal(kind));
  }
}

namespace {

Expected<Opened> open_file(const std::string& path, attention::WorkWatch* watch,
                           const MultiheadChoice& choice) {
  const bool is_input = path == "-";
  expect_reading(path, watch);
  const Expected<std::string> bytes = read_bytes(path, kLargestFile, watch);
  if (!bytes) return tl::make_unexpected(bytes.error());
  // a.problem.safetensors is called a
  const std::string name = file_name_of(path);
  const std::string title = is_input ? "standard input" : name.substr(0, name.find('.', 1));
  const std::string prefix = (is_input ? title : in_quotes(path)) + ": ";
  Expected<Opened> opened = open_bytes(*bytes, title, watch, choice);
  if (!opened) return fail(opened.error().kind, prefix + opened.error().message);
  for (std::string& note : opened->notes) note.insert(0, prefix);
  if (opened->document.title.empty()) opened->document.title = title;
  return opened;
}

}  // namespace

Expected<Opened> open_whole(const std::string& source, attention::WorkWatch* watch,
                            const MultiheadChoice& choice) {
  const std::vector<ExampleInfo> known = examples();
  const auto example = std::ranges::find_if(known, [&](const ExampleInfo& info) {
    return same_title(info.name, source) || same_title(info.title, source);
  });
  if (example != known.end()) return open_file(example->path, watch, choice);
  if (source != "-" && is_missing(source))
    return fail(ErrorKind::kIo, "there is no file or example " + in_quotes(source) +
                                    "; \"attention-lab examples\" lists the examples");
  const auto change = last_change(source);  // before it is read, so that no later one is missed
  return open_file(source, watch, choice).map([&](Opened&& opened) {
    if (source != "-") opened.path = source, opened.change = change;
    return std::move(opened);
  });
}

Expected<Document> open_document(const std::string& source, std::vector<std::string>* notes,
                                 attention::WorkWatch* watch, const MultiheadChoice& choice) {
  return open_whole(source, watch, choice).map([&](Opened&& opened) {
    if (notes) notes->insert(notes->end(), opened.notes.begin(), opened.notes.end());
    return std::move(opened.document);
  });
}

}  // namespace lab::files
