// Failures: the thread's last error, misuse without a caller, and the two ways to stop.
#ifndef ISA_BASE_STATUS_H
#define ISA_BASE_STATUS_H

#include <stdarg.h>

#include "isa_types.h"

// For the setter path, where a call and its saved registers cost more than the code, and where what
// is seldom needed is to stay out of the way.
#define ISA_INLINE static inline __attribute__((always_inline))
#define ISA_OUTLINE static __attribute__((noinline))
#define ISA_RARE static __attribute__((noinline, cold))

// Symbols that no other library may interpose, so that they are reached without a detour.
#define ISA_HIDDEN __attribute__((visibility("hidden")))

// Records the calling thread's last error and returns `status`. `exception` NULL: the exception
// that goes with the status.
isa_status isa__fail(isa_status status, const char *exception, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// The failure of a public function that needs `argument` and was given NULL; the sentence is that
// of isa__stop_null.
isa_status isa__fail_null(const char *function, const char *argument)
    __attribute__((noinline, cold));

// As isa__fail with the arguments in a list, and with whose failure it is: `about` tells object,
// class name and key; its texts are copied.
isa_status isa__fail_about(const isa_error *about, const char *format, va_list arguments)
    __attribute__((format(printf, 2, 0)));

enum {
    ISA_REASON_SIZE = 512,
    ISA_EXCEPTION_SIZE = 64,
    ISA_NAME_SIZE = 128, // of a class or a key; the rest is left out
};

// An error with its texts, for code that may fail while it is kept. isa_fail_with records it again.
struct isa__kept_error {
    isa_error error;
    char reason[ISA_REASON_SIZE];
    char exception[ISA_EXCEPTION_SIZE];
    char class_name[ISA_NAME_SIZE];
    char key[ISA_NAME_SIZE];
};

// Keeps the calling thread's last error.
void isa__error_keep(struct isa__kept_error *kept);

// Records the error and tells the misuse handler, with no lock held. Returns `status`.
isa_status isa__misuse(isa_status status, const char *exception, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Tells the misuse handler the thread's last error, with no lock held.
void isa__misuse_deliver(void);

// Prints one line to standard error and stops the process.
_Noreturn void isa__stop(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void isa__stop_null(const char *function, const char *argument)
    __attribute__((noinline, cold));

// The caller passed what no status can repair: says what it has and stops, in every build.
#define ISA_REQUIRE(condition, ...) \
    do { \
        if (__builtin_expect(!(condition), 0)) isa__stop(__VA_ARGS__); \
    } while (0)

// The same for a public function's argument that is not to be NULL, where there is no status.
#define ISA_REQUIRE_NOT_NULL(argument) \
    do { \
        if (__builtin_expect((argument) == NULL, 0)) isa__stop_null(__func__, #argument); \
    } while (0)

// We broke our own rule: debug builds only.
#ifdef NDEBUG
#define ISA_ASSERT(condition) ((void)0)
#else
#define ISA_ASSERT(condition) \
    do { \
        if (__builtin_expect(!(condition), 0)) \
            isa__stop("%s:%d: broken rule: %s", __FILE__, __LINE__, #condition); \
    } while (0)
#endif

#endif
