#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/base/error.h"
#include "app/document/document.h"
#include "app/files/problem/multihead_file.h"
#include "app/files/session/session_view.h"
#include "core/numerics/work_watch.h"

namespace lab::files {

/// A built-in example.
struct ExampleInfo {
  std::string name;   ///< as typed on the command line: "refer", "cat-sat"
  std::string title;  ///< for people: "What does “it” refer to?"
  std::string path;   ///< of its session file
};

/// The built-in examples in teaching order; empty when the assets are not found.
std::vector<ExampleInfo> examples();

/// The folder with the program's assets: $ATTENTION_LAB_ASSETS, else share/attention-lab beside the
/// program, else the source folder it was built from; empty when none exists.
std::string assets_folder();

/// What a file or an example holds.
struct Opened {
  Document document;
  std::optional<SessionView> view;  ///< how it was looked at, where the file says so
  std::vector<std::string> notes;   ///< what a person should know of the file, a sentence each
  bool is_session = false;  ///< a session that saving may write over without losing any of it
  std::string path;         ///< of the file; empty for an example and for standard input
  std::optional<std::int64_t> change = {};  ///< when that file was changed last, see last_change
};

/// Opens whatever `source` names: a built-in example by name or title, or a file, "-" for standard
/// input: a session (JSON), a picture that carries one, a problem or a layer of PyTorch in
/// safetensors or NPZ, told apart by content and not by name (see file_kind). Pickles and anything
/// else are refused with kBadInput saying what was found. `watch`, which may be null, sees how far
/// it is and may stop it: throws attention::WorkStopped then. `choice` is what a layer of PyTorch
/// leaves open.
Expected<Opened> open_whole(const std::string& source, attention::WorkWatch* watch = nullptr,
                            const MultiheadChoice& choice = {});
/// The same for those who need the document alone; the notes are added to `notes`.
Expected<Document> open_document(const std::string& source,
                                 std::vector<std::string>* notes = nullptr,
                                 attention::WorkWatch* watch = nullptr,
                                 const MultiheadChoice& choice = {});

}  // namespace lab::files
