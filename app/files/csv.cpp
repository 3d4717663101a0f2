#include "app/files/csv.h"
