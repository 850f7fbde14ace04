#include <stdio.h>
int main(void) { for (int i = 0; i < 5; i++) { switch (i) { case 0: switch (i + 1) { case 1: printf("one "); break; default: printf("no "); } printf("zero "); break; case 2: continue; default: printf("d%d ", i); } printf("| "); } printf("\n"); return 0; }
