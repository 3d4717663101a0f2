#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace lab::web {

class Engine;

/// See Engine::answer(). Throws std::exception with a sentence for a person.
nlohmann::json answer_request(Engine& engine, std::string_view request);

}  // namespace lab::web
