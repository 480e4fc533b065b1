// The graph editor by GNUstep: a label observes a key path.
//
// In release 1.28 an observed path goes on along its old objects once nil is set on the way, and
// tells of their changes. So, as its users have to, a node that leads to none leads to one that
// stands for nothing: each layer has such a node, and the last one's position is what a label shows
// then.
#import "objects.h"

// Keys: position, next.
@interface Node : NSObject
{
@public
    int64_t number;
    int64_t _position;
    Node *_next;
}
- (int64_t)position;
- (void)setPosition:(int64_t)position;
- (Node *)next;
- (void)setNext:(Node *)next;
@end

@implementation Node

- (void)dealloc
{
    [_next release];
    [super dealloc];
}

- (int64_t)position { return _position; }
- (void)setPosition:(int64_t)position { _position = position; }
- (Node *)next { return _next; }

- (void)setNext:(Node *)next
{
    Node *before = _next;
    _next = [next retain];
    [before release];
}

@end

// ---- observers ----------------------------------------------------------------------------------

@interface Canvas : NSObject
{
@public
    struct canvas *canvas;
}
@end

@implementation Canvas

- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context
{
    canvas_draw(canvas, ((Node *)object)->number, newInteger(change));
}

@end

@interface Label : NSObject
{
@public
    struct label *label;
}
@end

@implementation Label

- (void)observeValueForKeyPath:(NSString *)path
                      ofObject:(id)object
                        change:(NSDictionary *)change
                       context:(void *)context
{
    label_show(label, newInteger(change));
}

@end

// ---- the application ----------------------------------------------------------------------------

struct editor {
    Node *nodes[GRAPH_NODES];
    Node *nothing[GRAPH_LAYERS]; // one of each layer but the first
    Label *labels[GRAPH_LABELS];
    Canvas *canvas;
};

static NSString *const path = @"next.next.next.position";

static void observeNodes(struct editor *editor)
{
    for (int i = 0; i < GRAPH_NODES; i++)
        [editor->nodes[i] addObserver:editor->canvas
                           forKeyPath:@"position"
                              options:NSKeyValueObservingOptionNew
                              context:NULL];
    for (int i = 0; i < GRAPH_LABELS; i++)
        [editor->nodes[i] addObserver:editor->labels[i]
                           forKeyPath:path
                              options:NSKeyValueObservingOptionNew
                              context:NULL];
}

static void disconnectNode(struct editor *editor, unsigned number)
{
    unsigned next = graph_layer(number) + 1;
    [editor->nodes[number] setNext:next < GRAPH_LAYERS ? editor->nothing[next] : nil];
}

static void makeNodes(struct editor *editor)
{
    for (unsigned i = GRAPH_LAYERS - 1; i > 0; i--) {
        editor->nothing[i] = [Node new];
        editor->nothing[i]->number = -1;
        editor->nothing[i]->_position = GRAPH_NOTHING;
        if (i + 1 < GRAPH_LAYERS) [editor->nothing[i] setNext:editor->nothing[i + 1]];
    }
    for (unsigned i = 0; i < GRAPH_NODES; i++) {
        editor->nodes[i] = [Node new];
        editor->nodes[i]->number = i;
        disconnectNode(editor, i);
    }
}

static void *make(void)
{
    struct editor *editor = calloc(1, sizeof *editor);
    if (editor == NULL) abort();
    editor->canvas = [Canvas new];
    editor->canvas->canvas = canvas_make();
    makeNodes(editor);
    for (int i = 0; i < GRAPH_LABELS; i++) {
        editor->labels[i] = [Label new];
        editor->labels[i]->label = &editor->canvas->canvas->labels[i];
    }
    observeNodes(editor);
    return editor;
}

static void perform(void *context, unsigned thread, const struct operation *operation)
{
    struct editor *editor = context;
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    Node *node = editor->nodes[operation->place];
    (void)thread;
    switch ((enum graph_operation)operation->kind) {
    case GRAPH_MOVE: [node setPosition:operation->value]; break;
    case GRAPH_CONNECT: [node setNext:editor->nodes[operation->other]]; break;
    case GRAPH_DISCONNECT: disconnectNode(editor, operation->place); break;
    }
    [pool release];
}

static void answer(void *context, struct answer *out)
{
    struct editor *editor = context;
    canvas_answer(editor->canvas->canvas, out);
    for (int i = 0; i < GRAPH_NODES; i++) {
        const Node *next = editor->nodes[i]->_next;
        answer_add_node(out, editor->nodes[i]->_position, next != nil ? next->number : -1);
    }
}

static void end(void *context)
{
    struct editor *editor = context;
    for (int i = 0; i < GRAPH_LABELS; i++) {
        [editor->nodes[i] removeObserver:editor->labels[i] forKeyPath:path];
        [editor->labels[i] release];
    }
    for (int i = 0; i < GRAPH_NODES; i++) {
        [editor->nodes[i] removeObserver:editor->canvas forKeyPath:@"position"];
        [editor->nodes[i] release];
    }
    for (int i = 1; i < GRAPH_LAYERS; i++) [editor->nothing[i] release];
    free(editor->canvas->canvas);
    [editor->canvas release];
    free(editor);
}

const struct application gnustep_graph = {
    .name = "graph", .make = make, .perform = perform, .answer = answer, .end = end,
};
