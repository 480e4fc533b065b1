// The driver of this library's applications.
#include "object.h"

int main(int argc, char **argv)
{
    const struct application applications[] = { isakvo_inventory, isakvo_graph, isakvo_feed };
    const struct subject subject = { .name = "isakvo", .language = "C",
                                     .applications = applications,
                                     .count = COUNT(applications) };
    return applications_main(&subject, argc, argv);
}
