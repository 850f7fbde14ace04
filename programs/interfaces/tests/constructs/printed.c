// calls: add,use; length 6
#include <stdio.h>
#include <string.h>
int err;
static char text[4]; static int n; static unsigned long shown;
void add(void) { if (n < 3) text[n] = 'a'; if (n < 5) n++; }
void use(void) { printf("%s %d\n", text, text[n]); shown = strlen(text); fprintf(stderr, "%lu", shown); }
