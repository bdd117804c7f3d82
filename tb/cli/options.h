/* SPDX-License-Identifier: Apache-2.0 */
/* A command and its options as one table, from which come the parser, its errors, `mrpb help` and
 * `--help`. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Receives the value of an option; *self is the command's own struct. */
typedef int (*cli_take_t)(void *self, const char *name, const char *value, mrpb_err_t *err);

typedef struct {
  const char *name;  /* "--seed" */
  const char *value; /* the name of its value in the help: "N"; NULL: a flag */
  const char *doc;
  size_t at;         /* offset in *self of a bool, const char * or uint64_t */
  uint64_t min, max; /* of a number; max 0: not a number */
  cli_take_t take;   /* used instead of `at` */
  bool many;         /* may be given more than once */
  bool stream;       /* of a text: "-" is the standard output, which nothing else may use */
  bool attached;     /* --name or --name=VALUE; without VALUE `take` gets NULL */
  size_t count_at;   /* of a list: offset of its length, an unsigned */
  unsigned most;     /* of a list of texts at `at`; 0: not a list */
} cli_option_t;

#define CLI_FLAG(type, field, name_, doc_)                                                         \
  { .name = name_, .doc = doc_, .at = offsetof(type, field) }
#define CLI_TEXT(type, field, name_, value_, doc_)                                                 \
  { .name = name_, .value = value_, .doc = doc_, .at = offsetof(type, field) }
/* A JSON file, or "-" for the standard output; text for people then goes to stderr. */
#define CLI_JSON(type, field, doc_)                                                                \
  { .name = "--json", .value = "FILE|-", .doc = doc_, .at = offsetof(type, field), .stream = true }
#define CLI_NUMBER(type, field, name_, min_, max_, doc_)                                           \
  {                                                                                                \
    .name = name_, .value = "N", .doc = doc_, .at = offsetof(type, field), .min = min_,            \
    .max = max_                                                                                    \
  }
/* The name of the list of operands that are Verilog files (or their options, with a plus), whatever
 * other operands a command has. */
#define CLI_VERILOG "FILE.sv"
#define CLI_LIST(type, field, count, most_, name_, value_, doc_)                                   \
  {                                                                                                \
    .name = name_, .value = value_, .doc = doc_, .at = offsetof(type, field),                      \
    .count_at = offsetof(type, count), .most = most_, .many = true                                 \
  }
#define CLI_TAKE(take_, name_, value_, doc_)                                                       \
  { .name = name_, .value = value_, .doc = doc_, .take = take_ }
#define CLI_ATTACHED(take_, name_, value_, doc_)                                                   \
  { .name = name_, .value = value_, .doc = doc_, .take = take_, .attached = true }
#define CLI_MANY(take_, name_, value_, doc_)                                                       \
  { .name = name_, .value = value_, .doc = doc_, .take = take_, .many = true }

/* Which options go together: none of `options` without one of `with`, nor with one of `without`. Lists
 * of names, "--out --stat"; NULL: none. `says` is the error; an @ in it becomes the first of `without`
 * that was given. */
typedef struct {
  const char *options, *with, *without, *says;
} cli_rule_t;

typedef struct {
  const char *name, *operands; /* "cosim", "MODULE..." */
  const char *doc;             /* its purpose in one line */
  const char *details;         /* more text for --help; NULL: none */
  const cli_option_t *options;
  unsigned n_options;      /* at most 64 */
  const cli_rule_t *rules; /* in the order in which they are checked */
  unsigned n_rules;
  cli_take_t operand; /* gets `name` NULL; is NULL itself if there are no operands */
  int (*run)(int argc, char **argv);
} cli_command_t;

#define CLI_OPTIONS(table) .options = (table), .n_options = sizeof(table) / sizeof *(table)
#define CLI_RULES(table) .rules = (table), .n_rules = sizeof(table) / sizeof *(table)

enum { CLI_PARSED = 0, CLI_HELPED = 1 };

/* Parses argv[1] .. argv[argc-1] into *self. Returns CLI_PARSED; CLI_HELPED after --help or -h,
 * which it has printed on stdout; or -1 and a message: an unknown option (with the nearest known
 * one), a missing or empty value, a number out of range, an option that may be given once given
 * twice, whatever `take` or `operand` refused, or a rule of the command. */
int cli_parse(const cli_command_t *c, void *self, int argc, char **argv, mrpb_err_t *err);

/* The descriptor that "--json -" writes to: the process's standard output is kept under this number
 * while stdout goes to stderr. */
enum { CLI_STREAM = 100 };

/* Prints the text of --help. */
void cli_help(FILE *out, const cli_command_t *c);

/* Prints the name, the operands and the options in brackets, in lines of at most 100 columns. */
void cli_synopsis(FILE *out, const cli_command_t *c);

/* Reads a decimal number from `min` to `max`. */
int cli_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *value,
               mrpb_err_t *err);
/* Reads a number above 0 and up to `most`, with a fraction. */
int cli_real(const char *option, const char *text, double most, double *value, mrpb_err_t *err);
/* Stores an operand that may be given once; `legal` is the message's text for a second one: "one
 * module at a time". */
int cli_once(const char **to, const char *text, const char *legal, mrpb_err_t *err);
/* Appends to a list of `max` texts. */
int cli_append(const char **list, unsigned *n, unsigned max, const char *option, const char *text,
               mrpb_err_t *err);

#endif
