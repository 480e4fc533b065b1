// The names that the compiler gave to what it made, by the symbols of the program or library that
// has it.
//
// Owns:  nothing; a file is mapped for the time of a call.
// Locks: the dynamic linker's, while it tells what is loaded.
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE // dl_iterate_phdr
#endif
#include "swift_runtime.h"

#if defined(__linux__)

#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A program or library as it is loaded, and its file.
typedef struct image {
    uintptr_t wanted; // an address in it
    uintptr_t bias;   // from the file's addresses to the process's
    const ElfW(Ehdr) * header; // as it is loaded; NULL until the image is found
    const char *path;
    const uint8_t *file;
    size_t size;
} image;

static int find_image(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    image *found = context;
    uintptr_t header = 0;
    bool has_wanted = false;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (part->p_type != PT_LOAD) continue;
        if (part->p_offset == 0) header = start;
        if (found->wanted - start < part->p_memsz) has_wanted = true;
    }
    if (!has_wanted || header == 0) return has_wanted;
    found->bias = info->dlpi_addr;
    found->header = (const void *)header;
    // A program has no name; the kernel's leads to its file even after another took its place.
    found->path = info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe";
    return 1;
}

static bool map_file(image *image)
{
    int file = open(image->path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    struct stat info;
    void *bytes = MAP_FAILED;
    if (fstat(file, &info) == 0 && info.st_size >= (off_t)sizeof(ElfW(Ehdr))) {
        image->size = (size_t)info.st_size;
        bytes = mmap(NULL, image->size, PROT_READ, MAP_PRIVATE, file, 0);
    }
    close(file);
    if (bytes == MAP_FAILED) return false;
    image->file = bytes;
    // Whether it is the file that was loaded: another build's has its sections elsewhere.
    return memcmp(image->file, image->header, sizeof(ElfW(Ehdr))) == 0;
}

// Part of the file, NULL if the file does not have the whole part.
static const void *part_of(const image *image, uint64_t offset, uint64_t size)
{
    bool has_it = size <= image->size && offset <= image->size - size;
    return has_it ? image->file + offset : NULL;
}

typedef struct search {
    const void *const *addresses;
    size_t count;
    void (*note)(void *context, const void *address, const char *name);
    void *context;
} search;

static bool is_wanted(const search *search, uintptr_t address)
{
    for (size_t i = 0; i < search->count; i++)
        if ((uintptr_t)search->addresses[i] == address) return true;
    return false;
}

static void note_symbols(
    const image *image, const ElfW(Shdr) * table, const ElfW(Shdr) * texts, const search *search)
{
    const ElfW(Sym) *symbols = part_of(image, table->sh_offset, table->sh_size);
    const char *names = part_of(image, texts->sh_offset, texts->sh_size);
    if (symbols == NULL || names == NULL || texts->sh_size == 0) return;
    if (names[texts->sh_size - 1] != '\0') return;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        uintptr_t address = image->bias + symbols[i].st_value;
        if (!is_wanted(search, address) || symbols[i].st_name >= texts->sh_size) continue;
        search->note(search->context, (const void *)address, names + symbols[i].st_name);
    }
}

static void note_tables(const image *image, const search *search)
{
    ElfW(Ehdr) header;
    memcpy(&header, image->file, sizeof header);
    const ElfW(Shdr) *sections =
        part_of(image, header.e_shoff, (uint64_t)header.e_shnum * sizeof *sections);
    if (sections == NULL || header.e_shentsize != sizeof *sections) return;
    for (size_t i = 0; i < header.e_shnum; i++) {
        bool is_table = sections[i].sh_type == SHT_SYMTAB || sections[i].sh_type == SHT_DYNSYM;
        if (!is_table || sections[i].sh_link >= header.e_shnum) continue;
        note_symbols(image, &sections[i], &sections[sections[i].sh_link], search);
    }
}

void swift_runtime_symbols(
    const void *const *addresses, size_t count,
    void (*note)(void *context, const void *address, const char *name), void *context)
{
    if (count == 0) return;
    image image = {.wanted = (uintptr_t)addresses[0]};
    dl_iterate_phdr(find_image, &image);
    if (image.header == NULL) return;
    search search = {addresses, count, note, context};
    if (map_file(&image)) note_tables(&image, &search);
    if (image.file != NULL) munmap((void *)image.file, image.size);
}

#else

void swift_runtime_symbols(
    const void *const *addresses, size_t count,
    void (*note)(void *context, const void *address, const char *name), void *context)
{
    (void)addresses, (void)count, (void)note, (void)context;
}

#endif
