#include "app/lessons/reading/lesson_lines.h"

#include <array>
#include <cmath>

#include "app/base/bad_input.h"
#include "app/base/machine_numbers.h"
#include "app/base/strings.h"
#include "app/document/model/layer_name.h"

namespace lab::lessons {
namespace {

using What = decltype(Directive::what);

What read_open(std::string_view text) { return directive::Open{lesson_source(text)}; }

What read_apply(std::string_view text) {
  return directive::Apply{value_or_bad_input(read_edit(text))};
}

What read_select(std::string_view text) {
  return directive::Select{value_or_bad_input(Expression::parse(text))};
}

What read_pin(std::string_view text) {
  return directive::Pin{value_or_bad_input(Expression::parse(text))};
}

What read_moves(std::string_view text) {
  return directive::Moves{value_or_bad_input(Expression::parse(text))};
}

What read_head(std::string_view text) {
  if (const auto of_model = model_head_from_name(text))
    return directive::Head{static_cast<int>(of_model->head), of_model->at};
  const auto head = parse_number<int>(text);
  if (!head || *head < 1)
    throw BadInput(
        in_quotes(text) +
        " is not a head; heads are numbered from 1, and those of a model are named L0H0");
  return directive::Head{*head - 1};
}

What read_large(std::string_view text) {
  const auto stage = attention::stage_from_name(text);
  if (!stage) throw BadInput("there is no stage " + in_quotes(text));
  return directive::Large{*stage};
}

What read_highlight(std::string_view text) { return directive::Highlight{std::string(text)}; }

// Splits a list at commas and spaces.
std::vector<std::string_view> names_in(std::string_view text) {
  std::vector<std::string_view> names;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(", \t"), text.size());
    if (end > 0) names.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

What read_range(std::string_view text) {
  const std::vector<std::string_view> names = names_in(text);
  const auto stage = attention::stage_from_name(names.front());
  if (!stage) throw BadInput("there is no stage " + in_quotes(names.front()));
  const auto lo = names.size() == 3 ? parse_number<float>(names[1]) : std::nullopt;
  const auto hi = names.size() == 3 ? parse_number<float>(names[2]) : std::nullopt;
  if (!lo || !hi || !std::isfinite(*lo) || !std::isfinite(*hi) || *lo >= *hi)
    throw BadInput(
        "after \"range\" and a stage come two numbers, the smaller first, such as "
        "\"range weights 0 1\"");
  return directive::Range{*stage, {*lo, *hi}};
}

What read_hide(std::string_view text) {
  directive::Hide hide;
  for (const std::string_view name : names_in(text)) {
    if (std::ranges::find(hideable_panels(), name) == hideable_panels().end())
      throw BadInput("there is no part " + in_quotes(name) + " to hide; the parts are " +
                     panel_names());
    hide.panels.emplace(name);
  }
  return hide;
}

What read_lock(std::string_view text) {
  directive::Lock lock;
  for (const std::string_view name : names_in(text)) {
    const auto control = control_from_name(name);
    if (name == "all") {
      for (int id = 0; id <= static_cast<int>(Control::kTraining); ++id)
        lock.controls.insert(static_cast<Control>(id));
    } else if (control) {
      lock.controls.insert(*control);
    } else {
      throw BadInput("there is nothing called " + in_quotes(name) + " to lock; use all, " +
                     control_names());
    }
  }
  return lock;
}

What read_mute(std::string_view text) { return read_apply("mute " + std::string(text)); }
What read_gain(std::string_view text) { return read_apply("gain " + std::string(text)); }
What read_text(std::string_view text) { return read_apply("text " + std::string(text)); }

What read_tiles(std::string_view text) {
  const auto view = std::ranges::find(tile_views(), text);
  if (view != tile_views().end())
    return directive::Tiles{static_cast<std::size_t>(view - tile_views().begin())};
  std::string known;
  for (const std::string_view one : tile_views())
    known += (known.empty() ? "" : ", ") + std::string(one);
  throw BadInput("tiles cannot show " + in_quotes(text) + "; they show " + known);
}

What read_answer(std::string_view text) { return directive::Answer{std::string(text)}; }

struct Word {
  std::string_view name;
  What (*read)(std::string_view text);
  std::string_view expected;  // what must follow
};
constexpr std::array kWords = {
    Word{"open", read_open, "an example or a session, such as \"open refer\""},
    Word{"apply", read_apply, "an edit, such as \"apply {\"do\":\"set_temperature\",…}\""},
    Word{"select", read_select, "a cell, such as \"select weights[1, it, animal]\""},
    Word{"pin", read_pin, "a cell, such as \"pin weights[1, it, animal]\""},
    Word{"moves", read_moves, "a cell, such as \"moves weights[1, it, animal]\""},
    Word{"head", read_head, "a number from 1, such as \"head 2\""},
    Word{"large", read_large, "a stage, such as \"large weights\""},
    Word{"range", read_range, "a stage and two numbers, such as \"range weights 0 1\""},
    Word{"highlight", read_highlight, "the name of a widget, such as \"highlight matrix/W_Q\""},
    Word{"hide", read_hide, "parts of the window, such as \"hide edit, model\""},
    Word{"lock", read_lock, "what to lock, such as \"lock weights, sentence\""},
    Word{"mute", read_mute, "a head of a trained model, such as \"mute L0H0\""},
    Word{"gain", read_gain, "a head and its gain, such as \"gain L0H0 0.5\""},
    Word{"text", read_text, "what the model reads, such as \"text The cat sat on the\""},
    Word{"tiles", read_tiles, "what they show, such as \"tiles effect\""},
    Word{"answer", read_answer, "a token or two, such as \"answer mat - floor\""},
};

What read_directive(std::string_view line) {
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view name = line.substr(0, end), rest = trimmed(line.substr(end));
  const auto word = std::ranges::find(kWords, name, &Word::name);
  if (word == kWords.end()) {
    std::string known;
    for (const Word& one : kWords) known += (known.empty() ? "" : ", ") + std::string(one.name);
    throw BadInput("there is no directive " + in_quotes(name) + "; the directives are " + known);
  }
  if (rest.empty())
    throw BadInput(in_quotes(name) + " must be followed by " + std::string(word->expected));
  return word->read(rest);
}

}  // namespace

void read_directives(const LessonSection& fence, Step& step, std::vector<LessonProblem>& problems) {
  for (const LessonLine& line : fence.lines) {
    const std::string_view text = trimmed(line.text);
    if (text.empty() || text.starts_with('#')) continue;
    auto what = guarded([&] { return read_directive(text); });
    if (what) {
      step.directives.push_back({line.number, std::move(*what)});
      continue;
    }
    problems.push_back({line.number, what.error().message});
    step.unread.emplace_back(text);
  }
}

}  // namespace lab::lessons
