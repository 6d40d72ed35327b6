// The writer and the reader of GTKWave's FST files that come with Verilator (MIT; LZ4: BSD), compiled as
// Verilator compiles them. Nothing else is here: a program with Verilator's own has that in its place.
#define FST_CONFIG_INCLUDE "fst_config.h"
// NOLINTBEGIN(bugprone-suspicious-include): they are there as source only
#include <gtkwave/fastlz.c>
#include <gtkwave/fstapi.c>
#include <gtkwave/lz4.c>
// NOLINTEND(bugprone-suspicious-include)
