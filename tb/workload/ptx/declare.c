/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations: registers, parameters, and variables with their initialisers. */
#include "workload/ptx/parse.h"

#include <string.h>

enum { MAX_VARIABLE = 1 << 30, MAX_RANGE = 1 << 20 };

/* Reads the type that must come next. */
static int type_word(parser_t *p, ptx_type_t *type) {
  char word[PTX_NAME], shown[PTX_SHOWN];
  if (p->tok.kind == TOKEN_DOT) {
    memcpy(word, p->tok.at, p->tok.length);
    word[p->tok.length] = '\0';
    *type = ptx_type_named(word);
    if ((*type && *type <= PTX_F16X2) || *type == PTX_B128) {
      ptx_next(p);
      return 0;
    }
  }
  return ptx_fail(
      p, p->tok.line,
      "%s is not a type here; legal: .pred .b8 to .b128, .u8 to .u64, .s8 to .s64, .f16 "
      ".f16x2 .f32 .f64",
      ptx_show(&p->tok, shown));
}

static int count(parser_t *p, const char *what, uint64_t low, uint64_t high, uint64_t *value) {
  char shown[PTX_SHOWN];
  if (p->tok.kind != TOKEN_INT || p->tok.bits < low || p->tok.bits > high)
    return ptx_fail(p, p->tok.line, "%s as %s; legal: %llu to %llu", ptx_show(&p->tok, shown), what,
                    (unsigned long long)low, (unsigned long long)high);
  *value = p->tok.bits;
  ptx_next(p);
  return 0;
}

static int name(parser_t *p, const char *what, token_t *t) {
  char shown[PTX_SHOWN];
  *t = p->tok;
  if (p->tok.kind != TOKEN_NAME)
    return ptx_fail(p, p->tok.line, "%s found where the name of a %s is expected",
                    ptx_show(&p->tok, shown), what);
  ptx_next(p);
  return 0;
}

/* Reads `.align 16` if present. */
static int alignment(parser_t *p, uint64_t *align) {
  *align = 0;
  if (p->tok.kind != TOKEN_DOT || !lexer_spells(&p->tok, "align")) return 0;
  ptx_next(p);
  uint32_t line = p->tok.line;
  if (count(p, "alignment", 1, 1024, align)) return -1;
  if (*align & (*align - 1))
    return ptx_fail(p, line, "alignment %u; legal: a power of two", (unsigned)*align);
  return 0;
}

/* Reads `.v2` or `.v4` before a type; returns the number of elements, 0 if neither is present. */
static uint8_t vector_word(parser_t *p) {
  uint8_t n = 0;
  if (p->tok.kind == TOKEN_DOT && lexer_spells(&p->tok, "v2")) n = 2;
  if (p->tok.kind == TOKEN_DOT && lexer_spells(&p->tok, "v4")) n = 4;
  if (n) ptx_next(p);
  return n;
}

int ptx_reg_parameter(parser_t *p, reg_decl_t *d) {
  token_t t;
  ptx_type_t type = PTX_B8;
  if (type_word(p, &type) || name(p, "parameter", &t)) return -1;
  if (type == PTX_PRED || type == PTX_B128)
    return ptx_fail(p, t.line, "register '%.*s' as a parameter; legal: types of 8 to 64 bits",
                    (int)t.length, t.at);
  *d = (reg_decl_t){.name = t.at, .length = t.length, .line = t.line, .type = type};
  return ptx_add_decl(p, d);
}

int ptx_reg_statement(parser_t *p) {
  ptx_type_t type = PTX_B8;
  uint8_t vector = vector_word(p);
  const uint32_t line = p->tok.line;
  if (type_word(p, &type)) return -1;
  if (type == PTX_B128 && vector)
    return ptx_fail(p, line, "vectors of .b128; legal: .b128 alone, .v2 .b64");
  if (type == PTX_B128) {
    type = PTX_B64;
    vector = 2;
  }
  do {
    token_t t;
    uint64_t n = 0;
    if (name(p, "register", &t)) return -1;
    if (ptx_accept(p, '<') && (count(p, "number of registers", 1, MAX_RANGE, &n) ||
                               ptx_expect(p, '>', "after the number of registers")))
      return -1;
    reg_decl_t d = {.name = t.at,
                    .length = t.length,
                    .line = t.line,
                    .type = type,
                    .count = (uint32_t)n,
                    .vector = vector};
    if (ptx_add_decl(p, &d)) return -1;
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';', "at the end of .reg");
}

