#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "app/document/model/model_document.h"
#include "app/document/workspace.h"
#include "app/files/session/session_view.h"

// What a page is told, as JSON; texts in the language of the process, formulas as Pango markup.

namespace lab::web {

/// What is open: sentence, tokens, sizes and switches, heads, stages of the formula, editable
/// matrices, and the history. The numbers are elsewhere (Engine::stage).
nlohmann::json describe_state(const Workspace& workspace);

/// The same of a document that is not open, without its history.
nlohmann::json describe_document(const Document& document, const attention::Trace& trace);

/// What a trained model is, which of its layers is shown, and what is done to its heads.
nlohmann::json describe_model(const ModelDocument& model, const attention::network::LayerId& shown);

/// The palettes, 256 colours each as hexadecimal text, and the colours of cells without a number.
nlohmann::json describe_colours();

/// The parts of a view of a session that a page heeds.
nlohmann::json describe_view(const files::SessionView& view);

/// The arithmetic of one number of a stage, each of its numbers with the cell that holds it. Throws
/// std::out_of_range when there is no such cell, BadInput when there is no such stage.
nlohmann::json describe_cell(const Workspace& workspace, std::string_view stage,
                             attention::Index head, attention::Index row, attention::Index col);

/// The labels of the rows and columns of an editable matrix.
nlohmann::json describe_matrix(const Workspace& workspace, std::string_view matrix);

}  // namespace lab::web
