#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/explain/number_text.h"
#include "app/figure/colour/palette.h"
#include "app/figure/colour/theme_name.h"
#include "app/translation/words.h"
#include "app/view/state/compare_state.h"
#include "app/view/state/edit_state.h"
#include "app/view/state/export_state.h"
#include "app/view/state/files_state.h"
#include "app/view/state/focus_state.h"
#include "app/view/state/guide_state.h"
#include "app/view/state/heads_state.h"
#include "app/view/state/inspection.h"
#include "app/view/state/lesson_state.h"
#include "app/view/state/model_state.h"
#include "app/view/state/present_state.h"
#include "app/view/state/requests.h"
#include "app/view/state/selection.h"
#include "app/view/state/sentence_state.h"
#include "app/view/state/solve_state.h"
#include "app/view/state/training_state.h"
#include "app/view/state/words_state.h"
#include "app/view/toolkit/box_text.h"
#include "app/view/toolkit/early_text.h"

namespace lab::view {

/// The cell of a stage that the pointer is over.
struct HoveredCell {
  attention::Stage stage = attention::Stage::kX;
  Cell cell;
};

/// The dialogs of the window.
enum class Dialog {
  kNone,
  kOpen,
  kOpenModel,
  kGetModel,
  kSaveAs,
  kExport,
  kImport,
  kUnsaved,
  kRevert,
  kCommands,
  kShortcuts,
  kAbout,
  kGuide,
  kRecovery,
  kLeaveLesson,
  kRestartStep,
  kSaveAnswers,
  kWorksheet,
  kTokenizer,
  kExploredText,
  kTrainingText,
};

struct ImportQuestion;
struct FileList;     // file_list.h
struct FoundModels;  // open_model_dialog.cpp

/// The options of kWorksheet.
struct WorksheetOptions {
  bool answers = false;  ///< include the answer key
  std::string seed;      ///< the seed of new numbers; empty: those of the model
};

/// The text fields of the dialogs.
/// The session that kOpenModel finds a model for.
struct LostModel {
  std::string session;   ///< its path
  bool changed = false;  ///< a model is there, but not the one that the session was made with
  bool accepts = false;  ///< the user goes on with a model that changed
};

struct DialogState {
  Dialog open = Dialog::kNone;
  int number = 0;  ///< the number of dialogs opened so far
  std::string path;
  std::string problem;  ///< why the last attempt failed
  std::string replace;  ///< the file that may now be replaced, because the user was asked
  std::string search;   ///< what was typed in kCommands, kGuide
  int choice = 0;       ///< what Enter chooses: the button of a question, the row in kCommands
  ExportState exporting;
  std::optional<ShownFigure> shown_figure;  ///< while it replaces a choice of kExport
  ExportState last_export;            ///< what was chosen when kExport was closed or saved last
  std::vector<ExportPreset> presets;  ///< of kExport, by name
  std::string preset;                 ///< the name in their field
  std::string export_folder;          ///< where the last export went; empty: beside the session
  std::string export_sentence;        ///< whose tokens, names and title the choices are
  std::size_t renamed = 0;            ///< the token whose name is in the field, keys after queries
  std::string done;                   ///< what kExport has just written or copied
  std::string numbers_note;           ///< why the figure of kExport has no numbers (see FigureWork)
  std::shared_ptr<const ImportQuestion> import;  ///< what kImport asks about
  WorksheetOptions worksheet;
  std::shared_ptr<FileList> files;  ///< the list below the path of kOpen, kOpenModel, kTokenizer
  std::shared_ptr<const FoundModels> models;  ///< those on this machine
  std::optional<LostModel> lost_model;        ///< nothing when kOpenModel opens a model
  std::string student;  ///< the name in saved answers, on wish; kept until the window is closed
  std::string answers_folder;  ///< where the last answers went; empty: none were saved yet
  Destination then_go;         ///< after kUnsaved, kLeaveLesson
  bool then_leave = false;     ///< after kSaveAs: continue as after kUnsaved
  bool asking = false;         ///< the desktop's file dialog is open instead of the path's field
  int drawn = 0;               ///< frames since it was opened, while kExport shows its beginning
  float row_left = 0;          ///< where the choices of a row of options begin, in its window
  int list_frame = -2;         ///< the last ImGui frame in which a drop-down list was open
  std::string folder;          ///< the folder of the last file chosen there
};

/// A size's field while its popup is open.
struct SizeField {
  std::string text;
  std::string problem;  ///< why it was refused
};

/// The columns that share one place: the two side columns in a narrow window, and also the centre's
/// maps when there is only room for one column.
enum class SideTab { kEdit, kExplain, kMaps, kLesson };

/// The limits of the scale of the whole window.
inline constexpr float kSmallestScale = 0.75f, kLargestScale = 3.0f;

/// Where a popup opened.
struct PopupPosition {
  Rect anchor;     ///< of the button that it belongs to
  ImVec2 screen;   ///< the window's size
  int frame = -2;  ///< the last ImGui frame in which it was open
};

/// The limits of the number of decimals.
using explain::kFewestDigits;
using explain::kMostDigits;

/// What is shown and how: never undone, never part of the document.
struct ViewState {
  figure::ThemeId theme = figure::ThemeId::kLight;
  Language language = Language::kEnglish;  ///< applied to the process in the next frame
  bool decimal_comma = false;              ///< likewise: of the numbers shown
  float scale = 1;                         ///< of the whole window
  int digits = kFewestDigits;              ///< decimals of the numbers shown
  int head = 0;                            ///< focused head, from 0
  Selection selection;
  std::optional<attention::Index> bar_in_view;     ///< the key that the bars were scrolled to
  std::optional<HoveredCell> hovered;              ///< updated in each frame
  std::optional<figure::Palette> weights_palette;  ///< unset: the default of the stage
  EditState edit;
  Inspection inspection;
  WordsState words;
  DetachedMessage detached;
  OverrideState overriding;
  SolveState solve;
  HeadsState heads;
  TokensState tokens;
  ModelState model;
  GoOnState go_on;
  TrainingState training;
  ArraysState arrays;
  std::optional<ArraysOffer> arrays_offer;
  bool accepts_arrays =
      false;  ///< the user wants to see those that are offered; the shell shows them
  CompareState compare;
  SensitivityState sensitivity;
  std::optional<std::string> temperature_text;  ///< the temperature while it is being typed
  SizeField size_field;
  bool sliding = false;  ///< a CommandSlider is being dragged
  DialogState dialog;
  RecentState recent;
  RecoveryState recovery;
  GetModelState get_model;
  LessonState lesson;
  lessons::LessonsDone lessons_done;  ///< kept between runs
  PresentState present;
  GuideState guide;
  FindState find;
  KeyboardFocus keyboard_focus;
  EarlyText early_text;
  Requests requests;                            ///< pending requests
  bool popup_was_open = false;                  ///< at the end of the last frame
  std::map<std::string, PopupPosition> popups;  ///< by their names
  SideTab side_tab = SideTab::kEdit;            ///< in a narrow window
  bool single_column = false;                   ///< the window only has room for one column
  bool is_page = false;       ///< the window scrolls as a whole, and no column does
  float column_height = 0;    ///< what the cards of the column being drawn divide
  SentenceState sentence;     ///< of queries, and of keys and values in self-attention
  SentenceState kv_sentence;  ///< of keys and values, in cross-attention
  ChatState chat;             ///< in place of the sentence of a model
  WrittenBox written_box;     ///< the box of several lines that is being typed in
  BoxText box_text;           ///< replaces characters in the boxes that ImGui cannot hold
  std::string typed_words;    ///< in the text fields of the last frame, whose font must show them
  /// The last known modification time of the session's file; see last_change.
  std::optional<std::int64_t> file_change;
  std::string notice;  ///< a success message for the status bar ("saved to …")
  std::string error;   ///< the message of a file operation or export that failed
  bool quit = false;   ///< the window may close
};

}  // namespace lab::view
