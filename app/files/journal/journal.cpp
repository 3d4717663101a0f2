#include "app/files/journal/journal.h"

#include <sys/stat.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/base/bad_input.h"
#include "app/base/byte_text.h"
#include "app/base/json_cursor.h"
#include "app/base/machine_numbers.h"
#include "app/base/strict_json.h"
#include "app/document/commands/command.h"
#include "app/document/model/layer_command.h"
#include "app/document/model/layer_name.h"
#include "app/document/model/model_command.h"
#include "app/files/document_session.h"
#include "app/files/session/view_json.h"
#include "app/files/tokenizer/tokenizer_file.h"

namespace lab::files {
namespace {

using nlohmann::json;

constexpr const char* kJournalType = "attention-lab journal";
constexpr int kVersion = 2, kOldestVersion = 1;
constexpr std::size_t kSumDigits = 8;
constexpr char kGrows = '+', kHeld = '~', kSeen = '@';

std::uint32_t sum_of(std::uint32_t before, std::string_view content) {
  return static_cast<std::uint32_t>(
      ::crc32_z(before, reinterpret_cast<const Bytef*>(content.data()), content.size()));
}

std::string sum_text(std::uint32_t sum) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(sum >> shift & 0xff);
  return to_hex(bytes);
}

// Takes the lines of a journal one by one.
class LineReader {
 public:
  explicit LineReader(std::string_view bytes) : rest_(bytes) {}

  // What the next line says; nothing at the end, and where damage() tells of some.
  std::optional<std::string_view> next() {
    if (rest_.empty() || !damage_.empty()) return std::nullopt;
    ++number_;
    const std::size_t end = rest_.find('\n');
    const bool ends = end != rest_.npos;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(ends ? end + 1 : rest_.size());
    if (const auto content = content_of(line)) return content;
    if (ends) return damaged("is not as it was written");
    // A last line whose end alone is wrong was whole once.
    return content_of(line.substr(0, line.empty() ? 0 : line.size() - 1));
  }
  // Says that there is something wrong with the line that was read last.
  std::optional<std::string_view> damaged(const std::string& what) {
    damage_ = "line " + std::to_string(number_) + " " + what;
    return std::nullopt;
  }
  const std::string& damage() const { return damage_; }

 private:
  std::optional<std::string_view> content_of(std::string_view line) {
    if (line.size() < kSumDigits + 1 || line[kSumDigits] != ' ') return std::nullopt;
    const std::string_view content = line.substr(kSumDigits + 1);
    const std::uint32_t sum = sum_of(sum_, content);
    if (line.substr(0, kSumDigits) != sum_text(sum)) return std::nullopt;
    sum_ = sum;
    return content;
  }

  std::string_view rest_;
  std::uint32_t sum_ = 0;
  int number_ = 0;
  std::string damage_;
};

std::string read_path(const JsonCursor& head) {
  const auto hex = head.find("path_hex");
  if (!hex) return head.at("path").text();
  const auto bytes = from_hex(hex->text());
  if (!bytes) hex->refuse("should be two digits a byte");
  return *bytes;
}

JournalHead read_journal_head(std::string_view line) {
  const json parsed = parse_json(line);
  const JsonCursor object(parsed, "the first line");
  if (const JsonCursor type = object.object().at("type"); type.text() != kJournalType)
    type.refuse("should be " + in_quotes(kJournalType));
  const auto version = object.at("version").whole();
  if (version < kOldestVersion || version > kVersion)
    throw BadInput("it was written by another version of the program");
  JournalHead head;
  head.title = object.at("title").text();
  head.path = read_path(object);
  if (const auto saves = object.find("saves_there")) head.saves_there = saves->flag();
  head.edits = static_cast<std::size_t>(object.at("edits").whole());
  if (const auto time = object.find("file_time")) {
    if (!time->value().is_number_integer()) time->refuse("should be a whole number");
    head.file_time = time->value().get<std::int64_t>();
  }
  return head;
}

// Undo and redo, without the documents: each edit takes back or brings back what the last one did.
class Steps {
 public:
  // False when there is nothing to take back, or to bring back.
  bool add(RecordLine line) {
    if (line.text == kUndoLine) return move_last(done_, undone_);
    if (line.text == kRedoLine) return move_last(undone_, done_);
    undone_.clear();
    done_.push_back(std::move(line));
    return true;
  }
  std::vector<RecordLine> take() { return std::move(done_); }

 private:
  static bool move_last(std::vector<RecordLine>& from, std::vector<RecordLine>& to) {
    if (from.empty()) return false;
    to.push_back(std::move(from.back()));
    from.pop_back();
    return true;
  }