/* Reads dimensions such as `[2][3]` behind a name; the number of elements, 0 for `[]`. */
static int dimensions(parser_t *p, uint64_t *elements) {
  *elements = 1;
  while (ptx_accept(p, '[')) {
    uint64_t n = 0;
    uint32_t line = p->tok.line;
    if (!ptx_token_is(&p->tok, ']') && count(p, "array size", 0, MAX_VARIABLE, &n)) return -1;
    if (ptx_expect(p, ']', "after the array size")) return -1;
    if (n && *elements > MAX_VARIABLE / n)
      return ptx_fail(p, line, "array too large; legal: up to %d bytes", MAX_VARIABLE);
    *elements *= n;
  }
  return 0;
}

/* ---- parameters ---------------------------------------------------------------- */

static int declaration(parser_t *p, token_t *t, ptx_type_t *type, uint64_t *align,
                       uint64_t *bytes) {
  uint64_t elements, ignored;
  if (alignment(p, align)) return -1;
  const uint8_t vector = vector_word(p);
  if (type_word(p, type)) return -1;
  if (p->tok.kind == TOKEN_DOT && lexer_spells(&p->tok, "ptr")) { /* .ptr .global .align 4 */
    ptx_next(p);
    if (p->tok.kind == TOKEN_DOT && !lexer_spells(&p->tok, "align")) ptx_next(p);
    if (alignment(p, &ignored)) return -1;
  }
  if (name(p, "parameter", t)) return -1;
  const bool array = ptx_token_is(&p->tok, '[') || vector || *type == PTX_B128;
  if (dimensions(p, &elements)) return -1;
  if (*type == PTX_PRED || elements == 0)
    return ptx_fail(p, t->line, "parameter '%.*s' has no size", (int)t->length, t->at);
  const uint64_t unit = ptx_type_bytes(*type) * (vector ? vector : 1u);
  *bytes = unit * elements;
  if (!*align) *align = unit;
  if (array) *type = PTX_B8;
  return 0;
}

int ptx_param_declaration(parser_t *p, token_t *t, uint64_t *align, uint64_t *bytes) {
  ptx_type_t type;
  return declaration(p, t, &type, align, bytes);
}

static int parameter(parser_t *p) {
  body_t *b = p->body;
  ptx_type_t type = PTX_B8;
  token_t t;
  uint64_t align = 1, bytes = 0;
  char shown[PTX_SHOWN];
  if (p->tok.kind != TOKEN_DOT || !lexer_spells(&p->tok, "param"))
    return ptx_fail(p, p->tok.line, "%s found where .param is expected", ptx_show(&p->tok, shown));
  ptx_next(p);
  if (declaration(p, &t, &type, &align, &bytes)) return -1;
  for (size_t i = 0; i < b->n_params; i++)
    if (lexer_spells(&t, b->params[i].name))
      return ptx_fail(p, t.line, "parameter '%.*s' again", (int)t.length, t.at);
  uint64_t offset = (b->k.param_bytes + align - 1) / align * align;
  if (offset + bytes > 4096) return ptx_fail(p, t.line, "parameters of more than 4096 bytes");
  if (PTX_GROW(p, b, params, n_params)) return -1;
  const char *copy = ptx_copy_name(p, t.at, t.length);
  if (!copy) return -1;
  b->params[b->n_params++] = (ptx_param_t){copy, type, (uint32_t)offset, (uint32_t)bytes};
  b->k.param_bytes = (uint32_t)(offset + bytes);
  return 0;
}

int ptx_params(parser_t *p) {
  if (!ptx_accept(p, '(')) return 0;
  if (ptx_accept(p, ')')) return 0;
  do {
    if (parameter(p)) return -1;
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ')', "after the parameters");
}

/* ---- variables ------------------------------------------------------------------- */

variable_t *ptx_find_variable(parser_t *p, const char *at, size_t length) {
  uint32_t kernel = p->body ? p->body->index : PTX_NO_KERNEL;
  variable_t *found = NULL;
  for (size_t i = 0; i < p->m->n_variables; i++) {
    variable_t *v = &p->m->variables[i];
    if (v->kernel != kernel && v->kernel != PTX_NO_KERNEL) continue;
    if (strlen(v->v.name) == length && memcmp(v->v.name, at, length) == 0 &&
        (!found || v->kernel == kernel))
      found = v;
  }
  return found;
}

