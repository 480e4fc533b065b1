// The driver of GObject's applications.
#include "objects.h"

int main(int argc, char **argv)
{
    const struct application applications[] = { gobject_inventory, gobject_graph, gobject_feed };
    const struct subject subject = { .name = "gobject", .language = "C",
                                     .applications = applications,
                                     .count = G_N_ELEMENTS(applications) };
    return applications_main(&subject, argc, argv);
}
