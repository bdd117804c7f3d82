/* SPDX-License-Identifier: Apache-2.0 */
/* qrouter writes one net as
 *
 *     n9 1 PIN/n9 2 ( 14.6 0.0032 ( 0.5 0.0001 INVX1_3/A ) , ( 2.2 0.0005 BUFX2_1/A ) )
 *
 * that is: name, number of drivers, driver, number of sinks, and the tree behind the driver. A
 * piece of wire has ohms and pF, and then what is at its end: sinks and further pieces. */
#include "estimate/place/wires.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT = 128, DEPTH = 20000 };

/* A piece of wire from node `from` to its own end, or a sink at node `from` (with its name). */
typedef struct {
  unsigned from, to;
  double ohm, pf;
  char sink[TEXT];
} piece_t;

typedef struct {
  const char *at;
  unsigned line;
  char word[TEXT];
  const place_netlist_t *n;
  int net;
  char driver[TEXT];
  piece_t *piece;
  unsigned n_pieces, room, nodes, sinks;
  mrpb_err_t *err;
} reader_t;

/* Reads a word of the current line; false at its end. */
static bool next(reader_t *r) {
  r->at += strspn(r->at, " \t\r");
  const size_t n = strcspn(r->at, " \t\r\n");
  snprintf(r->word, TEXT, "%.*s", (int)(n < TEXT ? n : TEXT - 1), r->at);
  r->at += n;
  return n > 0;
}

static int bad(const reader_t *r, const char *wanted) {
  return mrpb_fail(r->err, "qrouter's file of wires, line %u: '%.40s' where %s was expected",
                   r->line, r->word, wanted);
}

static piece_t *add(reader_t *r) {
  if (r->n_pieces == r->room) {
    const unsigned room = r->room ? 2 * r->room : 64;
    piece_t *all = realloc(r->piece, room * sizeof *all);
    if (!all) return NULL;
    r->piece = all;
    r->room = room;
  }
  r->piece[r->n_pieces] = (piece_t){.ohm = 0};
  return &r->piece[r->n_pieces++];
}

/* Gives a pin OpenSTA's name: "INVX1_3/A" is INVX1_3:A, and a pin of the outline is the port or the
 * macro's pin that is outside there. */
static void pin_name(const reader_t *r, const char *word, char name[TEXT]) {
  const place_netlist_net_t *net = &r->n->net[r->net];
  snprintf(name, TEXT, "%s", word);
  char *slash = strrchr(name, '/');
  if (slash) *slash = ':';
  if (strncmp(word, "PIN/", 4) != 0) return;
  if (net->in || (net->out && !net->from))
    snprintf(name, TEXT, "n%d", r->net);
  else
    snprintf(name, TEXT, "%s", net->macro);
}

static bool numbers(reader_t *r, piece_t *p) {
  char *end;
  if (!next(r)) return false;
  p->ohm = strtod(r->word, &end);
  if (end == r->word || *end || !next(r)) return false;
  p->pf = strtod(r->word, &end);
  return end != r->word && *end == '\0' && p->ohm >= 0 && p->pf >= 0;
}

/* Reads what is at node 0, to the end of the line. `open` holds the nodes of the open brackets. */
static int read_tree(reader_t *r, unsigned *open) {
  unsigned depth = 0;
  open[0] = 0;
  while (next(r)) {
    if (strcmp(r->word, ",") == 0) continue;
    if (strcmp(r->word, ")") == 0) {
      if (depth == 0) return bad(r, "no more than was opened");
      depth--;
      continue;
    }
    piece_t *p = add(r);
    if (!p || depth + 1 == DEPTH) return mrpb_fail(r->err, "out of memory");
    p->from = open[depth];
    if (strcmp(r->word, "(") == 0) {
      if (!numbers(r, p)) return bad(r, "ohms and pF");
      p->to = ++r->nodes;
      open[++depth] = p->to;
    } else if (strchr(r->word, '/')) {
      pin_name(r, r->word, p->sink);
      r->sinks++;
    } else {
      return bad(r, "a piece of wire or a pin");
    }
  }
  return depth == 0 ? 0 : bad(r, ")");
}

/* Reads the line of a net. Returns 1 for a net, 0 for an empty line, -1 and a message. */
static int read_line(reader_t *r, unsigned *open) {
  char *end;
  r->n_pieces = r->nodes = r->sinks = 0;
  if (!next(r)) return 0;
  r->net = r->word[0] == 'n' ? (int)strtol(r->word + 1, &end, 10) : -1;
  if (r->net < 0 || *end || r->net >= r->n->n_nets) return bad(r, "a net of the netlist");
  if (!next(r) || strcmp(r->word, "1") != 0) return bad(r, "one driver");
  if (!next(r) || !strchr(r->word, '/')) return bad(r, "the driver's pin");
  pin_name(r, r->word, r->driver);
  if (!next(r)) return bad(r, "the number of sinks");
  if (read_tree(r, open) != 0) return -1;
  const place_netlist_net_t *net = &r->n->net[r->net];
  const unsigned wanted = net->sinks + (net->driven && place_netlist_is_pin(net));
  if (r->sinks != wanted)
    return mrpb_fail(r->err, "n%d: routed to %u of its %u sinks", r->net, r->sinks, wanted);
  return 1;
}

