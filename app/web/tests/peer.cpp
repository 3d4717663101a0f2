// The engine of the page as a program of this machine, to be compared with the same in WebAssembly:
// reads requests, one JSON object on each line, and writes the answers in the same way. Further
// members of a request: "input", the path of the file that it is about, and "numbers", a list of
// [stage, head], whose numbers are added to the answer; "output" of the answer are the bytes that
// the request has made.
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "app/files/io/bytes.h"
#include "app/web/engine/engine.h"

namespace {

using nlohmann::json;

json numbers_of(lab::web::Engine& engine, const json& asked) {
  json all = json::array();
  for (const json& one : asked) {
    const attention::Matrix* const matrix =
        engine.stage(one.at(0).get<int>(), one.at(1).get<int>());
    json numbers = json::array();
    for (attention::Index i = 0; matrix != nullptr && i < matrix->size(); ++i)
      numbers.push_back(matrix->data()[i]);
    all.push_back(std::move(numbers));
  }
  return all;
}

json answered(lab::web::Engine& engine, const json& request) {
  if (request.contains("input")) {
    const auto bytes = lab::files::read_bytes(request["input"].get<std::string>());
    if (!bytes) return {{"error", bytes.error().message}};
    engine.input() = *bytes;
  }
  json answer = engine.answer(request.dump());
  if (request.contains("numbers")) answer["numbers"] = numbers_of(engine, request["numbers"]);
  if (!engine.output().empty()) answer["output"] = engine.output();
  return answer;
}

}  // namespace

int main() {
  lab::web::Engine engine;
  for (std::string line; std::getline(std::cin, line);)
    std::cout << answered(engine, json::parse(line)).dump() << std::endl;
  return 0;
}
