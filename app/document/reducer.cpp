#include "app/document/reducer.h"
