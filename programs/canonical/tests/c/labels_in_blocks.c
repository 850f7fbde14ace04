#include <stdio.h>
int find(int m[3][3], int v) { for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) if (m[i][j] == v) goto found; return -1; found: return 1; }
int main(void) { int m[3][3] = { { 1, 2, 3 }, { 4, 5, 6 }, { 7, 8, 9 } }; printf("%d %d\n", find(m, 5), find(m, 10)); return 0; }
