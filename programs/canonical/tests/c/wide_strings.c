#include <stdio.h>
#include <stddef.h>
int main(void) { const wchar_t *w = L"a\u00e9"; wchar_t b[] = L"xy"; printf("%d %d %lu\n", (int)w[0], (int)w[1], sizeof b); printf("%d %s\n", (int)L'z', u8"u"); return 0; }
