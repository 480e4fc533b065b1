#include "forks.h"

#include <sys/wait.h>
#include <unistd.h>

int forks_survived(int count, unsigned seconds, int (*work)(void))
{
    int survived = 0;
    for (int i = 0; i < count; i++) {
        int status = 1;
        pid_t child = fork();
        if (child == 0) {
            alarm(seconds);
            _exit(work());
        }
        survived += child > 0 && waitpid(child, &status, 0) == child && status == 0;
    }
    return survived;
}
