//! Functions of the C library and of POSIX, which are not part of the compared programs.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use canonical::library_name;

/// Prefixes of names of functions that belong to the compiler and to headers.
const FAMILIES: [&str; 6] = ["__builtin_", "__ctype", "__fortify", "__isoc", "__xstat", "va_"];

/// Functions that do not write or read the compared data unless settings say so.
const KNOWN: &str = "_Exit __assert_fail __assert_perror_fail __errno_location __sigsetjmp _exit _longjmp _setjmp abort abs \
    access acos aligned_alloc alloca asin asprintf assert at_quick_exit atan atan2 atexit atof atoi atol \
    atoll bcmp bcopy bindtextdomain brk bsearch bswap_16 bswap_32 bswap_64 btowc bzero calloc cbrt ceil \
    ceilf chdir chmod chown clearerr clock clock_gettime close closedir copysign cos cosh creat ctime \
    ctime_r dcgettext dgettext difftime div dprintf drand48 dup dup2 err error errx exit exp exp2 expf fabs \
    fabsf fchmod fchown fclose fcntl fdatasync fdopen feof ferror fflush ffs fgetc fgetc_unlocked fgetpos \
    fgets fileno floor floorf fmax fmin fmod fmodf fopen fprintf fputc fputc_unlocked fputs fread \
    fread_unlocked free freopen frexp fscanf fseek fseeko fsetpos fstat fstatat fsync ftell ftello ftruncate \
    futimens fwrite fwrite_unlocked getc getc_unlocked getchar getchar_unlocked getcwd getdelim getegid \
    getenv geteuid getgid getline getlogin getopt getopt_long getopt_long_only getpagesize getpid getppid \
    getpwnam getpwuid getrlimit getrusage gets gettext gettimeofday getuid getw gmtime gmtime_r htonl htons \
    hypot index ioctl isalnum isalpha isascii isatty isblank iscntrl isdigit isfinite isgraph isinf islower \
    isnan isprint ispunct isspace isupper iswalpha iswdigit isxdigit labs lchown ldexp ldiv lfind link llabs \
    lldiv llround localeconv localtime localtime_r log log10 log2 logf longjmp lrand48 lrint lround lsearch \
    lseek lstat madvise malloc mblen mbrtowc mbstowcs mbtowc memalign memchr memcmp memcpy memmem memmove \
    mempcpy memrchr memset mkdir mkdtemp mkstemp mktime mmap modf mprotect msync munmap nan nanosleep \
    nearbyint ngettext nl_langinfo ntohl ntohs on_exit open openat opendir pclose perror pipe poll popen \
    posix_memalign pow powf pread printf putc putc_unlocked putchar putchar_unlocked putenv puts putw pwrite \
    qsort qsort_r quick_exit rand rand_r random read readdir readlink readv realloc reallocarray remove \
    rename rewind rindex rint rmdir round roundf sbrk scanf secure_getenv select setbuf setenv setjmp \
    setlinebuf setlocale setrlimit setvbuf sigaction sigaddset sigdelset sigemptyset sigfillset sigismember \
    siglongjmp signal signbit sigprocmask sigsetjmp sin sinh sleep snprintf sprintf sqrt sqrtf srand srandom \
    sscanf stat stpcpy stpncpy strcasecmp strcasestr strcat strchr strchrnul strcmp strcoll strcpy strcspn \
    strdup strerror strerror_r strftime strlcat strlcpy strlen strncasecmp strncat strncmp strncpy strndup \
    strnlen strpbrk strrchr strsep strsignal strspn strstr strtod strtof strtoimax strtok strtok_r strtol \
    strtold strtoll strtoul strtoull strtoumax strxfrm symlink sysconf system tan tanh textdomain time times \
    tmpfile tmpnam toascii tolower toupper towlower towupper trunc truncate tsearch ttyname umask ungetc \
    unlink unsetenv usleep utime utimensat utimes valloc vasprintf vdprintf verr verrx vfprintf vfscanf \
    vprintf vscanf vsnprintf vsprintf vsscanf vwarn vwarnx wait waitpid warn warnx wcrtomb wcscmp wcscpy \
    wcslen wcstombs wctob wctomb write writev";

/// The known functions that change an object through a pointer argument.
const FILLS: &str = "_longjmp asprintf bcopy bzero clock_gettime ctime_r fgets fread fread_unlocked frexp fscanf fstat \
    fstatat getcwd getdelim getline getopt getopt_long getopt_long_only getrlimit getrusage gets \
    gettimeofday gmtime_r ioctl localtime_r longjmp lsearch lstat mbrtowc mbstowcs mbtowc memcpy memmove \
    mempcpy memset mkdtemp mkstemp modf nanosleep pipe poll posix_memalign pread qsort qsort_r rand_r read \
    readlink readv realloc reallocarray scanf select sigaction sigaddset sigdelset sigemptyset sigfillset \
    siglongjmp sigprocmask snprintf sprintf sscanf stat stpcpy stpncpy strcat strcpy strerror_r strftime \
    strlcat strlcpy strncat strncpy strsep strtod strtof strtoimax strtok strtok_r strtol strtold strtoll \
    strtoul strtoull strtoumax strxfrm time times tmpnam tsearch vasprintf vfscanf vscanf vsnprintf vsprintf \
    vsscanf wait waitpid wcrtomb wcscpy wcstombs wctomb";

