#include "app/files/problem_file.h"
