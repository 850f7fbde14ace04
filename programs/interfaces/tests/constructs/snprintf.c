// calls: name,use; refused 5: `snprintf` may change memory of the library: write a loop
#include <stdio.h>
int err;
static struct { int n; char text[8]; } s;
void name(int k) { snprintf(s.text, sizeof s.text, "%d", k); }
void use(void) { if (s.text[0] == '1') err = 1; }
