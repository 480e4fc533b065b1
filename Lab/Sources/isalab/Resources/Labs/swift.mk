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
	lldb -o 'process launch -i .lab/$(CASE).scene' .lab/grade

clean:
	rm -rf .lab .build

.PHONY: all grade run debug clean
