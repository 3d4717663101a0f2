#include "app/view/session/file_list.h"

#include <imgui.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "app/base/visible_text.h"
#include "app/files/file_formats.h"
#include "app/files/io/bytes.h"
#include "app/files/io/paths.h"
#include "app/lessons/reading/lesson_reader.h"
#include "app/translation/words.h"
#include "app/view/session/ask_file.h"
#include "app/view/session/dialog_parts.h"
#include "app/view/toolkit/box_input.h"
#include "app/view/toolkit/imgui_compat.h"
#include "app/view/toolkit/imgui_focus.h"
#include "app/view/widgets/dialog_text.h"
#include "app/view/widgets/widgets.h"

namespace lab::view {
namespace {

namespace fs = std::filesystem;
using files::FolderEntry;

constexpr float kFileRow = 26, kFileListAround = 330;
constexpr std::size_t kFileRows = 10;

bool is_parent(const FolderEntry& entry) { return entry.name == ".."; }

ListedFiles listed_in(Dialog dialog) {
  switch (dialog) {
    case Dialog::kSaveAs:
      return ListedFiles::kWritable;
    case Dialog::kTokenizer:
      return ListedFiles::kTokenizers;
    case Dialog::kOpenModel:
      return ListedFiles::kModels;
    case Dialog::kExploredText:
    case Dialog::kTrainingText:
      return ListedFiles::kTexts;
    default:
      return ListedFiles::kReadable;
  }
}

FileList& list_of(Ui& ui) {
  DialogState& dialog = ui.state.dialog;
  if (!dialog.files || dialog.files->number != dialog.number) {
    std::error_code none;
    FileList list;
    list.number = dialog.number;
    list.first = dialog.path;
    list.lists = listed_in(dialog.open);
    list.base = list.saves() ? fs::current_path(none).string() : default_folder(ui);
    dialog.files = std::make_shared<FileList>(std::move(list));
  }
  return *dialog.files;
}

std::size_t name_start(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? 0 : slash + 1;
}

std::string with_slash(std::string folder) {
  if (!folder.ends_with('/')) folder += '/';
  return folder;
}

// The folder part of the field as it is typed, or as it would have to be.
std::string typed_folder(const FileList& list, const std::string& path) {
  const std::size_t start = name_start(path);
  return start > 0 ? path.substr(0, start) : with_slash(list.base);
}

// What is typed of a name; nothing while the field is as it was when the dialog opened.
std::string typed_name(const FileList& list, const std::string& path) {
  return path == list.first ? std::string() : path.substr(name_start(path));
}

bool is_listed(const FileList& list, const std::string& name) {
  const std::string ending = files::ending_of(name);
  switch (list.lists) {
    case ListedFiles::kWritable:
      return files::check_document_path(name).has_value();
    case ListedFiles::kTokenizers:
      return ending == ".json";
    case ListedFiles::kModels:
      return name == "config.json" || ending == ".gguf";
    case ListedFiles::kTexts:
      return ending == ".txt" || ending == ".md";
    case ListedFiles::kReadable:
      break;
  }
  return *files::type_by_ending(name) != '\0';
}

bool matches(const FileList& list, const FolderEntry& entry, const std::string& typed) {
  if (entry.name.starts_with('.') != typed.starts_with('.')) return false;
  if (!entry.is_folder && !is_listed(list, entry.name)) return false;
  return files::name_key(entry.name).starts_with(files::name_key(typed));
}

void read_folder(FileList& list, const std::string& path) {
  std::string folder = files::full_path(typed_folder(list, path));
  if (folder == list.folder) return;
  list.all = files::entries_of_folder(folder);
  list.types.clear();
  list.folder = std::move(folder);
}

void choose_shown(FileList& list, const std::string& path) {
  const std::string typed = typed_name(list, path);
  std::vector<FolderEntry> shown;
  if (typed.empty() && fs::path(list.folder).has_relative_path()) shown.push_back({"..", true});
  std::ranges::copy_if(list.all, std::back_inserter(shown),
                       [&](const FolderEntry& entry) { return matches(list, entry, typed); });
  if (shown != list.shown) list.marked = -1;
  list.shown = std::move(shown);
}

std::string path_of(const FileList& list, const std::string& path, const FolderEntry& entry) {
  if (is_parent(entry)) {
    const fs::path here = fs::path(list.folder).parent_path();  // without the slash at its end
    return with_slash(here.parent_path().string());
  }
  return typed_folder(list, path) + entry.name + (entry.is_folder ? "/" : "");
}

void put(Ui& ui, FileList& list, std::string path) {
  ui.state.dialog.path = path;
  ui.state.dialog.problem.clear();
  list.replacement = std::move(path);
  list.marked = -1;
  ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
}

// The longest beginning that the names share, in the spelling of the first.
std::string shared_beginning(const std::vector<FolderEntry>& entries) {
  std::string shared = entries.front().name;
  for (const FolderEntry& entry : entries) {
    std::size_t length = 0;
    while (length < std::min(shared.size(), entry.name.size()) &&
           files::name_key(shared.substr(length, 1)) ==
               files::name_key(entry.name.substr(length, 1)))
      ++length;
    shared.resize(length);
  }
  return shared;
}

// The path with the name completed as far as it is known; nothing when there is nothing to add.
std::optional<std::string> completed(const FileList& list, const std::string& path) {
  if (list.marked >= 0)
    return path_of(list, path, list.shown[static_cast<std::size_t>(list.marked)]);
  std::vector<FolderEntry> known = list.shown;
  std::erase_if(known, is_parent);
  const bool proposed = list.saves() && path == list.first;  // a new name, not a beginning
  if (known.empty() || proposed) return std::nullopt;
  const std::string shared = shared_beginning(known);
  std::string whole =
      known.size() == 1 ? path_of(list, path, known.front()) : typed_folder(list, path) + shared;
  const bool adds =
      known.size() == 1 ? whole != path : shared.size() > typed_name(list, path).size();
  return adds ? std::optional(std::move(whole)) : std::nullopt;
}

constexpr std::array kStops{"", "dialog/ok", "dialog/cancel"};

// Where nothing is added, Tab moves on to the buttons and from the last one to the field.
void handle_tab(Ui& ui, FileList& list) {
  if (list.tabbed) list.typing = false;  // a button has taken the keyboard
  list.tabbed = compat::key_pressed(Key::kTab);
  if (list.typing || list.marked >= 0) list.stop = 0;
  if (!list.tabbed) return;
  const bool back = ImGui::GetIO().KeyShift;
  if (list.typing && !back) {
    if (auto path = completed(list, ui.state.dialog.path)) return put(ui, list, std::move(*path));
  }
  list.stop = (list.stop + (back ? kStops.size() - 1 : 1)) % kStops.size();
  if (list.stop == 0) ui.state.requests.ask(request::GiveKeyboard{TextField::kDialog});
}

// Arrows mark an entry; above the first one is the field.
void move_mark(FileList& list) {
  const int last = static_cast<int>(list.shown.size()) - 1;
  if (compat::key_pressed(Key::kDown)) list.marked = std::min(list.marked + 1, last);
  if (compat::key_pressed(Key::kUp)) list.marked = std::max(list.marked - 1, -1);
}

struct FieldInput {
  Ui& ui;
  FileList& list;
};

// Replaces the text while the field is active, when it does not take another from outside.
int replace_text(ImGuiInputTextCallbackData* data) {
  const auto& [ui, list] = *static_cast<FieldInput*>(data->UserData);
  const auto requested = std::exchange(list.replacement, std::nullopt);
  if (!requested) return 0;
  const std::string text = ui.state.box_text.encode(*requested);
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, text.c_str(), text.c_str() + text.size());
  data->ClearSelection();
  data->CursorPos = data->BufTextLen;
  return 0;
}

void path_input(Ui& ui, FileList& list) {
  ImGui::SetNextItemWidth(dialog_field_width(ui));
  if (ui.state.requests.take(request::GiveKeyboard{TextField::kDialog}))
    ui.state.early_text.give_keyboard();
  const std::string label = "##path" + std::to_string(ui.state.dialog.number);
  std::string field = ui.state.box_text.encode(ui.state.dialog.path);
  const BoxClipboard clipboard(ui.state.box_text);
  FieldInput input{ui, list};
  ui.state.typed_words += ui.state.dialog.path;
  compat::push_font(ui.fonts.words);
  const bool edited = ImGui::InputText(label.c_str(), &field, ImGuiInputTextFlags_CallbackAlways,
                                       replace_text, &input);
  list.typing = ImGui::IsItemActive();
  ImGui::PopFont();
  if (edited) {
    ui.state.dialog.path = ui.state.box_text.decode(field);
    list.marked = -1;
  }
  ui.name_item("dialog/path");
  show_end(ui, "dialog/path/end", ui.state.dialog.path);
}

// The kind by content, not translated; empty for what this dialog cannot take.
std::string read_type(const FileList& list, const std::string& name) {
  const auto start = files::read_beginning(with_slash(list.folder) + name, files::kTypeBytes);
  if (!start) return "";
  const std::string type =
      lessons::looks_like_lesson(*start) ? "Lesson" : files::type_by_content(name, *start);
  return list.lists == ListedFiles::kTokenizers && type != "Tokenizer" ? std::string() : type;
}

// Reads the file the first time that its row is in sight.
std::string type_text(FileList& list, const FolderEntry& entry) {
  if (entry.is_folder) return tr("Folder");
  const auto known = list.types.find(entry.name);
  const std::string& type =
      known != list.types.end()
          ? known->second
          : list.types.emplace(entry.name, read_type(list, entry.name)).first->second;
  return type.empty() ? std::string() : tr(type);
}

// What the dialog cannot take is dim.
figure::Rgb name_colour(const Ui& ui, const std::string& type, bool marked) {
  if (marked) return ui.theme.on_accent;
  return type.empty() ? ui.theme.dim : ui.theme.text;
}

bool file_row(Ui& ui, FileList& list, const FolderEntry& entry, float width, bool marked) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Rect row{at.x, at.y, width, ui.px(kFileRow)};
  const std::string type =
      ImGui::IsRectVisible(row.min(), row.max()) ? type_text(list, entry) : std::string();
  const bool clicked = click_area(ui, "file/" + entry.name, row);
  if (marked) fill_rect(ui, row, ui.theme.accent, ui.px(5));
  if (!marked && ImGui::IsItemHovered()) fill_rect(ui, row, ui.theme.button, ui.px(5));
  Rect text{row.x + ui.px(10), row.y, row.w - ui.px(20), row.h};
  const Rect beside = text.cut_right(text_width(ui, ui.fonts.small, type) + ui.px(6));
  draw_text(ui, ui.fonts.small, beside, type, marked ? ui.theme.on_accent : ui.theme.dim,
            TextAlign::kRight);
  draw_text(ui, entry.is_folder ? ui.fonts.bold : ui.fonts.text, text,
            printable(entry.name) + (entry.is_folder ? "/" : ""), name_colour(ui, type, marked));
  if (marked && !ImGui::IsItemVisible()) ImGui::SetScrollHereY();
  ImGui::SetCursorScreenPos({at.x, row.bottom()});
  return clicked;
}

