#include <stdio.h>
int sum(int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
int main(void) { int a[5] = { 1, 2 }; int b[] = { [3] = 4, 5, [0] = 9 }; printf("%d %d %d\n", sum(a, 5), sum(b, 5), (int)(sizeof b / sizeof *b)); int m[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }; int t = 0; for (int i = 0; i < 2; i++) for (int j = 0; j < 3; j++) t += m[i][j] * (i + 1); printf("%d\n", t);
  int f[2][2] = { 1, 2, 3, 4 }; printf("%d %d\n", f[1][0], *(*(f + 1) + 1)); printf("%d\n", 2[a] + 1[b]); int (*row)[3] = &m[1]; printf("%d %lu\n", (*row)[2], sizeof m[0]); return 0; }