/// The known functions whose result depends on the system.
const SURROUNDINGS: &str = "__errno_location access aligned_alloc alloca asprintf atexit brk calloc chdir chmod chown clock \
    clock_gettime close closedir creat dprintf dup dup2 fchmod fchown fclose fcntl fdatasync fdopen ferror \
    fflush fgetpos fileno fopen fprintf fputc fputs freopen fseek fseeko fsetpos fstat fstatat fsync ftell \
    ftello ftruncate futimens fwrite getcwd getegid getenv geteuid getgid getlogin getopt getopt_long \
    getopt_long_only getpagesize getpid getppid getpwnam getpwuid getrlimit getrusage gettimeofday getuid \
    ioctl isatty lchown link lseek lstat madvise malloc memalign mkdir mkdtemp mkstemp mmap mprotect msync \
    munmap nanosleep open openat opendir pclose perror pipe popen posix_memalign printf putc putchar putenv \
    puts readlink realloc reallocarray remove rename rmdir sbrk secure_getenv setenv setlocale setrlimit \
    setvbuf sigaction signal sigprocmask sleep stat strdup strndup symlink sysconf system time times tmpfile \
    tmpnam truncate ttyname umask unlink unsetenv usleep utime utimensat utimes valloc vasprintf vfprintf \
    vprintf wait waitpid write";

/// The minimum and maximum result of library functions for which C specifies a narrower range than their type.
const RESULTS: [(&str, i128, i128); 3] = [
    ("rand random lrand48 rand_r strlen strnlen", 0, i128::MAX),
    (
        "fgetc getc getchar fgetc_unlocked getc_unlocked getchar_unlocked fputc putc putchar",
        -1,
        255,
    ),
    (
        "creat dup dup2 fileno fprintf fputs getw open openat printf puts read snprintf sprintf sscanf scanf fscanf write \
         vsnprintf vsprintf vprintf vfprintf pread pwrite",
        -1,
        i128::MAX,
    ),
];

/// The lists as sets of names.
static LISTS: LazyLock<[BTreeSet<&str>; 3]> =
    LazyLock::new(|| [KNOWN, FILLS, SURROUNDINGS].map(|list| list.split_whitespace().collect()));

/// Returns true for a function of the library.
pub fn is_known(name: &str) -> bool {
    let listed = LISTS[0].contains(library_name(name));
    listed || FAMILIES.iter().any(|start| name.starts_with(start))
}

/// Returns true for a library function that does not change objects through pointer arguments.
pub fn keeps_memory(name: &str) -> bool {
    is_known(name) && !LISTS[1].contains(library_name(name)) && !name.ends_with("_overflow")
}

/// Returns the minimum and maximum result of a library function, or those of all integers for other functions.
pub fn results(name: &str) -> (i128, i128) {
    let has = |names: &str| names.split_whitespace().any(|own| own == library_name(name));
    let found = RESULTS.iter().find(|(names, _, _)| has(names));
    found.map_or((i128::MIN, i128::MAX), |(_, least, greatest)| (*least, *greatest))
}

/// Returns true for a library function that changes a library variable that programs name, such as `optind`.
pub fn changes_variable(name: &str, variable: &str) -> bool {
    name.starts_with("getopt") && matches!(variable, "optarg" | "opterr" | "optind" | "optopt")
}

/// Returns true for a library function whose result depends on the system and not on data that the program has read.
pub fn is_of_the_system(name: &str) -> bool {
    LISTS[2].contains(library_name(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_known() {
        assert!(LISTS[1].iter().chain(&LISTS[2]).all(|name| is_known(name)));
    }

    #[test]
    fn functions_are_known_by_their_names() {
        assert!(is_known("strlen") && is_known("__builtin_memcpy") && is_known("__printf_chk"));
        assert!(!is_known("more") && !is_known("readInt"));
        assert!(!keeps_memory("__builtin_add_overflow"));
        assert!(changes_variable("getopt_long", "optind") && !changes_variable("strlen", "optind"));
        assert!(keeps_memory("strlen") && !keeps_memory("memcpy") && !keeps_memory("__memcpy_chk"));
        assert!(is_of_the_system("malloc") && !is_of_the_system("memcmp"));
    }
}
