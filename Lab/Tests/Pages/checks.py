"""What the drivers of pages hold, and how they say it."""

import sys


class Checks:
    def __init__(self):
        self.held = 0
        self.wrong = []

    def equal(self, what, actual, expected):
        if actual == expected:
            self.held += 1
        else:
            self.wrong.append("%s: is %r, expected %r" % (what, actual, expected))

    def holds(self, what, condition):
        self.equal(what, bool(condition), True)

    def shows(self, tab, what, expression, expected=True):
        """Waits until an expression has a value: nothing is read at once after an act."""
        self.equal(what, tab.come_to(expression, expected), expected)

    def report(self, who, screenshots):
        """Prints what is wrong and fails, or says how much held."""
        for wrong in self.wrong:
            print(wrong, file=sys.stderr)
        if self.wrong:
            sys.exit(1)
        print("%s: %d checks hold; screenshots are in %s" % (who, self.held, screenshots))


# Texts whose colour, as faint as it is drawn, and ground differ by less than 4.5 to 1.
CONTRAST = """(() => {
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const part = value => (value /= 255) <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4;
  const light = ([red, green, blue]) =>
    .2126 * part(red) + .7152 * part(green) + .0722 * part(blue);
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const box = at.closest('svg g') === at && at.querySelector(':scope > rect');
      const text = box ? getComputedStyle(box).fill : getComputedStyle(at).backgroundColor;
      const colour = parse(text);
      if (text !== 'none' && colour.length < 4) return colour;
    }
    return [255, 255, 255];
  };
  const weak = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.getClientRects().length) continue;
    if (element.closest('script,style,title,desc,option')) continue;
    const style = getComputedStyle(element);
    const colour = parse(element.closest('svg') ? style.fill : style.color);
    let seen = 1;
    for (let at = element; at; at = at.parentElement) seen *= Number(getComputedStyle(at).opacity);
    const below = ground(element);
    const drawn = colour.slice(0, 3).map((part, at) => part * seen + below[at] * (1 - seen));
    const [one, other] = [light(drawn), light(below)].sort((a, b) => b - a);
    if ((one + .05) / (other + .05) < 4.5) weak.push(node.data.trim().slice(0, 40));
  }
  return weak;
})()"""
