#include "app/document/history.h"
