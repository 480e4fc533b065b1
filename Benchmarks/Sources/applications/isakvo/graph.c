// The graph editor by this library: a label is an observer of a key path, which moves along by
// itself when a node on the way is replaced.
#include "object.h"

// Keys: position, next.
struct node {
    struct isa_header header;
    int64_t position;
    isa_id next;
    int64_t number;
};

struct editor {
    struct canvas *canvas;
    isa_id nodes[GRAPH_NODES];
    kvo_token drawings[GRAPH_NODES];
    kvo_token labels[GRAPH_LABELS];
    isa_sel set_position;
    isa_sel set_next;
};

// ---- nodes --------------------------------------------------------------------------------------

static int64_t position_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct node *)self)->position;
}

static void set_position(isa_id self, isa_sel sel, int64_t position)
{
    (void)sel;
    ((struct node *)self)->position = position;
}

static isa_id next_of(isa_id self, isa_sel sel)
{
    (void)sel;
    return ((struct node *)self)->next;
}

static void set_next(isa_id self, isa_sel sel, isa_id next)
{
    (void)sel;
    struct node *node = (struct node *)self;
    isa_id before = node->next;
    node->next = isa_object_retain(next);
    isa_object_release(before);
}

static const struct field fields[] = {
    { "_position", "q", ISA_OWNERSHIP_NONE },
    { "_next", "@", ISA_OWNERSHIP_RETAIN },
    { "_number", "q", ISA_OWNERSHIP_NONE },
};

static const struct method methods[] = {
    { "position", (isa_imp)position_of, "q@:" },
    { "setPosition:", (isa_imp)set_position, "v@:q" },
    { "next", (isa_imp)next_of, "@@:" },
    { "setNext:", (isa_imp)set_next, "v@:@" },
};

static isa_class node_class(void)
{
    static isa_class cls;
    if (cls == NULL) cls = make_class("Node", fields, COUNT(fields), methods, COUNT(methods));
    return cls;
}

// ---- observers ----------------------------------------------------------------------------------

static void draw_node(const kvo_change *change, void *info)
{
    canvas_draw(info, ((struct node *)change->object)->number, integer_in(change->new_value));
}

// A path that ends on the way has nil as its value.
static void show_position(const kvo_change *change, void *info)
{
    bool is_there = change->new_value.types[0] == 'q';
    label_show(info, is_there ? integer_in(change->new_value) : GRAPH_NOTHING);
}

static void observe_nodes(struct editor *editor)
{
    for (size_t i = 0; i < GRAPH_NODES; i++) {
        kvo_function draw = { draw_node, editor->canvas, NULL };
        must(kvo_observe(editor->nodes[i], "position", KVO_OPTION_NEW, &draw, NULL,
                         &editor->drawings[i]));
    }
    for (size_t i = 0; i < GRAPH_LABELS; i++) {
        kvo_function show = { show_position, &editor->canvas->labels[i], NULL };
        must(kvo_observe(editor->nodes[i], "next.next.next.position", KVO_OPTION_NEW, &show, NULL,
                         &editor->labels[i]));
    }
}

// ---- the application ----------------------------------------------------------------------------

static void *make(void)
{
    struct editor *editor = calloc(1, sizeof *editor);
    if (editor == NULL) abort();
    editor->canvas = canvas_make();
    editor->set_position = isa_sel_register("setPosition:");
    editor->set_next = isa_sel_register("setNext:");
    for (size_t i = 0; i < GRAPH_NODES; i++) {
        editor->nodes[i] = make_object(node_class());
        ((struct node *)editor->nodes[i])->number = (int64_t)i;
    }
    observe_nodes(editor);
    return editor;
}

static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct editor *editor = context;
    isa_id node = editor->nodes[operation->place];
    (void)thread;
    switch ((enum graph_operation)operation->kind) {
    case GRAPH_MOVE:
        ISA_SEND(set_integer, node, editor->set_position, operation->value);
        break;
    case GRAPH_CONNECT:
        ISA_SEND(set_object, node, editor->set_next, editor->nodes[operation->other]);
        break;
    case GRAPH_DISCONNECT: ISA_SEND(set_object, node, editor->set_next, NULL); break;
    }
}

static void answer(void *context, struct answer *out)
{
    struct editor *editor = context;
    canvas_answer(editor->canvas, out);
    for (size_t i = 0; i < GRAPH_NODES; i++) {
        const struct node *node = (const struct node *)editor->nodes[i];
        const struct node *next = (const struct node *)node->next;
        answer_add_node(out, node->position, next != NULL ? next->number : -1);
    }
}

static void end(void *context)
{
    struct editor *editor = context;
    for (size_t i = 0; i < GRAPH_LABELS; i++) kvo_token_release(editor->labels[i]);
    for (size_t i = 0; i < GRAPH_NODES; i++) kvo_token_release(editor->drawings[i]);
    for (size_t i = 0; i < GRAPH_NODES; i++) isa_object_release(editor->nodes[i]);
    free(editor->canvas);
    free(editor);
}

const struct application isakvo_graph = {
    .name = "graph", .make = make, .perform = perform, .answer = answer, .end = end,
};
