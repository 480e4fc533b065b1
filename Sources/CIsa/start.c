// The start of the runtime, before main.
#include "base/alloc.h"
#include "base/directory.h"
#include "base/reclaim.h"
#include "base/status.h"
#include "base/thread.h"
#include "call/call.h"
#include "coding/accessor.h"
#include "coding/coding.h"
#include "coding/facts.h"
#include "model/class.h"
#include "model/selector.h"
#include "object/object.h"
#include "objects/box.h"
#include "observing/kvo_start.h"
#include "proxies/proxy.h"
#include "trace/trace.h"

static __attribute__((constructor)) void start(void)
{
    isa__reclaim_start();
    isa__directories_start();
    isa_status status = isa__fork_start();
    if (status == ISA_OK) status = isa__selectors_start();
    if (status == ISA_OK) status = isa__classes_start();
    if (status == ISA_OK) status = isa__object_start();
    if (status == ISA_OK) status = isa__boxes_start();
    if (status == ISA_OK) status = isa__coding_start();
    if (status == ISA_OK) status = isa__collection_coding_start();
    if (status == ISA_OK) status = isa__operators_start();
    if (status == ISA_OK) status = isa__key_paths_start();
    if (status == ISA_OK) status = isa__bulk_start();
    if (status == ISA_OK) status = isa__proxies_start();
    if (status == ISA_OK) status = isa__kvo_start();
    if (status == ISA_OK) status = isa__trace_start();
    ISA_REQUIRE(status == ISA_OK, "the runtime cannot start: %s", isa_status_text(status));
}
