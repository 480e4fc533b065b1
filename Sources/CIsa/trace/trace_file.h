// The file of a trace: a header and chunks, in a mapping. docs/tracing.md describes the form, and
// everything here that is in the file is in its order and its types.
#ifndef ISA_TRACE_TRACE_FILE_H
#define ISA_TRACE_TRACE_FILE_H

#include <assert.h>

#include "../base/thread.h"
#include "arena.h"

enum { ISA_TRACE_HEADER = 4096, ISA_TRACE_CHUNK = 65536 };

// Why recording has ended.
enum isa__trace_end {
    ISA_TRACE_END_NONE,
    ISA_TRACE_END_STOPPED,
    ISA_TRACE_END_LIMIT,
    ISA_TRACE_END_NO_ROOM,
    ISA_TRACE_END_ERROR,
};

struct isa__trace_header {
    char magic[8];
    uint32_t order, version, header_size, chunk_size, pointer_size, keep;
    uint64_t process, start_time, start_wall, limit, kinds;
    uint32_t stacks, values;
    // Atomic builtins from here on.
    uint64_t chunk_count, lost_events, lost_chunks, structure_end, end_time;
    uint32_t end_reason, end_error;
};

enum isa__trace_chunk_type { ISA_TRACE_EVENTS = 1, ISA_TRACE_STRUCTURE = 2 };

struct isa__trace_chunk {
    uint32_t type, stream;
    uint64_t sequence, used; // and `type`: atomic builtins
    uint64_t time, id, thread, unused[2];
};

static_assert(offsetof(struct isa__trace_header, chunk_count) == 80 &&
                  sizeof(struct isa__trace_header) == 128 && sizeof(struct isa__trace_chunk) == 64,
              "docs/tracing.md has these places");

struct isa__trace_file {
    int descriptor; // -1: none
    const char *path;
    struct isa__trace_header *header; // the start of the mapping
    uint64_t size;       // of the mapping, the most that the file may take
    uint64_t reserved;   // bytes of the file that have their room
    uint32_t capacity;   // chunks that the limit allows
    uint32_t structure;  // chunks of structure
    uint64_t sequence;   // of the latest chunk
    bool keeps_latest;
    uint32_t *closed;    // full chunks of events in a ring of `capacity`, oldest first
    uint32_t first_closed, closed_count;
    uint32_t *events;    // of each closed chunk
    enum isa__trace_end end; // why there was no chunk, if recording is to end; atomic builtins
    int error;           // the system's number, before `end`
};

// Guards the trace: its file, structure, and arena. Nothing else is locked while it is held, and
// the loader's lock is taken before it only.
extern struct isa__lock isa__trace_lock;

// Opens the file at `path`, or at `path.PROCESS` if another process records there, for a trace of
// `limit` bytes, and maps it. The header is zero but for its sizes.
//
// Errors: ISA_ERR_EXISTS for a file that is no trace of this user's; ISA_ERR_FILE;
//         ISA_ERR_NO_MEMORY. No file is open then, and none is there that was not before.
isa_status isa__trace_file_open(struct isa__trace_file *file, struct isa__arena *arena,
                                const char *path, uint64_t limit);

// Says that recording has ended, cuts what the file has beyond its chunks, and closes it.
void isa__trace_file_close(struct isa__trace_file *file, enum isa__trace_end end, int error);

// The failure that `end` and `error` tell of.
isa_status isa__trace_file_failure(const struct isa__trace_file *file);

// Closes the file as it is: it is the parent process's.
void isa__trace_file_leave(struct isa__trace_file *file);

// Takes a chunk into use, with what a reader begins with. NULL: there is none; `end` is set then if
// recording is to end. In a file that keeps the latest, structure leaves a quarter to the events;
// if other records would lead nowhere without it, `must_fit`, it leaves two chunks.
struct isa__trace_chunk *isa__trace_chunk_take_locked(struct isa__trace_file *file,
                                                      const struct isa__trace_chunk *begin,
                                                      bool must_fit);

// Says that a chunk of so many events is full: it may be used again.
void isa__trace_chunk_close_locked(struct isa__trace_file *file,
                                   const struct isa__trace_chunk *chunk, uint32_t events);

#endif
