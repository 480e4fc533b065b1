// The driver of GNUstep's applications.
#import "objects.h"

int main(int argc, char **argv)
{
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    const struct application applications[] = { gnustep_inventory, gnustep_graph, gnustep_feed };
    const struct subject subject = { .name = "gnustep", .language = "Objective-C",
                                     .applications = applications,
                                     .count = sizeof applications / sizeof *applications };
    int code = applications_main(&subject, argc, argv);
    [pool release];
    return code;
}
