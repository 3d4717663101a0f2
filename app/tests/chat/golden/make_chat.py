#!/usr/bin/env python3
"""Writes renders.json: what transformers' apply_chat_template makes of the templates in templates/, which use what the
templates of well-known models use.

    pip install transformers==5.24.0 jinja2==3.1.6 tokenizers
    python make_chat.py
"""
import datetime
import json
from pathlib import Path

import transformers.utils.chat_template_utils as chat_template_utils
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast

HERE = Path(__file__).resolve().parent
NOW = datetime.datetime(2026, 7, 4, 9, 5)  # a Saturday

SYSTEM = {"role": "system", "content": "You are terse. "}
QUESTION = {"role": "user", "content": "What is 2 + 2? <b> & 'x' \"y\" é"}
ANSWER = {"role": "assistant", "content": "4"}
NEXT = {"role": "user", "content": "  And 3 + 3?\nThanks \U0001F600 "}
THOUGHT = {"role": "assistant", "content": "<think>\nsmall numbers\n</think>\n\nIt is 4."}
CALL = {"role": "assistant", "content": "", "tool_calls": [
    {"id": "abc123456", "type": "function", "function": {"name": "add", "arguments": {"a": 2, "b": [2.5, None]}}}]}
RESULT = {"role": "tool", "tool_call_id": "abc123456", "name": "add", "content": "4.5"}
TOOLS = [{"type": "function", "function": {
    "name": "add", "description": "Adds <two> numbers.",
    "parameters": {"type": "object", "required": ["a"], "properties": {
        "a": {"type": "integer", "description": "first"}, "b": {"type": "array", "items": {"type": "number"}}}}}}]
DOCUMENTS = [{"title": "sums", "text": "2 + 2\n= 4"}, {"title": "more", "text": "none"}]

CONVERSATIONS = {
    "question": {"messages": [QUESTION], "add_generation_prompt": True},
    "system": {"messages": [SYSTEM, QUESTION], "add_generation_prompt": True},
    "several turns": {"messages": [SYSTEM, QUESTION, ANSWER, NEXT], "add_generation_prompt": True},
    "answered": {"messages": [QUESTION, ANSWER], "add_generation_prompt": False},
    "without prompt": {"messages": [QUESTION, THOUGHT, NEXT], "add_generation_prompt": False},
    "thought": {"messages": [QUESTION, THOUGHT, NEXT], "add_generation_prompt": True},
    "no thoughts": {"messages": [QUESTION], "add_generation_prompt": True, "variables": {"enable_thinking": False}},
    "tools": {"messages": [SYSTEM, QUESTION], "add_generation_prompt": True, "variables": {"tools": TOOLS}},
    "tool calls": {"messages": [QUESTION, CALL, RESULT, ANSWER, NEXT], "add_generation_prompt": True,
                   "variables": {"tools": TOOLS}},
    "documents": {"messages": [QUESTION], "add_generation_prompt": True, "variables": {"documents": DOCUMENTS}},
    "two questions": {"messages": [QUESTION, NEXT], "add_generation_prompt": True},
}
TOKENS = {"bos_token": "<s>", "eos_token": "</s>", "pad_token": "<pad>"}


class StoppedClock(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return NOW


def render(tokenizer, template, conversation):
    """The text, or None when the template refuses the conversation."""
    variables = dict(conversation.get("variables", {}))
    try:
        return tokenizer.apply_chat_template(
            conversation["messages"], chat_template=template, tokenize=False,
            add_generation_prompt=conversation["add_generation_prompt"], **variables)
    except Exception:  # each template raises its own
        return None


def main():
    chat_template_utils.datetime = StoppedClock
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=Tokenizer(models.WordLevel({"<unk>": 0}, "<unk>")), **TOKENS)
    renders = {}
    for path in sorted((HERE / "templates").glob("*.jinja")):
        template = path.read_text(encoding="utf-8")
        renders[path.stem] = {name: render(tokenizer, template, one) for name, one in CONVERSATIONS.items()}
    said = {"tokens": TOKENS, "conversations": CONVERSATIONS, "renders": renders}
    (HERE / "renders.json").write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
