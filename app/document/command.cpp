#include "app/document/command.h"
