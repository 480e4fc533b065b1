// Statuses: their texts, the thread's last error, misuse, and the stops.
//
// Owns:  the misuse handler; a last error stands in its thread's record.
// Locks: none; replacing the handler follows the callout protocol of reclaim.h.
#include "status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "reclaim.h"
#include "thread.h"

static struct isa__callout misuse_handler;

const char *isa_version(void)
{
    return ISAKVO_VERSION_TEXT;
}

// ---- statuses -----------------------------------------------------------------------------------

#define STATUSES(X) \
    X(ISA_OK, "success", "") \
    X(ISA_ERR_NO_MEMORY, "out of memory", "NSMallocException") \
    X(ISA_ERR_INVALID_ARGUMENT, "invalid argument", "NSInvalidArgumentException") \
    X(ISA_ERR_EXISTS, "the name is taken", "NSInvalidArgumentException") \
    X(ISA_ERR_NOT_FOUND, "nothing of that name", "NSInvalidArgumentException") \
    X(ISA_ERR_IN_USE, "the class has instances or subclasses", "NSInternalInconsistencyException") \
    X(ISA_ERR_REGISTERED, "the class is registered already", "NSInvalidArgumentException") \
    X(ISA_ERR_NOT_REGISTERED, "the class is not registered", "NSInvalidArgumentException") \
    X(ISA_ERR_BAD_ENCODING, "type encoding cannot be parsed", "NSInvalidArgumentException") \
    X(ISA_ERR_NOT_PASSABLE, "type cannot be passed by libffi", "NSInvalidArgumentException") \
    X(ISA_ERR_LAYOUT, "instances of the classes differ in layout", "NSInvalidArgumentException") \
    X(ISA_ERR_UNRECOGNIZED_SELECTOR, "unrecognized selector", "NSInvalidArgumentException") \
    X(ISA_ERR_NO_TRAMPOLINE, "no executable memory", "NSMallocException") \
    X(ISA_ERR_UNSUPPORTED, "not supported", "NSInvalidArgumentException") \
    X(ISA_ERR_DEALLOCATING, "the object is being deallocated", "NSInvalidArgumentException") \
    X(ISA_ERR_FILE, "a file cannot be written", "NSFileHandleOperationException") \
    X(KVC_ERR_UNDEFINED_KEY, "the key is undefined", "NSUnknownKeyException") \
    X(KVC_ERR_NIL_VALUE, "nil for a value that is not an object", "NSInvalidArgumentException") \
    X(KVC_ERR_TYPE, "the value is not of the key's type", "NSInvalidArgumentException") \
    X(KVC_ERR_RANGE, "the index is beyond the end", "NSRangeException") \
    X(KVC_ERR_OVERFLOW, "no number to compute with", "NSDecimalNumberOverflowException") \
    X(KVO_ERR_NOT_REGISTERED, "no such registration", "NSRangeException") \
    X(KVO_ERR_INVALID_OPTIONS, "no such observing option", "NSInvalidArgumentException") \
    X(KVO_ERR_NOT_OBSERVABLE, "cannot be observed", "NSInvalidArgumentException") \
    X(KVO_ERR_NAME_TAKEN, "the notifying class's name is taken", "NSInvalidArgumentException") \
    X(KVO_ERR_UNHANDLED, "message received but not handled", "NSInternalInconsistencyException") \
    X(KVO_ERR_WRONG_THREAD, "change ended on another thread", "NSInternalInconsistencyException") \
    X(KVO_ERR_NOT_WRAPPED, "the setter cannot be wrapped", "NSInvalidArgumentException") \
    X(KVO_ERR_INCONSISTENT, "changed unannounced", "NSInternalInconsistencyException") \
    X(KVO_ERR_SELF_DEPENDENT, "depends on itself", "NSInternalInconsistencyException") \
    X(KVO_ERR_TOO_DEEP, "registrations without end", "NSInternalInconsistencyException")

const char *isa_status_text(isa_status status)
{
    switch (status) {
#define STATUS_TEXT(constant, text, exception) \
    case constant: return text;
        STATUSES(STATUS_TEXT)
    }
    return "unknown status";
}

const char *isa_status_exception(isa_status status)
{
    switch (status) {
#define STATUS_EXCEPTION(constant, text, exception) \
    case constant: return exception;
        STATUSES(STATUS_EXCEPTION)
    }
    return "NSInvalidArgumentException";
}

// ---- the last error -----------------------------------------------------------------------------

