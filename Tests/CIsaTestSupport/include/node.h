// The fixture class of the model-based test: a Node with attributes, links to other nodes, to-many
// keys and keys that depend on those.
#ifndef ISA_TEST_NODE_H
#define ISA_TEST_NODE_H

#include "isa.h"

// An instance; writing a field does not notify.
typedef struct isa_test_node {
    struct isa_header header;
    isa_id name; // a word or NULL
    int64_t count;
    isa_id child; // nodes or NULL
    isa_id other;
    isa_id items; // an array of words or NULL
    isa_id tags;  // a set of words or NULL
    isa_id row;   // an array of words
    isa_id bag;   // an array of words that can change, or NULL
    isa_id pouch; // a set of words that can change, or NULL
    isa_id rank;  // a number or NULL
    int64_t m;    // not announced by its setter
    int64_t x;
    int64_t y;
    int64_t leaf;
} isa_test_node;

// Words: strings of which each has one instance, and another that is derived from it.
enum { ISA_TEST_WORD_COUNT = 6 };
isa_status isa_test_words_make(void);
void isa_test_words_release(void);
isa_id isa_test_word(size_t number);         // lent
isa_id isa_test_derived_word(size_t number); // lent

// Makes and registers a class `name` below the root class, with getter and setter for each field
// but bag and pouch, and these keys, which depend on others:
//   derived  @  the word that the name's derives        name
//   total    q  100 times the count and the items'      count, items
//   summary  q  numbers of the child's and own name     child.name, derived
//   best     @  the child, else the other               child, other
//   far      @  the child's other                       child.other
//   pair     q  numbers of the child's and other's name child.name, other.name
//   near     @  the best's name                         best.name
//   outer    q  one more than the child's summary       child.summary
//   deep     @  the child's child's name                child.child.name
//   goal     @  the far's name                          far.name
//   mark     q  one more than m                         m
//   z        q  ten times x and leaf                    x, leaf
// x and y are declared to depend on each other. Items have all the accessors of an ordered key,
// tags those of an unordered one; what is beyond the end they ignore.
isa_status isa_test_node_make(const char *name, isa_class *out);

#endif