static int note_reference(parser_t *p, const ptx_reference_t *r) {
  ptx_module_t *m = p->m;
  if (PTX_GROW(p, m, references, n_references)) return -1;
  m->references[m->n_references++] = *r;
  return 0;
}

/* Reads `name`, `name+4` or `generic(name)` in an initialiser: the address of a .global variable,
 * to be stored at byte `at` of the newest variable. */
static int reference(parser_t *p, ptx_type_t type, uint64_t at) {
  ptx_module_t *m = p->m;
  char shown[PTX_SHOWN];
  const bool generic = lexer_spells(&p->tok, "generic");
  if (generic) ptx_next(p);
  if (generic && ptx_expect(p, '(', "behind generic")) return -1;
  const token_t t = p->tok;
  const variable_t *v = t.kind == TOKEN_NAME ? ptx_find_variable(p, t.at, t.length) : NULL;
  if (!v || v->v.texture || (v->v.space != PTX_GLOBAL && (generic || v->v.space != PTX_CONST)) ||
      ptx_is_float(type) || ptx_type_bytes(type) < 4)
    return ptx_fail(
        p, t.line,
        "initialiser %s; legal: numbers, addresses of .global variables in 32 or 64 bits, of "
        "functions in 64",
        ptx_show(&t, shown));
  ptx_next(p);
  ptx_reference_t r = {.in = (unsigned)(m->n_variables - 1),
                       .of = (unsigned)(v - m->variables),
                       .at = at,
                       .bytes = (uint8_t)ptx_type_bytes(type)};
  if (ptx_accept(p, '+') && count(p, "offset", 0, MAX_VARIABLE, &r.addend)) return -1;
  if (generic && ptx_expect(p, ')', "after the variable")) return -1;
  m->variables[r.of].v.used = true;
  return note_reference(p, &r);
}

/* Reads one element of an initialiser as `type`. */
static int element(parser_t *p, ptx_type_t type, uint8_t *to, uint64_t at) {
  ptx_operand_t o = {0};
  const uint64_t function = p->tok.kind == TOKEN_NAME && ptx_type_bytes(type) == 8
                                ? ptx_function_address(p->m, p->tok.at, p->tok.length)
                                : 0;
  if (function) {
    const ptx_reference_t r = {.in = (unsigned)(p->m->n_variables - 1),
                               .at = at,
                               .addend = function,
                               .bytes = sizeof function,
                               .function = true};
    memcpy(to + at, &function, sizeof function);
    ptx_next(p);
    return note_reference(p, &r);
  }
  if (p->tok.kind == TOKEN_NAME) return reference(p, type, at);
  if (ptx_source(p, &o, type, 0)) return -1;
  for (unsigned i = 0; i < ptx_type_bytes(type); i++) to[at + i] = (uint8_t)(o.imm >> 8 * i);
  return 0;
}

/* Reads `= 1` or `= {1, {2, 3}}`; inner braces only group. */
static int initialiser(parser_t *p, ptx_variable_t *v, ptx_type_t type) {
  uint8_t *to = ptx_alloc(p, v->bytes);
  uint64_t at = 0, unit = ptx_type_bytes(type);
  unsigned depth = 0;
  if (!to) return -1;
  do {
    while (ptx_accept(p, '{')) depth++;
    if (!(depth && ptx_token_is(&p->tok, '}'))) {
      if (at + unit > v->bytes)
        return ptx_fail(p, p->tok.line, "more initial values than '%.60s' has elements", v->name);
      if (element(p, type, to, at)) return -1;
      at += unit;
    }
    while (depth && ptx_accept(p, '}')) depth--;
  } while (depth && ptx_accept(p, ','));
  if (depth) return ptx_expect(p, '}', "after the initial values");
  v->init = to;
  return 0;
}

