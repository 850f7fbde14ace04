// calls: push,pop; length 6
int err; static int n;
void (push)(int v) { if (v > 0) n++; if (n > 2) err = 1; }
void (pop)(void) { if (n == 0) err = 1; n--; }
