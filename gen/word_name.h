/* The names of what is compiled once a board and once a set of machine instructions: name_32_plain. */
#ifndef GEN_WORD_NAME_H
#define GEN_WORD_NAME_H

#define NAMED(name) NAMED_FOR(name, SQUARES, INSTRUCTIONS)
#define NAMED_FOR(name, board, instructions) NAMED_LATER(name, board, instructions)
#define NAMED_LATER(name, board, instructions) name##_##board##_##instructions

#endif
