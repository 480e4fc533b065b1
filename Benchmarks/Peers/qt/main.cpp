// Qt's driver: signals under the subject qt-signal, bindable properties under qt-property.
#include "rows.h"

int main(int argc, char **argv)
{
    std::vector<paired_workload> rows;
    add_signal_rows(rows);
    add_property_rows(rows);
    add_binding_rows(rows);
    return paired_main(rows.data(), rows.size(), argc, argv);
}
