/* The tests of test_word_kings.c for the board with 50 squares. */
#define SQUARES 50
#include "test_word_kings.c"
