/* A lock that its owner may take again, up to a depth. */
#include <stdlib.h>
static int owner, depth;

void lock(int who)
{
    if (who < 1 || who > 2) exit(1);
    if (depth > 0 && owner != who) exit(1);
    if (depth == 3) exit(1);
    owner = who;
    depth++;
}

void unlock(int who)
{
    if (depth == 0 || owner != who) exit(1);
    if (--depth == 0) owner = 0;
}
