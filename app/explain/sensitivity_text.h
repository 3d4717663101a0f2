#pragma once

#include <string>

#include "app/document/document.h"
#include "core/gradient/layer_gradient.h"
#include "core/layer/trace.h"

namespace lab::explain {

/// The change that lines such as "+0.01 here moves it by +0.0034" speak of.
inline constexpr float kSmallMove = 0.01f;

/// True for the embeddings, and for a stage that only repeats them.
bool is_input(const attention::Problem& problem, attention::Stage stage);

/// What the number of a cell is called where its head is not clear: "weights[it, animal] of head
/// 1", "output[it, animate]".
std::string number_title(const Document& document, attention::Stage stage, attention::Index head,
                         attention::Index row, attention::Index col);

/// Why no number moves that of a cell, in a sentence: it is an input, an override, −∞ … Empty when
/// others can. Precondition: there is such a cell.
std::string why_unmoved(const Document& document, const attention::Trace& trace,
                        attention::Stage stage, attention::Index head, attention::Index row,
                        attention::Index col);

/// What a number that moves another one is called: "W_Q of head 1 [animate, 2]". A word's vector
/// that stands at several places is named by its position: "X [the (0), animate]".
std::string contributor_title(const Document& document, const attention::Sensitivity& contributor);
/// True for a number of a word's vector that other words of the sentences have too, so that an edit
/// moves all of them.
bool is_shared_vector(const Document& document, const attention::Sensitivity& contributor);

/// A number with its sign, with three significant digits: "+0.0034", "−1.2", "0".
std::string signed_text(float value);

/// "+0.01 here moves weights[it, animal] by +0.0034", for the derivative of what is called
/// `number`.
std::string move_text(const std::string& number, float derivative);
/// The same without the name: "+0.01 here: +0.0034".
std::string short_move_text(float derivative);

}  // namespace lab::explain
