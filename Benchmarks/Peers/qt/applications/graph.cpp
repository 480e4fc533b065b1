// The graph editor by Qt's bindable properties: a label is bound to what its path leads to. Qt has
// no key paths, but a binding notes what it reads, so a replaced node is followed by itself.
#include "objects.h"

#include <QProperty>

#include <memory>
#include <vector>

namespace {

struct Node {
    QProperty<Node *> next{ nullptr };
    QProperty<qint64> position{ 0 };
    QPropertyNotifier drawing;
    qint64 number = 0;
};

qint64 positionAtEnd(const Node *node)
{
    for (int i = 1; i < GRAPH_LAYERS && node != nullptr; i++) node = node->next.value();
    return node != nullptr ? node->position.value() : GRAPH_NOTHING;
}

struct Label {
    QProperty<qint64> position{ GRAPH_NOTHING };
    QPropertyNotifier showing;

    void bind(const Node *node, label *shown)
    {
        position.setBinding([node] { return positionAtEnd(node); });
        showing = position.addNotifier([this, shown] { label_show(shown, position.value()); });
    }
};

struct Editor {
    std::unique_ptr<canvas, void (*)(void *)> around{ canvas_make(), free };
    std::vector<Node> nodes{ GRAPH_NODES };
    std::vector<Label> labels{ GRAPH_LABELS };

    Editor()
    {
        for (size_t i = 0; i < nodes.size(); i++) {
            Node *node = &nodes[i];
            node->number = qint64(i);
            node->drawing = node->position.addNotifier([this, node] {
                canvas_draw(around.get(), node->number, node->position.value());
            });
        }
        for (size_t i = 0; i < labels.size(); i++)
            labels[i].bind(&nodes[i], &around->labels[i]);
    }
};

void *make()
{
    return new Editor;
}

void perform(void *context, unsigned, const operation *operation)
{
    Editor &editor = *static_cast<Editor *>(context);
    Node &node = editor.nodes[operation->place];
    switch (graph_operation(operation->kind)) {
    case GRAPH_MOVE: node.position = operation->value; break;
    case GRAPH_CONNECT: node.next = &editor.nodes[operation->other]; break;
    case GRAPH_DISCONNECT: node.next = nullptr; break;
    }
}

void say(void *context, answer *out)
{
    Editor &editor = *static_cast<Editor *>(context);
    canvas_answer(editor.around.get(), out);
    for (const Node &node : editor.nodes) {
        const Node *next = node.next.value();
        answer_add_node(out, node.position.value(), next != nullptr ? next->number : -1);
    }
}

void end(void *context)
{
    delete static_cast<Editor *>(context);
}

} // namespace

const application qt_graph = { "graph", make, perform, say, end, nullptr, nullptr, nullptr };
