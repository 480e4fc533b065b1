// A trace's file is mapped whole, as long as its limit, and grows beneath the mapping: what is
// stored there is in the file at once, whatever becomes of the process. A page whose room on the
// device is missing would end the process when it is touched, so room is reserved first.
//
// Owns:      the descriptor, which holds the lock that tells other processes of the recording.
// Locks:     isa__trace_lock.
// Invariant: a chunk is counted in the header when its own header is whole. While a chunk is taken
//            anew its type is 0, and its sequence is another before the first record is.
#define _GNU_SOURCE // O_NOFOLLOW, O_CLOEXEC
#include "trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

ISA_LOCK_DEFINE(isa__trace_lock, ISA_LOCK_TRACE)

static const char magic[8] = {'K', 'V', 'O', 'T', 'R', 'A', 'C', 'E'};

// ---- open ---------------------------------------------------------------------------------------

static isa_status fail_with(const char *path, int error)
{
    return isa__fail(ISA_ERR_FILE, NULL, "the trace \"%.256s\" cannot be written: %s", path,
                     strerror(error));
}

isa_status isa__trace_file_failure(const struct isa__trace_file *file)
{
    return fail_with(file->path, file->error);
}

// Whether a file that was there already may become a trace: another trace, or empty.
static bool may_replace(int descriptor)
{
    struct stat status;
    char start[sizeof magic];
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1 ||
        status.st_uid != geteuid())
        return false;
    if (status.st_size == 0) return true;
    return pread(descriptor, start, sizeof start, 0) == (ssize_t)sizeof start &&
           memcmp(start, magic, sizeof start) == 0;
}

enum opened { OPENED, OPENED_NEW, OPENED_HELD, OPENED_OTHER, OPENED_FAILED };

// A file of which another process has the lock is being recorded into.
static enum opened open_existing(const char *path, int *descriptor)
{
    *descriptor = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (*descriptor < 0) return errno == ELOOP ? OPENED_OTHER : OPENED_FAILED;
    enum opened opened = OPENED;
    if (!may_replace(*descriptor)) opened = OPENED_OTHER;
    else if (flock(*descriptor, LOCK_EX | LOCK_NB) != 0)
        opened = errno == EWOULDBLOCK ? OPENED_HELD : OPENED_FAILED;
    else if (ftruncate(*descriptor, 0) != 0 || fchmod(*descriptor, 0600) != 0)
        opened = OPENED_FAILED;
    int error = errno;
    if (opened != OPENED) close(*descriptor);
    errno = error;
    return opened;
}

static enum opened open_at(const char *path, int *descriptor)
{
    *descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (*descriptor < 0) return errno == EEXIST ? open_existing(path, descriptor) : OPENED_FAILED;
    if (flock(*descriptor, LOCK_EX | LOCK_NB) == 0) return OPENED_NEW;
    // Another process has found the file, still empty, and records into it.
    enum opened opened = errno == EWOULDBLOCK ? OPENED_HELD : OPENED_FAILED;
    close(*descriptor);
    return opened;
}

static isa_status open_path(struct isa__trace_file *file, struct isa__arena *arena,
                            const char *path, bool *is_new)
{
    size_t room = strlen(path) + 24;
    char *text = isa__arena_allocate(arena, room);
    if (text == NULL) return isa__fail(ISA_ERR_NO_MEMORY, NULL, "no memory to record a trace");
    memcpy(text, path, strlen(path) + 1);
    enum opened opened = open_at(text, &file->descriptor);
    if (opened == OPENED_HELD) {
        snprintf(text, room, "%s.%ld", path, (long)getpid());
        opened = open_at(text, &file->descriptor);
    }
    file->path = text;
    *is_new = opened == OPENED_NEW;
    if (opened == OPENED || opened == OPENED_NEW) return ISA_OK;
    if (opened == OPENED_FAILED) return fail_with(text, errno);
    return isa__fail(ISA_ERR_EXISTS, NULL,
                     "\"%.256s\" is there already and is no trace of this user's, or another "
                     "process records into it; it was left alone: give another path",
                     text);
}

