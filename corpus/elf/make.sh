#!/bin/sh
# Makes the seeds of ELF, by the programs that their names begin with: GNU as of binutils 2.40 (as), GCC 12.2 (gcc), its
# linker with -r (ld), GNU objcopy (objcopy), llvm-objcopy 14.0 (llvm).
set -e
cd "$(dirname "$0")"
here=$PWD
rm -f ./*.o
made=$(mktemp -d)
cd "$made"
cat > add.c <<'C'
int counter = 3;
static int zeros[5];
const char *text = "hello";
int add(int a, int b) { zeros[a & 3] += b; return a + b + counter; }
C
printf 'int add(int, int);\nint twice(int a) { return add(a, a); }\n' > twice.c
printf '.section .data.first,"aw"\n.long 1,2,3\n.section .first,"a"\n.ascii "abc"\n.text\nnop\n' > own.s
as -o "$here/as.o" own.s
gcc -c -O1 -o "$here/gcc.o" add.c
gcc -c -g0 -Os -fno-asynchronous-unwind-tables -ffunction-sections -o twice.o twice.c
ld -r -o "$here/ld.o" "$here/gcc.o" twice.o
objcopy --strip-unneeded --add-section .note.seed=own.s "$here/gcc.o" "$here/objcopy.o"
llvm-objcopy --remove-section=.comment "$here/gcc.o" "$here/llvm.o"
rm -r "$made"