static struct isa__kept_error *last_error(void)
{
    return &isa__thread_get()->last;
}

// Copies a text, which may stand in `room` already.
static const char *error_keep(char *room, size_t size, const char *text)
{
    if (text == NULL) return "";
    if (text != room) snprintf(room, size, "%s", text);
    return room;
}

// Writes an error whose texts, but for the exception, have their room beside it.
static void write_error(struct isa__kept_error *to, const isa_error *error, const char *exception,
                        const char *reason)
{
    to->error = (isa_error){
        .status = error->status,
        .exception = exception,
        .reason = error_keep(to->reason, sizeof to->reason, reason),
        .object = error->object,
        .class_name = error_keep(to->class_name, sizeof to->class_name, error->class_name),
        .key = error_keep(to->key, sizeof to->key, error->key),
    };
}

// Makes it the last error. `reason` is none of the texts there, which the new ones may quote.
static void record_text(const isa_error *about, const char *reason)
{
    const char *exception = about->exception;
    write_error(last_error(), about,
                exception != NULL ? exception : isa_status_exception(about->status), reason);
}

static void record(const isa_error *about, const char *format, va_list arguments)
{
    char reason[ISA_REASON_SIZE];
    vsnprintf(reason, sizeof reason, format, arguments);
    record_text(about, reason);
}

isa_status isa__fail(isa_status status, const char *exception, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(&(isa_error){.status = status, .exception = exception}, format, arguments);
    va_end(arguments);
    return status;
}

isa_status isa__fail_null(const char *function, const char *argument)
{
    return isa__fail(ISA_ERR_INVALID_ARGUMENT, NULL, "%s: %s is NULL", function, argument);
}

isa_status isa__fail_about(const isa_error *about, const char *format, va_list arguments)
{
    record(about, format, arguments);
    return about->status;
}

// The caller's name for an exception is kept by the thread; the core's own are constants.
isa_status isa_fail_with(const isa_error *error)
{
    if (error == NULL) return isa__fail_null(__func__, "error");
    isa_error about = *error; // may be the last error itself
    struct isa__kept_error *last = last_error();
    about.exception = error_keep(last->exception, sizeof last->exception, about.exception);
    if (*about.exception == 0) about.exception = NULL;
    char reason[ISA_REASON_SIZE];
    record_text(&about, error_keep(reason, sizeof reason, about.reason));
    return about.status;
}

isa_status isa_fail(isa_status status, const char *exception, const char *reason)
{
    return isa_fail_with(&(isa_error){status, exception, reason, NULL, NULL, NULL});
}

void isa__error_keep(struct isa__kept_error *kept)
{
    const isa_error *error = isa_last_error();
    write_error(kept, error, error_keep(kept->exception, sizeof kept->exception, error->exception),
                error->reason);
}

const isa_error *isa_last_error(void)
{
    return &last_error()->error;
}

// ---- misuse -------------------------------------------------------------------------------------

static void print_misuse(const isa_error *error)
{
    fprintf(stderr, "isakvo: %s: %s\n", error->exception, error->reason);
}

// The handler gets a copy, since what it does may fail and record another error.
void isa__misuse_deliver(void)
{
    struct isa__kept_error kept;
    isa__error_keep(&kept);
    ISA_EVENT(.kind = ISA_EVENT_MISUSE, .object = (isa_id)(uintptr_t)kept.error.object,
              .status = kept.error.status, .name = kept.error.reason, .key = kept.error.key);
    struct isa__callout_call call;
    if (!isa__callout_enter(&misuse_handler, &call)) {
        print_misuse(&kept.error);
        return;
    }
    ((isa_misuse_handler)call.function)(&kept.error, call.context);
    isa__callout_leave(&call);
}

isa_status isa__misuse(isa_status status, const char *exception, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    record(&(isa_error){.status = status, .exception = exception}, format, arguments);
    va_end(arguments);
    isa__misuse_deliver();
    return status;
}

void isa_set_misuse_handler(isa_misuse_handler handler, void *context)
{
    isa__callout_set(&misuse_handler, (void (*)(void))handler, context);
}

_Noreturn void isa__stop(const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "isakvo: %s\n", line);
    abort();
}

_Noreturn void isa__stop_null(const char *function, const char *argument)
{
    isa__stop("%s: %s is NULL", function, argument);
}

void isa_report_misuse(isa_status status, const char *exception, const char *reason)
{
    isa_fail(status, exception, reason);
    isa__misuse_deliver();
}