static isa_status map(struct isa__trace_file *file, struct isa__arena *arena)
{
    uint64_t size = ISA_TRACE_HEADER + (uint64_t)file->capacity * ISA_TRACE_CHUNK;
    int error = isa__system_reserve(file->descriptor, 0, ISA_TRACE_HEADER);
    if (error != 0) return fail_with(file->path, error);
    file->closed = isa__arena_allocate(arena, file->capacity * sizeof *file->closed);
    file->events = isa__arena_allocate(arena, file->capacity * sizeof *file->events);
    void *mapping = MAP_FAILED;
    if (file->closed != NULL && file->events != NULL && size <= SIZE_MAX)
        mapping = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, file->descriptor, 0);
    if (mapping == MAP_FAILED)
        return isa__fail(ISA_ERR_NO_MEMORY, NULL,
                         "no memory to map a trace of %llu bytes: lower the limit",
                         (unsigned long long)size);
    file->header = mapping;
    file->size = size;
    file->reserved = ISA_TRACE_HEADER;
    return ISA_OK;
}

isa_status isa__trace_file_open(struct isa__trace_file *file, struct isa__arena *arena,
                                const char *path, uint64_t limit)
{
    bool is_new = false;
    *file = (struct isa__trace_file){
        .descriptor = -1, .capacity = (uint32_t)((limit - ISA_TRACE_HEADER) / ISA_TRACE_CHUNK)};
    isa_status status = open_path(file, arena, path, &is_new);
    if (status != ISA_OK) {
        file->descriptor = -1;
        return status;
    }
    status = map(file, arena);
    if (status != ISA_OK) {
        if (is_new) unlink(file->path);
        isa__trace_file_leave(file);
        return status;
    }
    struct isa__trace_header *header = file->header;
    *header = (struct isa__trace_header){.order = 0x01020304,
                                         .version = 1,
                                         .header_size = ISA_TRACE_HEADER,
                                         .chunk_size = ISA_TRACE_CHUNK,
                                         .pointer_size = sizeof(void *),
                                         .process = (uint64_t)getpid(),
                                         .limit = limit};
    memcpy(header->magic, magic, sizeof magic);
    return ISA_OK;
}

// ---- close --------------------------------------------------------------------------------------

void isa__trace_file_leave(struct isa__trace_file *file)
{
    int descriptor = file->descriptor;
    if (file->header != NULL) munmap(file->header, (size_t)file->size);
    file->header = NULL;
    file->descriptor = -1;
    if (descriptor >= 0) close(descriptor);
}

void isa__trace_file_close(struct isa__trace_file *file, enum isa__trace_end end, int error)
{
    struct isa__trace_header *header = file->header;
    __atomic_store_n(&header->end_time, isa__system_clock(), __ATOMIC_RELAXED);
    __atomic_store_n(&header->end_error, (uint32_t)error, __ATOMIC_RELAXED);
    __atomic_store_n(&header->end_reason, (uint32_t)end, __ATOMIC_RELEASE);
    uint64_t size = ISA_TRACE_HEADER + header->chunk_count * ISA_TRACE_CHUNK;
    // The rest has room that nobody reads: leaving it there is no failure.
    if (ftruncate(file->descriptor, (off_t)size) != 0) errno = 0;
    isa__trace_file_leave(file);
}

// ---- chunks -------------------------------------------------------------------------------------

static struct isa__trace_chunk *chunk_at(const struct isa__trace_file *file, uint64_t index)
{
    char *start = (char *)file->header;
    return (struct isa__trace_chunk *)(start + ISA_TRACE_HEADER + index * ISA_TRACE_CHUNK);
}

