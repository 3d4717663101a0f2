#include "app/files/open.h"