  std::vector<RecordLine> done_, undone_;
};

RecordLine edit_in(std::string_view content) {
  const bool grows = content.starts_with(kGrows);
  content.remove_prefix(grows ? 1 : 0);
  return {std::string(content), grows};
}

// What a session opens without is no reason to give up edits: nothing when it is not understood.
std::optional<SessionView> view_in(std::string_view content) {
  const auto view = guarded([&] {
    std::vector<std::string> notes;
    const json seen = parse_json(content);
    return read_view(JsonCursor(seen).at("view"), notes);
  });
  return view ? std::optional(*view) : std::nullopt;
}

void read_edits(LineReader& lines, Journal& journal) {
  Steps steps;
  std::optional<RecordLine> held;
  while (const auto line = lines.next()) {
    if (line->starts_with(kSeen)) {
      journal.view = view_in(line->substr(1));
      continue;
    }
    held.reset();
    if (line->starts_with(kHeld)) {
      held = RecordLine{std::string(line->substr(1))};
    } else if (!steps.add(edit_in(*line))) {
      lines.damaged("takes back what is not there");
    }
  }
  journal.commands = steps.take();
  if (held) journal.commands.push_back(std::move(*held));
  journal.damage = lines.damage();
}

bool begins_step(const std::vector<RecordLine>& commands, std::size_t index) {
  return index == 0 || !commands[index].grows;
}

// The name of a head is that of the edited layer, which need not be the one that is shown.
StepLabel label_of(const ModelCommand& edit) {
  const auto* const mix = std::get_if<SetHeadMix>(&edit.command);
  if (mix == nullptr || !edit.layer) return {};
  return [mix = *mix, name = model_head_name(*edit.layer, mix->head)] {
    return head_mix_label(mix, name);
  };
}

// An edit of a layer of a trained model. Returns its label.
Expected<StepLabel> preview_in_model(History& history, const std::string& line) {
  const auto command = model_command_from_json_line(line);
  if (!command) return tl::make_unexpected(command.error());
  const auto committed = std::make_shared<const Document>(history.committed());
  return history
      .attempt(
          committed,
          [&](const Document& seen) { return apply_at(seen, command->command, command->layer); })
      .and_then([&](const Attempt& dry_run) { return history.preview(command->command, dry_run); })
      .map([&] { return label_of(*command); });
}

Expected<void> execute(History& history, const RecordLine& line, std::size_t step) {
  if (history.committed().layer.model) {
    auto label = preview_in_model(history, line.text);
    if (!label) return tl::make_unexpected(label.error());
    history.commit_merged(std::to_string(step), std::move(*label));
    return {};
  }
  const auto command = read_command(line.text);
  if (!command) return tl::make_unexpected(command.error());
  if (auto shown = history.preview(*command); !shown) return shown;
  history.commit_merged(std::to_string(step));
  return {};
}

Replayed replayed(Document base, const Journal& journal) {
  Replayed outcome{History(std::move(base)), journal.damage};
  std::size_t step = 0;
  for (std::size_t i = 0; i < journal.commands.size(); ++i) {
    if (begins_step(journal.commands, i)) ++step;
    const auto done = execute(outcome.history, journal.commands[i], step);
    if (done) continue;
    outcome.damage = "command " + std::to_string(i + 1) + ": " + done.error().message;
    break;
  }
  return outcome;
}

}  // namespace

std::optional<std::int64_t> last_change(const std::string& path) {
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) != 0) return std::nullopt;
  constexpr std::int64_t kNanoseconds = 1'000'000'000;
  return std::int64_t{status.st_mtim.tv_sec} * kNanoseconds + status.st_mtim.tv_nsec;
}

std::string JournalLines::line(std::string_view content) {
  sum_ = sum_of(sum_, content);
  std::string text = sum_text(sum_) + ' ';
  text += content;
  return text += '\n';
}

std::string JournalLines::begin(const JournalHead& head, const Document& base) {
  sum_ = 0;
  nlohmann::ordered_json object{
      {"type", kJournalType}, {"version", kVersion}, {"title", storable(head.title)}};
  if (storable(head.path) == head.path) {
    object["path"] = head.path;
  } else {
    object["path_hex"] = to_hex(head.path);
  }
  if (!head.saves_there) object["saves_there"] = false;
  object["edits"] = head.edits;
  if (head.file_time) object["file_time"] = *head.file_time;
  std::string session = journal_session(base);
  std::erase(session, '\n');  // in texts it is \n
  const std::string first = line(object.dump());
  return first + line(session);
}

std::string JournalLines::edit(const RecordLine& edit) {
  return line(edit.grows ? kGrows + edit.text : edit.text);
}

std::string JournalLines::held(const std::string& command) { return line(kHeld + command); }

std::string JournalLines::view(const SessionView& view) {
  JsonWriter out;
  out.begin('{');
  write_view(out, view);
  out.end('}');
  std::string text = out.take();
  std::erase(text, '\n');
  return line(kSeen + text);
}

Expected<Journal> read_journal(std::string_view bytes) {
  return guarded([&] {
    LineReader lines(bytes);
    const auto head = lines.next();
    if (!head) throw BadInput(lines.damage().empty() ? "it ends in line 1" : lines.damage());
    Journal journal;
    journal.head = read_journal_head(*head);
    const auto base = lines.next();
    if (!base) throw BadInput(lines.damage().empty() ? "it ends in line 2" : lines.damage());
    journal.base = *base;
    read_edits(lines, journal);
    return journal;
  });
}

std::size_t edits_in(const Journal& journal) {
  std::size_t edits = journal.head.edits;
  for (std::size_t i = 0; i < journal.commands.size(); ++i) {
    if (begins_step(journal.commands, i)) ++edits;
  }
  return edits;
}

Expected<Replayed> replay(const Journal& journal, attention::WorkWatch* watch) {
  auto base = read_journal_session(journal.base, watch);
  if (!base && base.error().type == ErrorType::kBadInput)
    return fail(ErrorType::kBadInput, "its base is no session: " + base.error().message);
  if (!base) return tl::make_unexpected(base.error());
  return guarded([&] { return replayed(std::move(*base), journal); });
}

}  // namespace lab::files
