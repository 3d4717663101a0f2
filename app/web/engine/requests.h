#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

namespace lab::web {

class Engine;

/// What a page can ask for, by its name; `answer` throws std::exception with a sentence for a
/// person, and has changed nothing then. Members of requests are named as their function says.
struct Request {
  std::string_view name;
  nlohmann::json (*answer)(Engine& engine, const nlohmann::json& request);
};

/// Opening, saving, editing, history, explanations.
std::span<const Request> document_requests();
/// Comparing with a kept state, what moves a number, and what a number can be made.
std::span<const Request> question_requests();
/// Trained models.
std::span<const Request> model_requests();
/// Lessons: steps, answers, hints.
std::span<const Request> lesson_requests();
/// Training.
std::span<const Request> training_requests();

/// See Engine::answer(). Throws std::exception with a sentence for a person.
nlohmann::json answer_request(Engine& engine, std::string_view request);

/// Executes the queued intents: the new state. Throws BadInput with the reason when one was
/// refused.
nlohmann::json drained(Engine& engine);

}  // namespace lab::web
