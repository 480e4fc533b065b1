// The driver of Qt's applications.
#include "objects.h"

int main(int argc, char **argv)
{
    const application applications[] = { qt_inventory, qt_graph, qt_feed };
    const subject subject = { "qt", "C++", applications, std::size(applications) };
    return applications_main(&subject, argc, argv);
}
