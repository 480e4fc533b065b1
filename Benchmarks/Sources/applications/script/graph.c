// Writes the graph editor's script. The plain model follows every label's path after each edit.
#include "parts.h"
#include "random.h"

enum { LARGEST_POSITION = 4096 };

struct plain_node {
    int64_t position;
    struct plain_node *next;
};

struct plain {
    struct plain_node nodes[GRAPH_NODES];
    struct canvas *canvas;
};

static int64_t number_of(const struct plain *plain, const struct plain_node *node)
{
    return node != NULL ? node - plain->nodes : -1;
}

// ---- what is done -------------------------------------------------------------------------------

static int64_t position_at_end(const struct plain_node *node)
{
    for (int i = 1; i < GRAPH_LAYERS && node != NULL; i++) node = node->next;
    return node != NULL ? node->position : GRAPH_NOTHING;
}

static void show_labels(struct plain *plain)
{
    for (size_t i = 0; i < GRAPH_LABELS; i++)
        label_show(&plain->canvas->labels[i], position_at_end(&plain->nodes[i]));
}

static struct operation move(struct plain *plain, struct random *random)
{
    uint32_t number = draw(random, GRAPH_NODES);
    struct plain_node *node = &plain->nodes[number];
    node->position = draw_other(random, LARGEST_POSITION, node->position);
    canvas_draw(plain->canvas, number, node->position);
    if (number >= graph_layers[GRAPH_LAYERS - 1]) show_labels(plain);
    return (struct operation){ .kind = GRAPH_MOVE, .place = number, .value = node->position };
}

static struct operation connect_node(struct plain *plain, uint32_t number, struct random *random)
{
    struct plain_node *node = &plain->nodes[number];
    const uint32_t *next = &graph_layers[graph_layer(number) + 1];
    size_t count = next[1] - next[0];
    uint32_t other = next[0] + draw(random, count);
    if (&plain->nodes[other] == node->next) other = next[0] + (other - next[0] + 1) % count;
    node->next = &plain->nodes[other];
    show_labels(plain);
    return (struct operation){ .kind = GRAPH_CONNECT, .place = number, .other = other };
}

static struct operation disconnect_node(struct plain *plain, uint32_t number)
{
    plain->nodes[number].next = NULL;
    show_labels(plain);
    return (struct operation){ .kind = GRAPH_DISCONNECT, .place = number };
}

// Of a hundred operations 65 move a node; 35 replace what one leads to, of which every eighth by
// nothing where there is something.
static struct operation do_any(struct plain *plain, struct random *random)
{
    if (draw(random, 100) < 65) return move(plain, random);
    uint32_t number = draw(random, graph_layers[GRAPH_LAYERS - 1]);
    bool ends = draw(random, 8) == 0 && plain->nodes[number].next != NULL;
    return ends ? disconnect_node(plain, number) : connect_node(plain, number, random);
}

static void write_answer(const struct plain *plain, struct answer *out)
{
    canvas_answer(plain->canvas, out);
    for (size_t i = 0; i < GRAPH_NODES; i++)
        answer_add_node(out, plain->nodes[i].position, number_of(plain, plain->nodes[i].next));
}

bool graph_write(struct script *out)
{
    struct random random = { 2 };
    struct plain plain = { .canvas = canvas_make() };
    *out = (struct script){ .name = "graph", .observers = { "canvas", "labels" }, .threads = 1,
                            .untimed = graph_layers[GRAPH_LAYERS - 1] };
    out->count = out->untimed + GRAPH_EDITS;
    struct operation *operations = calloc(out->count, sizeof *operations);
    out->operations[0] = operations;
    for (size_t i = 0; i < out->count && operations != NULL; i++)
        operations[i] = i < out->untimed ? connect_node(&plain, (uint32_t)i, &random)
                                         : do_any(&plain, &random);
    write_answer(&plain, &out->expected);
    free(plain.canvas);
    return operations != NULL;
}
