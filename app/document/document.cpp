#include "app/document/document.h"
