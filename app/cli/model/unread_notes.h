#pragma once

namespace lab {
struct Document;
struct ModelDocument;
}  // namespace lab

namespace lab::cli {

/// Prints a note for each sentence that is read without some of its characters, because no token of
/// the vocabulary stands for them.
void print_unread(const Document& document);
/// The same of the texts of a model.
void print_unread(const ModelDocument& document);

}  // namespace lab::cli
