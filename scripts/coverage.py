"""Counts the regions of the core that any of several programs has reached.

Input:     what `llvm-cov export` prints. A region stands in it once for each program and place that
           has the function, and is reached if it was in one of them.
Arguments: the least that has to be reached, per cent, and a file for the regions that were not.
Status:    1 if less is.
"""
import collections
import json
import sys

CODE, ROOT = 0, "Sources/CIsa/"


def regions(functions):
    reached = {}
    for function in functions:
        for line, column, end, end_column, count, file, _, kind in function["regions"]:
            name = function["filenames"][file]
            if kind == CODE and ROOT in name:
                key = name.split(ROOT)[-1], line, column, end, end_column
                reached[key] = max(reached.get(key, 0), count)
    return reached


def main():
    least, missed_file = float(sys.argv[1]), sys.argv[2]
    reached = regions(json.load(sys.stdin)["data"][0]["functions"])
    total = collections.Counter(key[0] for key in reached)
    missed = collections.defaultdict(list)
    for key in sorted(key for key in reached if reached[key] == 0):
        missed[key[0]].append(key[1:])
    with open(missed_file, "w", encoding="utf-8") as out:
        for name, places in missed.items():
            for line, column, _, _ in places:
                print("%s%s:%d:%d" % (ROOT, name, line, column), file=out)
    for name in sorted(total):
        print("%-36s %5d regions %7.2f %%"
              % (name, total[name], 100 - 100 * len(missed[name]) / total[name]))
    share = 100 - 100 * sum(map(len, missed.values())) / len(reached)
    print("%-36s %5d regions %7.2f %%" % ("in all", len(reached), share))
    sys.exit(share < least)


main()