// The entry that was clicked; nothing when none was.
std::optional<FolderEntry> rows(Ui& ui, FileList& list) {
  const float width = dialog_field_width(ui), height = ui.px(kFileRow);
  const float room = std::max(3 * height, ImGui::GetIO().DisplaySize.y - ui.px(kFileListAround));
  std::optional<FolderEntry> clicked;
  compat::begin_child("files", {width, std::min(kFileRows * height, room)}, false);
  if (list.shown.empty())
    ImGui::TextUnformatted(
        (list.saves() ? tr("A new file") : tr("Nothing has that name.")).c_str());
  const bool scrolls = static_cast<float>(list.shown.size()) * height > ImGui::GetWindowHeight();
  const float bar = scrolls ? ImGui::GetStyle().ScrollbarSize + 2 : 0;
  for (std::size_t i = 0; i < list.shown.size(); ++i)
    if (file_row(ui, list, list.shown[i], width - bar, static_cast<int>(i) == list.marked))
      clicked = list.shown[i];
  ImGui::EndChild();
  return clicked;
}

}  // namespace

bool file_list(Ui& ui) {
  FileList& list = list_of(ui);
  read_folder(list, ui.state.dialog.path);
  choose_shown(list, ui.state.dialog.path);
  move_mark(list);
  handle_tab(ui, list);
  path_input(ui, list);
  ImGui::PushStyleColor(ImGuiCol_Text, pack(ui.theme.dim));
  const std::string folder = printable(list.folder);
  ImGui::TextUnformatted((list.saves() ? tr("Saves in {}", {folder}) : folder).c_str());
  ui.name_item("dialog/folder");
  ImGui::PopStyleColor();
  const auto clicked = rows(ui, list);
  if (!clicked) return false;
  put(ui, list, path_of(list, ui.state.dialog.path, *clicked));
  if (!clicked->is_folder) list.first = ui.state.dialog.path;  // the list stays for a second click
  return !clicked->is_folder && ImGui::GetIO().MouseClickedLastCount[0] > 1;
}

