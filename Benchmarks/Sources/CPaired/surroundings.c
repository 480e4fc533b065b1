// The surroundings that the rows are measured in, if the driver has such a thing.
#include "paired_internal.h"

static const paired_surroundings *surroundings;

void paired_surround_by(const paired_surroundings *of_driver)
{
    surroundings = of_driver;
}

bool paired_surroundings_are_there(void)
{
    return surroundings != NULL;
}

bool paired_surroundings_start(void)
{
    return surroundings->start();
}

bool paired_surroundings_stop(void)
{
    return surroundings->stop();
}
