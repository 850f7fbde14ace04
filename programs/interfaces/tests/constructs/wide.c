// calls: next,use; length 6
#include <wchar.h>
int err;
static wchar_t w[] = L"a\x1234"; static unsigned char b[2] = "\xff";
static int n;
void next(void) { n = (n + 1) % 3; }
void use(void) { if (w[n] == 0x1234 || L"\x1234z"[n] == 'z' || b[0] != 255) err = 1; }
