#include "app/platform/window.h"
