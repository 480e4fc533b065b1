// Runs the trials of facts and prints in a line what they found wrong, if anything; see
// scripts/test-facts.sh. An argument says for how many seconds they go on.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../CIsaTestSupport/include/facts.h"

// Whether something is wrong, which it prints.
static bool tell(const char *trial, isa_test_facts found)
{
    uint64_t wrong = found.lost + found.torn + found.outdated;
    if (wrong == 0) return false;
    printf("%s: of %llu read, %llu were lost, %llu torn, %llu outdated\n", trial,
           (unsigned long long)found.reads, (unsigned long long)found.lost,
           (unsigned long long)found.torn, (unsigned long long)found.outdated);
    return true;
}

int main(int count, char **arguments)
{
    time_t end = time(NULL) + (count > 1 ? atoi(arguments[1]) : 0);
    do {
        if (tell("growing", isa_test_facts_growing(50)) ||
            tell("changing", isa_test_facts_changing(20000)) ||
            tell("answering", isa_test_answers_changing(100)) ||
            tell("texts", isa_test_texts_growing(50)) ||
            tell("interning", isa_test_keys_interning(2000)))
            return 1;
    } while (time(NULL) < end);
    return 0;
}
