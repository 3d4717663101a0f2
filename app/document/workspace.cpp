#include "app/document/workspace.h"
