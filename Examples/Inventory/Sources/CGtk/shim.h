// GTK, and what of it Swift cannot import: types whose names are macros.
#pragma once
#include <gtk/gtk.h>

static const GType cgtk_type_boolean = G_TYPE_BOOLEAN;
static const GType cgtk_type_int64 = G_TYPE_INT64;
static const GType cgtk_type_double = G_TYPE_DOUBLE;
static const GType cgtk_type_string = G_TYPE_STRING;
static const GType cgtk_type_object = G_TYPE_OBJECT;

// A GObject of a type that asks for nothing when it is made; the caller has the reference.
static inline GObject *cgtk_object_new(GType type)
{
    return (GObject *)g_object_new_with_properties(type, 0, NULL, NULL);
}
