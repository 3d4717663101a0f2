#include "app/document/tokenizer.h"