static int add_variable(parser_t *p, const token_t *t, variable_t *v) {
  ptx_module_t *m = p->m;
  variable_t *old = ptx_find_variable(p, t->at, t->length);
  v->kernel = p->body ? p->body->index : PTX_NO_KERNEL;
  if (old && old->kernel == v->kernel)
    return ptx_fail(p, t->line, "variable '%.*s' again, first on line %u", (int)t->length, t->at,
                    old->line);
  if (m->n_variables >= UINT16_MAX)
    return ptx_fail(p, t->line, "more than %d variables", UINT16_MAX);
  if (PTX_GROW(p, m, variables, n_variables)) return -1;
  v->v.name = ptx_copy_name(p, t->at, t->length);
  v->line = t->line;
  v->used_by = PTX_NO_KERNEL;
  if (!v->v.name) return -1;
  m->variables[m->n_variables++] = *v;
  return 0;
}

/* Skips `.attribute(.managed)`: host and GPU share one memory here. */
static int attribute(parser_t *p) {
  if (p->tok.kind != TOKEN_DOT || !lexer_spells(&p->tok, "attribute")) return 0;
  ptx_next(p);
  if (ptx_expect(p, '(', "after .attribute")) return -1;
  while (!ptx_token_is(&p->tok, ')') && p->tok.kind != TOKEN_END && p->tok.kind != TOKEN_BAD)
    ptx_next(p);
  return ptx_expect(p, ')', "after .attribute");
}

/* Called behind the space: reads `.align 4 .b8 name[16] = {...}, name2;` */
int ptx_variable_statement(parser_t *p, ptx_space_t space, bool external) {
  ptx_type_t type = PTX_B8;
  uint64_t align;
  if (p->tok.kind == TOKEN_DOT && lexer_spells(&p->tok, "texref")) return ptx_texture_statement(p);
  if (p->tok.kind == TOKEN_DOT &&
      (lexer_spells(&p->tok, "surfref") || lexer_spells(&p->tok, "samplerref")))
    return ptx_fail(p, p->tok.line,
                    "surfaces and samplers are not supported; pass the buffer, and use ld.global");
  if (attribute(p) || alignment(p, &align)) return -1;
  const uint8_t vector = vector_word(p);
  if (type_word(p, &type)) return -1;
  do {
    token_t t;
    uint64_t elements;
    variable_t v = {.v = {.space = space}, .external = external};
    if (name(p, "variable", &t) || dimensions(p, &elements)) return -1;
    uint64_t unit = ptx_type_bytes(type) * (vector ? vector : 1u);
    v.v.bytes = elements * unit;
    v.v.align = align ? align : unit;
    if (type == PTX_PRED || v.v.bytes > MAX_VARIABLE)
      return ptx_fail(p, t.line, "variable '%.*s': legal: up to %d bytes, no predicates",
                      (int)t.length, t.at, MAX_VARIABLE);
    bool start = ptx_token_is(&p->tok, '=');
    if (elements == 0 && (!external || space != PTX_SHARED))
      return ptx_fail(p, t.line, "the size of '%.*s' is missing; only .extern .shared may omit it",
                      (int)t.length, t.at);
    if (start && type == PTX_B128)
      return ptx_fail(p, t.line, "initial values of .b128; legal: .align 16 .b64 %.*s[2] = {...}",
                      (int)t.length, t.at);
    if (start && (space == PTX_SHARED || space == PTX_LOCAL))
      return ptx_fail(p, t.line, "'%.*s': .%s variables cannot have an initial value",
                      (int)t.length, t.at, ptx_space_name(space));
    if (add_variable(p, &t, &v)) return -1;
    if (start) {
      ptx_next(p);
      if (initialiser(p, &p->m->variables[p->m->n_variables - 1].v, type)) return -1;
    }
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';', "at the end of the variable");
}

/* Reads `.texref name;`, or `.u64 name;` behind `.tex`. */
int ptx_texture_statement(parser_t *p) {
  if (p->tok.kind != TOKEN_DOT || !(lexer_spells(&p->tok, "texref") ||
                                    lexer_spells(&p->tok, "u64") || lexer_spells(&p->tok, "u32"))) {
    char shown[PTX_SHOWN];
    return ptx_fail(p, p->tok.line, "%s after .tex; legal: .u64 .u32", ptx_show(&p->tok, shown));
  }
  ptx_next(p);
  do {
    token_t t;
    variable_t v = {.v = {.space = PTX_GLOBAL, .texture = true, .align = 1}};
    if (name(p, "texture", &t) || add_variable(p, &t, &v)) return -1;
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';', "at the end of the texture");
}
