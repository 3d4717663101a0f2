#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/commands/command.h"
#include "app/figure/colour/palette.h"
#include "app/figure/colour/theme_name.h"
#include "app/translation/words.h"
#include "app/view/state/compare_state.h"
#include "app/view/state/edit_state.h"
#include "app/view/state/export_state.h"
#include "app/view/state/focus_state.h"
#include "app/view/state/heads_state.h"
#include "app/view/state/inspection.h"
#include "app/view/state/lesson_state.h"
#include "app/view/state/present_state.h"
#include "app/view/state/recent_state.h"
#include "app/view/state/recovery_state.h"
#include "app/view/state/requests.h"
#include "app/view/state/selection.h"
#include "app/view/state/sentence_state.h"
#include "app/view/state/tokens_state.h"
#include "app/view/toolkit/box_text.h"
#include "app/view/toolkit/early_text.h"

namespace lab::view {

/// The cell of a stage that the pointer is over.
struct HoveredCell {
  attention::Stage stage = attention::Stage::kX;
  Cell cell;
};

/// A question in front of the window.
enum class Dialog {
  kNone,
  kOpen,
  kSaveAs,
  kExport,
  kImport,
  kUnsaved,
  kRevert,
  kCommands,
  kShortcuts,
  kAbout,
  kRecovery,
  kLeaveLesson,
  kSaveAnswers,
  kWorksheet,
};

struct ImportQuestion;

/// What kWorksheet is to make.
struct WorksheetWishes {
  bool answers = false;  ///< the key
  std::string seed;      ///< of other numbers; empty: those of the model
};

/// The text fields of the dialogs.
struct DialogState {
  Dialog open = Dialog::kNone;
  int number = 0;  ///< counts the dialogs that were opened
  std::string path;
  std::string problem;  ///< why the last try failed
  std::string replace;  ///< the file that the user was asked about, and may now be replaced
  std::string search;   ///< what was typed in kCommands
  int choice = 0;       ///< what Enter takes: the button of a question, the row in kCommands
  ExportState exporting;
  std::shared_ptr<const ImportQuestion> import;  ///< what kImport asks about
  WorksheetWishes worksheet;
  Destination then_go;      ///< after kUnsaved, kLeaveLesson
  bool then_leave = false;  ///< after kSaveAs: go on as after kUnsaved
  bool asking = false;      ///< the desktop's file dialog is open in place of the path's field
  int list_frame = -2;      ///< ImGui's frame in which a list hung open below its row, the last one
  std::string folder;       ///< of the file that was chosen there last
};

/// A size's field while its popup is open.
struct SizeField {
  std::string text;
  std::string problem;  ///< why it was refused
};

/// The columns that share one place: the two at the sides in a narrow window, and the centre's maps
/// with them in one that has room for a single column.
enum class SideTab { kEdit, kExplain, kMaps, kLesson };

/// How small and how large the whole window can be drawn.
inline constexpr float kSmallestScale = 0.75f, kLargestScale = 3.0f;

/// What is looked at and how: never undone, never part of the document.
struct ViewState {
  figure::ThemeId theme = figure::ThemeId::kLight;
  Language language = Language::kEnglish;  ///< becomes that of the process in the next frame
  float scale = 1;                         ///< of the whole window
  int head = 0;                            ///< focused head, from 0
  Selection selection;
  std::optional<attention::Index> bar_in_view;     ///< key that the bars were scrolled to
  std::optional<HoveredCell> hovered;              ///< found anew in each frame
  std::optional<figure::Palette> weights_palette;  ///< nothing: the one that suits the stage
  EditState edit;
  Reading reading;
  OverrideState overriding;
  HeadsState heads;
  TokensState tokens;
  CompareState compare;
  std::optional<std::string> temperature_text;  ///< the temperature while it is being typed
  SizeField size_field;
  bool sliding = false;  ///< the temperature's slider is dragged
  DialogState dialog;
  RecentState recent;
  RecoveryState recovery;
  LessonState lesson;
  PresentState present;
  RingState ring;
  EarlyText early_text;
  Requests requests;                  ///< what was asked for and is yet to be done
  bool popup_was_open = false;        ///< at the end of the last frame
  SideTab side_tab = SideTab::kEdit;  ///< in a narrow window
  bool single_column = false;         ///< the window has room for one column alone
  SentenceState sentence;             ///< of queries, and of keys and values in self-attention
  SentenceState kv_sentence;          ///< of keys and values, in cross-attention
  BoxText box_text;                   ///< what the boxes hold for characters that ImGui cannot
  /// When the file of the session was changed last, as far as this window knows; see last_change.
  std::optional<std::int64_t> file_change;
  std::string notice;  ///< good news for the status bar ("saved to …")
  std::string error;   ///< message of a file or export that failed
  bool quit = false;   ///< nothing stands in the way of closing
};

}  // namespace lab::view
