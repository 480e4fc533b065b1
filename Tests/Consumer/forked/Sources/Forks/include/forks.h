// What Swift does not let a program call: fork.
#ifndef FORKS_H
#define FORKS_H

// Forks so many times, one child after the other. Each child calls `work` and ends; one that has
// not done so after so many seconds is ended. Answers how many came to an end for which `work` had
// answered 0.
int forks_survived(int count, unsigned seconds, int (*work)(void));

#endif
