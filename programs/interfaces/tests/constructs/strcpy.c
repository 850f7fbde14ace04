// calls: name,use; refused 5: `strcpy` may change memory of the library: write a loop
#include <string.h>
int err;
static char text[8];
void name(void) { strcpy(text, "abc"); }
void use(void) { if (text[0] != 'a') err = 1; }