// Gives the next chunk its room, and with it some of those behind it.
static int reserve_chunk(struct isa__trace_file *file, uint64_t needed)
{
    enum { STEP = 16 * ISA_TRACE_CHUNK };
    if (needed <= file->reserved) return 0;
    uint64_t wanted = needed - ISA_TRACE_CHUNK + STEP;
    if (wanted > file->size) wanted = file->size;
    int error =
        isa__system_reserve(file->descriptor, file->reserved, wanted - file->reserved);
    if (error != 0) {
        wanted = needed;
        error = isa__system_reserve(file->descriptor, file->reserved, wanted - file->reserved);
    }
    if (error == 0) file->reserved = wanted;
    return error;
}

// Says that recording is to end, to all threads.
static void end_locked(struct isa__trace_file *file, enum isa__trace_end end, int error)
{
    file->error = error;
    __atomic_store_n(&file->end, end, __ATOMIC_RELEASE);
}

static struct isa__trace_chunk *grow_locked(struct isa__trace_file *file)
{
    uint64_t count = file->header->chunk_count;
    int error = reserve_chunk(file, ISA_TRACE_HEADER + (count + 1) * ISA_TRACE_CHUNK);
    if (error == 0) return chunk_at(file, count);
    bool is_full = error == ENOSPC || error == EFBIG || error == EDQUOT;
    end_locked(file, is_full ? ISA_TRACE_END_NO_ROOM : ISA_TRACE_END_ERROR, error);
    return NULL;
}

static struct isa__trace_chunk *take_oldest_locked(struct isa__trace_file *file)
{
    if (file->closed_count == 0) return NULL;
    uint32_t index = file->closed[file->first_closed];
    file->first_closed = (file->first_closed + 1) % file->capacity;
    file->closed_count--;
    struct isa__trace_chunk *chunk = chunk_at(file, index);
    // Who does not find the chunk any more finds its events among the lost.
    __atomic_fetch_add(&file->header->lost_events, file->events[index], __ATOMIC_RELAXED);
    __atomic_fetch_add(&file->header->lost_chunks, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->type, 0, __ATOMIC_RELEASE);
    return chunk;
}

// Writes the chunk's header so that a reader who has copied what the chunk had before finds it out.
static void begin_chunk(struct isa__trace_file *file, struct isa__trace_chunk *chunk,
                        const struct isa__trace_chunk *begin)
{
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&chunk->used, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&chunk->sequence, ++file->sequence, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    chunk->stream = begin->stream;
    chunk->time = begin->time;
    chunk->id = begin->id;
    chunk->thread = begin->thread;
    __atomic_store_n(&chunk->type, begin->type, __ATOMIC_RELEASE);
}

struct isa__trace_chunk *isa__trace_chunk_take_locked(struct isa__trace_file *file,
                                                      const struct isa__trace_chunk *begin,
                                                      bool must_fit)
{
    struct isa__trace_header *header = file->header;
    bool is_structure = begin->type == ISA_TRACE_STRUCTURE;
    if (file->end != ISA_TRACE_END_NONE) return NULL;
    uint32_t left_to_events = must_fit ? 2 : file->capacity / 4;
    if (is_structure && file->keeps_latest && file->structure + left_to_events >= file->capacity)
        return NULL;
    bool is_new = header->chunk_count < file->capacity;
    if (!is_new && !file->keeps_latest) end_locked(file, ISA_TRACE_END_LIMIT, 0);
    struct isa__trace_chunk *chunk = NULL;
    if (is_new) chunk = grow_locked(file);
    else if (file->keeps_latest) chunk = take_oldest_locked(file);
    if (chunk == NULL) return NULL;
    begin_chunk(file, chunk, begin);
    file->structure += is_structure;
    if (is_new) __atomic_store_n(&header->chunk_count, header->chunk_count + 1, __ATOMIC_RELEASE);
    return chunk;
}

void isa__trace_chunk_close_locked(struct isa__trace_file *file,
                                   const struct isa__trace_chunk *chunk, uint32_t events)
{
    size_t distance = (size_t)((const char *)chunk - (const char *)chunk_at(file, 0));
    uint32_t index = (uint32_t)(distance / ISA_TRACE_CHUNK);
    file->events[index] = events;
    file->closed[(file->first_closed + file->closed_count++) % file->capacity] = index;
}