bool is_tab_stop(const Ui& ui, const std::string& button) {
  const DialogState& dialog = ui.state.dialog;
  if (!dialog.files || dialog.files->number != dialog.number || dialog.files->saves()) return false;
  const FileList& list = *dialog.files;
  const bool is_stop = list.stop > 0 && kStops.at(list.stop) == button;
  if (is_stop && list.tabbed) compat::mark_last_item();
  return is_stop;
}

bool enters_folder(Ui& ui) {
  FileList& list = list_of(ui);
  DialogState& dialog = ui.state.dialog;
  if (list.marked >= 0 && list.marked < static_cast<int>(list.shown.size())) {
    const FolderEntry entry = list.shown[static_cast<std::size_t>(list.marked)];
    put(ui, list, path_of(list, dialog.path, entry));
    return entry.is_folder;
  }
  std::error_code none;
  const std::string typed = files::full_path(dialog.path);
  if (typed.empty()) return false;
  if (fs::is_directory(typed, none)) {
    put(ui, list, with_slash(dialog.path));
    return true;
  }
  const std::string here = with_slash(list.base) + dialog.path;
  if (name_start(typed) == 0 && !fs::exists(typed, none) && fs::exists(here, none))
    put(ui, list, fs::is_directory(here, none) ? with_slash(here) : here);
  return fs::is_directory(files::full_path(dialog.path), none);
}

}  // namespace lab::view
