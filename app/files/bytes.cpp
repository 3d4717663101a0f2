#include "app/files/bytes.h"