static void node_name(const reader_t *r, unsigned node, char name[TEXT]) {
  if (node == 0)
    snprintf(name, TEXT, "%s", r->driver);
  else
    snprintf(name, TEXT, "n%d:%u", r->net, node);
}

/* "*P n12 I" for a port, "*I INVX1_3:A O" for a pin of a cell. */
static void put_pin(FILE *f, const char *name, char way) {
  const bool port = !strchr(name, ':');
  if (port) way = way == 'O' ? 'I' : 'O';
  fprintf(f, "*%c %s %c\n", port ? 'P' : 'I', name, way);
}

static void put_caps(const reader_t *r, FILE *f, double ff_of_pf, double *at_node) {
  char name[TEXT];
  unsigned k = 0;
  for (unsigned i = 0; i <= r->nodes; i++) at_node[i] = 0;
  for (unsigned i = 0; i < r->n_pieces; i++) {
    const piece_t *p = &r->piece[i];
    at_node[p->from] += p->pf / 2;
    at_node[p->to] += p->sink[0] ? 0 : p->pf / 2;
  }
  fputs("*CAP\n", f);
  for (unsigned i = 0; i <= r->nodes; i++) {
    node_name(r, i, name);
    if (at_node[i] > 0) fprintf(f, "%u %s %.6g\n", ++k, name, at_node[i] * ff_of_pf);
  }
}

/* A sink that is at a node is joined to it by a resistance of no weight. */
static void put_net(const reader_t *r, FILE *f, double ff, double *at_node) {
  char from[TEXT], to[TEXT];
  double pf = 0;
  for (unsigned i = 0; i < r->n_pieces; i++) pf += r->piece[i].pf;
  fprintf(f, "\n*D_NET n%d %.6g\n*CONN\n", r->net, pf > 0 ? ff : 0);
  put_pin(f, r->driver, 'O');
  for (unsigned i = 0; i < r->n_pieces; i++)
    if (r->piece[i].sink[0]) put_pin(f, r->piece[i].sink, 'I');
  if (pf > 0) put_caps(r, f, ff / pf, at_node);
  fputs("*RES\n", f);
  for (unsigned i = 0; i < r->n_pieces; i++) {
    const piece_t *p = &r->piece[i];
    node_name(r, p->from, from);
    node_name(r, p->to, to);
    fprintf(f, "%u %s %s %.6g\n", i + 1, from, p->sink[0] ? p->sink : to,
            p->sink[0] ? 0.001 : p->ohm);
  }
  fputs("*END\n", f);
}

/* Every net with a driver and a sink must have had a line. */
static int all_seen(const place_netlist_t *n, const bool *seen, mrpb_err_t *err) {
  for (int i = 0; i < n->n_nets; i++) {
    const place_netlist_net_t *net = &n->net[i];
    const bool wanted = net->sinks > 0 || (net->driven && place_netlist_is_pin(net));
    if (wanted && !seen[i]) return mrpb_fail(err, "qrouter's file of wires: n%d is not in it", i);
  }
  return 0;
}

int wires_spef(const char *rc, const place_netlist_t *n, const layout_def_t *def, FILE *f,
               mrpb_err_t *err) {
  reader_t r = {.at = rc, .line = 1, .n = n, .err = err};
  unsigned *open = calloc(DEPTH, sizeof *open), nets = 0;
  bool *seen = calloc((size_t)n->n_nets, sizeof *seen);
  int got = open && seen ? 0 : mrpb_fail(err, "out of memory");
  fprintf(f,
          "*SPEF \"IEEE 1481-1998\"\n*DESIGN \"%s\"\n*DATE \"\"\n*VENDOR \"\"\n*PROGRAM \"mrpb\"\n"
          "*VERSION \"1\"\n*DESIGN_FLOW \"\"\n*DIVIDER /\n*DELIMITER :\n*BUS_DELIMITER [ ]\n"
          "*T_UNIT 1 NS\n*C_UNIT 1 FF\n*R_UNIT 1 OHM\n*L_UNIT 1 HENRY\n",
          n->top);
  for (; got >= 0 && *r.at; r.line++) {
    got = read_line(&r, open);
    double *at_node = got > 0 ? calloc(r.nodes + 1, sizeof *at_node) : NULL;
    if (got > 0 && !at_node) got = mrpb_fail(err, "out of memory");
    if (got > 0) put_net(&r, f, r.net < def->n_nets ? def->net[r.net].ff : 0, at_node);
    nets += got > 0;
    if (got > 0) seen[r.net] = true;
    free(at_node);
    if (*r.at == '\n') r.at++;
  }
  free(open);
  free(r.piece);
  if (got >= 0 && nets == 0) got = mrpb_fail(err, "qrouter's file of wires: no net in it");
  if (got >= 0) got = all_seen(n, seen, err);
  free(seen);
  return got < 0 ? -1 : 0;
}
