# make            compiles your code
# make grade      grades it
# make run        plays one case: make run CASE=REG-01
# make debug      plays one case in a debugger

LEVEL := @LEVEL@
CASE ?= @CASE@
ISALAB ?= @ISALAB@

all:
	swift build

grade:
	@"$(ISALAB)" lab grade $(LEVEL) --dir .

run:
	@"$(ISALAB)" lab run $(CASE) --dir .

# Whether the case passes does not matter here.
debug:
	@"$(ISALAB)" lab run $(CASE) --dir . --keep .lab || test $$? = 1
	@if lldb --version >/dev/null 2>&1; then \
	  lldb -o 'process launch -i .lab/$(CASE).scene' .lab/grade; \
	else echo "make debug needs Swift's lldb, which does not start; type lldb to see why" >&2; exit 1; fi

clean:
	rm -rf .lab .build

.PHONY: all grade run debug clean
