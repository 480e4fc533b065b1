# make            compiles your code, with the warnings that grading turns on
# make grade      grades it
# make run        plays one case: make run CASE=REG-01
# make debug      plays one case in a debugger

LEVEL := @LEVEL@
CASE ?= @CASE@
ISALAB ?= @ISALAB@
CC ?= cc
# Where the runtime's headers are.
INCLUDES := @INCLUDES@
CFLAGS := -std=c17 -Wall -Wextra -g -D_GNU_SOURCE -DISA_UNCHECKED -DLAB_LEVEL=$(LEVEL)

all: $(patsubst %.c,.lab/%.o,$(wildcard *.c))

.lab/%.o: %.c $(wildcard *.h)
	@mkdir -p .lab
	$(CC) $(CFLAGS) $(INCLUDES) -c $< -o $@

grade:
	@"$(ISALAB)" lab grade $(LEVEL) --dir .

run:
	@"$(ISALAB)" lab run $(CASE) --dir .

# Whether the case passes does not matter here.
debug:
	@"$(ISALAB)" lab run $(CASE) --dir . --keep .lab || test $$? = 1
	@if gdb --version >/dev/null 2>&1; then \
	  gdb -ex 'break student_add' -ex 'run <.lab/$(CASE).scene' .lab/grade; \
	elif lldb --version >/dev/null 2>&1; then \
	  lldb -o 'process launch -i .lab/$(CASE).scene' .lab/grade; \
	else echo 'make debug needs gdb or lldb, and neither starts: apt-get install gdb' >&2; exit 1; fi

clean:
	rm -rf .lab

.PHONY: all grade run debug clean
