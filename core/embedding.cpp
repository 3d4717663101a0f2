#include "core/embedding.h"
