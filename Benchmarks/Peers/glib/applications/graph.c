// The graph editor by GObject, which has no key paths: a label has a handler for each link of its
// path, and connects those behind a link anew when that is replaced.
#include "objects.h"

G_DECLARE_FINAL_TYPE(Node, node, APPLICATION, NODE, GObject)
struct _Node {
    GObject parent;
    int64_t number;
    int64_t position;
    Node *next;
};

enum { POSITION = 1, NEXT, NODE_PROPERTIES };

static GParamSpec *node_properties[NODE_PROPERTIES];

G_DEFINE_FINAL_TYPE(Node, node, G_TYPE_OBJECT)

// ---- nodes --------------------------------------------------------------------------------------

static void node_set_position(Node *node, int64_t position)
{
    node->position = position;
    g_object_notify_by_pspec((GObject *)node, node_properties[POSITION]);
}

static void node_set_next(Node *node, Node *next)
{
    if (g_set_object(&node->next, next))
        g_object_notify_by_pspec((GObject *)node, node_properties[NEXT]);
}

static void node_set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    switch (id) {
    case POSITION: node_set_position((Node *)object, g_value_get_int64(value)); break;
    case NEXT: node_set_next((Node *)object, g_value_get_object(value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void node_get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    switch (id) {
    case POSITION: g_value_set_int64(value, ((Node *)object)->position); break;
    case NEXT: g_value_set_object(value, ((Node *)object)->next); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void node_dispose(GObject *object)
{
    g_clear_object(&((Node *)object)->next);
    G_OBJECT_CLASS(node_parent_class)->dispose(object);
}

static void node_class_init(NodeClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS(class);
    object_class->set_property = node_set_property;
    object_class->get_property = node_get_property;
    object_class->dispose = node_dispose;
    node_properties[POSITION] = integer_property("position", G_PARAM_READWRITE);
    node_properties[NEXT] = g_param_spec_object("next", NULL, NULL, node_get_type(),
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                                    G_PARAM_EXPLICIT_NOTIFY);
    g_object_class_install_properties(object_class, NODE_PROPERTIES, node_properties);
}

static void node_init(Node *node)
{
    (void)node;
}

// ---- labels -------------------------------------------------------------------------------------

struct path {
    struct label *label;
    Node *links[GRAPH_LAYERS]; // that handlers are connected to, retained; NULL behind the end
    gulong handlers[GRAPH_LAYERS];
};

static void follow(Node *node, GParamSpec *spec, struct path *path);

static void disconnect_from(struct path *path, int depth)
{
    for (int i = depth; i < GRAPH_LAYERS && path->links[i] != NULL; i++) {
        g_signal_handler_disconnect(path->links[i], path->handlers[i]);
        g_clear_object(&path->links[i]);
    }
}

static void connect_from(struct path *path, int depth, Node *node)
{
    for (int i = depth; i < GRAPH_LAYERS && node != NULL; i++, node = node->next) {
        const char *signal = i < GRAPH_LAYERS - 1 ? "notify::next" : "notify::position";
        path->links[i] = g_object_ref(node);
        path->handlers[i] = g_signal_connect(node, signal, G_CALLBACK(follow), path);
    }
}

static void follow(Node *node, GParamSpec *spec, struct path *path)
{
    (void)spec;
    for (int i = 0; i < GRAPH_LAYERS - 1; i++) {
        if (path->links[i] != node) continue;
        disconnect_from(path, i + 1);
        connect_from(path, i + 1, node->next);
        break;
    }
    const Node *last = path->links[GRAPH_LAYERS - 1];
    label_show(path->label, last != NULL ? last->position : GRAPH_NOTHING);
}

static void draw_node(Node *node, GParamSpec *spec, struct canvas *canvas)
{
    (void)spec;
    canvas_draw(canvas, node->number, node->position);
}

// ---- the application ----------------------------------------------------------------------------

struct editor {
    struct canvas *canvas;
    Node *nodes[GRAPH_NODES];
    struct path paths[GRAPH_LABELS];
};

static void *make(void)
{
    struct editor *editor = g_new0(struct editor, 1);
    editor->canvas = canvas_make();
    for (int i = 0; i < GRAPH_NODES; i++) {
        editor->nodes[i] = g_object_new(node_get_type(), NULL);
        editor->nodes[i]->number = i;
        g_signal_connect(editor->nodes[i], "notify::position", G_CALLBACK(draw_node),
                         editor->canvas);
    }
    for (int i = 0; i < GRAPH_LABELS; i++) {
        editor->paths[i].label = &editor->canvas->labels[i];
        connect_from(&editor->paths[i], 0, editor->nodes[i]);
    }
    return editor;
}

static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct editor *editor = context;
    Node *node = editor->nodes[operation->place];
    (void)thread;
    switch ((enum graph_operation)operation->kind) {
    case GRAPH_MOVE: node_set_position(node, operation->value); break;
    case GRAPH_CONNECT: node_set_next(node, editor->nodes[operation->other]); break;
    case GRAPH_DISCONNECT: node_set_next(node, NULL); break;
    }
}

static void answer(void *context, struct answer *out)
{
    struct editor *editor = context;
    canvas_answer(editor->canvas, out);
    for (int i = 0; i < GRAPH_NODES; i++) {
        const Node *node = editor->nodes[i];
        answer_add_node(out, node->position, node->next != NULL ? node->next->number : -1);
    }
}

static void end(void *context)
{
    struct editor *editor = context;
    for (int i = 0; i < GRAPH_LABELS; i++) disconnect_from(&editor->paths[i], 0);
    for (int i = 0; i < GRAPH_NODES; i++) g_object_unref(editor->nodes[i]);
    free(editor->canvas);
    g_free(editor);
}

const struct application gobject_graph = {
    .name = "graph", .make = make, .perform = perform, .answer = answer, .end = end,
};
