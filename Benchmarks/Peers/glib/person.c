// A GObject class with explicit notification.
#include "person.h"

enum { AGE = 1, WEIGHT, SUM, NEXT, PROPERTY_COUNT };

static GParamSpec *properties[PROPERTY_COUNT];
static gpointer parent_class;

void person_set_age(Person *person, int64_t age)
{
    person->age = age;
    g_object_notify_by_pspec((GObject *)person, properties[AGE]);
}

void person_set_weight(Person *person, int64_t weight)
{
    person->weight = weight;
    g_object_notify_by_pspec((GObject *)person, properties[WEIGHT]);
}

void person_set_next(Person *person, Person *next)
{
    Person *before = person->next;
    person->next = next != NULL ? g_object_ref(next) : NULL;
    if (before != NULL) g_object_unref(before);
    g_object_notify_by_pspec((GObject *)person, properties[NEXT]);
}

static void set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    Person *person = (Person *)object;
    switch (id) {
    case AGE: person_set_age(person, g_value_get_int64(value)); break;
    case WEIGHT: person_set_weight(person, g_value_get_int64(value)); break;
    case NEXT: person_set_next(person, g_value_get_object(value)); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    Person *person = (Person *)object;
    switch (id) {
    case AGE: g_value_set_int64(value, person->age); break;
    case WEIGHT: g_value_set_int64(value, person->weight); break;
    case SUM: g_value_set_int64(value, person->age + person->weight); break;
    case NEXT: g_value_set_object(value, person->next); break;
    default: G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
    }
}

static void finalize(GObject *object)
{
    Person *person = (Person *)object;
    if (person->next != NULL) g_object_unref(person->next);
    G_OBJECT_CLASS(parent_class)->finalize(object);
}

static GParamSpec *integer(const char *name, GParamFlags flags)
{
    return g_param_spec_int64(name, NULL, NULL, INT64_MIN, INT64_MAX, 0,
                              flags | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
}

static void class_init(gpointer class, gpointer data)
{
    GObjectClass *object_class = class;
    (void)data;
    parent_class = g_type_class_peek_parent(class);
    object_class->set_property = set_property;
    object_class->get_property = get_property;
    object_class->finalize = finalize;
    properties[AGE] = integer("age", G_PARAM_READWRITE);
    properties[WEIGHT] = integer("weight", G_PARAM_READWRITE);
    properties[SUM] = integer("sum", G_PARAM_READABLE);
    properties[NEXT] = g_param_spec_object("next", NULL, NULL, person_get_type(),
                                           G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS |
                                               G_PARAM_EXPLICIT_NOTIFY);
    g_object_class_install_properties(object_class, PROPERTY_COUNT, properties);
}

GType person_get_type(void)
{
    static GType type;
    GTypeInfo info = { .class_size = sizeof(GObjectClass), .class_init = class_init,
                       .instance_size = sizeof(Person) };
    if (type == 0) type = g_type_register_static(G_TYPE_OBJECT, "Person", &info, 0);
    return type;
}

GType person_register_subtype(const char *name)
{
    GTypeInfo info = { .class_size = sizeof(GObjectClass), .instance_size = sizeof(Person) };
    return g_type_register_static(person_get_type(), name, &info, 0);
}

Person *person_new(void)
{
    return g_object_new(person_get_type(), NULL);
}
