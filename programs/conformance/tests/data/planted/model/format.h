/* A small format in the manner of gzip: a header of bytes, blocks of bits, a checksum. */
void put_byte(int value);
void put_long(unsigned long value);
void put_bits(int count, unsigned value);
int get_byte(void);
int get_bits(int count);
int more(void);
extern int named, blocks, name[], data[];
extern unsigned long when, checksum;
