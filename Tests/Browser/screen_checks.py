"""What each screen is checked for: axe-core's rules, the size of targets, room for every control, and its width."""

from axe_playwright_python.sync_playwright import Axe
from studio import last_seen

# A message may come at any time. Its animation shrinks it and lets the page shine through.
END_ANIMATIONS = """() => {
  for (const each of document.getAnimations()) {
    if (Number.isFinite(each.effect.getComputedTiming().endTime)) each.finish();
  }
}"""


#: The rules of axe-core that look at colours. A theme is other colours and nothing else, so a second one needs only these.
COLOUR_RULES = ("color-contrast", "link-in-text-block")


def violations(page, *only):
    """Returns what axe-core finds: with all of its rules and that of the size of targets, or with some rules only."""
    page.evaluate(END_ANIMATIONS)
    rules = {"runOnly": only} if only else {"rules": {"target-size": {"enabled": True}}}
    results = Axe().run(page, options={"resultTypes": ["violations"], **rules})
    return [
        f"{each['id']}: {node['html'][:200]} {node['failureSummary']}"
        for each in results.response["violations"] for node in each["nodes"]
        if not (each["id"] == "target-size" and is_excused(page, node["html"]))
    ]


def is_excused(page, html):
    """Whether a target may be close to another one or covered by it.

    The position of a slider's handle is given by its border. Buttons and fields beside it do the same
    (WCAG 2.5.8, "equivalent"). Targets that an open menu covers are not in use.
    """
    return 'role="slider"' in html or (
        'role="menuitem"' not in html and page.get_by_role("menu").count() > 0)


TOO_SMALL = """() => {
  const least = 44;
  const letsThrough = (each) => getComputedStyle(each).pointerEvents === 'none' && !each.labels?.length;
  const centre = (each) => {
    const { left, width } = each.getBoundingClientRect();
    return left + width / 2;
  };
  const handle = '.stage-handle-border > [role=slider]';
  const leastWidth = (each) => {
    if (!each.matches(handle)) return least;
    const others = [...document.querySelectorAll(handle)].filter((other) => other !== each);
    const nearest = Math.min(...others.map((other) => Math.abs(centre(other) - centre(each))));
    return Math.max(24, Math.min(least, nearest * 2 / 3 - 1));
  };
  const isExcused = (each) => each.matches('.stage-band') || letsThrough(each) || (each.matches('p a, li a')
    && [...each.parentNode.childNodes].some((node) => node.nodeType === 3 && node.data.trim()));
  const reach = (each, labels) => {
    each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = each.getBoundingClientRect();
    const hits = (x, y) => {
      const found = document.elementFromPoint(x, y);
      return found !== null && [each, ...labels].some((one) => one.contains(found));
    };
    const go = (right, down) => {
      let steps = 0;
      while (steps < least && hits(left + width / 2 + right * steps, top + height / 2 + down * steps)) steps += 0.5;
      return steps;
    };
    return [go(-1, 0) + go(1, 0) - 0.5, go(0, -1) + go(0, 1) - 0.5];
  };
  const modals = document.querySelectorAll('dialog[open]');
  // Below an open menu nothing is for pressing.
  const root = document.querySelector('[role=menu]') ?? modals[modals.length - 1] ?? document;
  return [...root.querySelectorAll(
    'button, a[href], input, select, textarea, summary, [role=slider], [role=button], [role=menuitem]')]
    .filter((each) => !each.disabled && !each.closest('[inert], .only-spoken')
      && each.checkVisibility({ visibilityProperty: true }) && !isExcused(each))
    .flatMap((each) => {
      const labels = [...each.labels ?? []];
      const boxes = [each, ...labels].map((one) => one.getBoundingClientRect());
      if (boxes.some((box) => box.width >= leastWidth(each) && box.height >= least)) return [];
      const [width, height] = reach(each, labels);
      return width >= leastWidth(each) && height >= least ? [] : [`${width} × ${height}: ${each.outerHTML.slice(0, 160)}`];
    });
}"""


def too_small(page):
    """Returns the targets that are less than 44 px wide or high.

    The size of a target is the size of its box or of its label. If that is too small, it is the size of
    the area around its centre that reacts to a press, so padding of pseudo-elements counts. Links in a
    sentence are exempt. Bands on the clipper's wave are exempt too: their width is the length of the
    clip, and the list below has the same clips at full size. The handles of
    close borders leave a third of the room between them to the wave, but are never under 24 px (WCAG 2.5.8); zooming
    in gives them their full size. An element with `pointer-events: none` is
    no target.
    """
    return page.evaluate(f"() => {{ ({END_ANIMATIONS})(); return ({TOO_SMALL})(); }}")


OUT_OF_REACH = """() => {
  const tolerance = 1.5;
  const modals = document.querySelectorAll('dialog[open]');
  const root = document.querySelector('[role=menu]') ?? modals[modals.length - 1] ?? document;
  const clips = (style, side) => /auto|scroll|hidden|clip/.test(side === 'x' ? style.overflowX : style.overflowY);
  const seen = (each) => {
    let area = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    for (let above = each.parentElement; above && above !== document.body; above = above.parentElement) {
      const style = getComputedStyle(above);
      const box = above.getBoundingClientRect();
      if (clips(style, 'x')) area = { ...area, left: Math.max(area.left, box.left), right: Math.min(area.right, box.right) };
      if (clips(style, 'y')) area = { ...area, top: Math.max(area.top, box.top), bottom: Math.min(area.bottom, box.bottom) };
      if (style.position === 'fixed') break;
    }
    return area;
  };
  return [...root.querySelectorAll(
    'button, a[href], input, select, textarea, summary, [role=slider], [role=button], [role=menuitem]')]
    .filter((each) => !each.disabled && !each.closest('[inert], .only-spoken, .stage')
      && each.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      && getComputedStyle(each).pointerEvents !== 'none')
    .flatMap((each) => {
      each.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
      const box = each.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) return [];
      const area = seen(each);
      const found = [];
      if (box.left < area.left - tolerance || box.right > area.right + tolerance
        || box.top < area.top - tolerance || box.bottom > area.bottom + tolerance) found.push('cut off');
      const labels = [each, ...each.labels ?? []];
      const points = [[0.5, 0.5], [0.2, 0.3], [0.8, 0.3], [0.2, 0.7], [0.8, 0.7]];
      for (const [x, y] of points) {
        const top = document.elementFromPoint(box.left + box.width * x, box.top + box.height * y);
        if (top && !labels.some((one) => one.contains(top))) {
          found.push(`covered by ${top.outerHTML.slice(0, 100)}`);
          break;
        }
      }
      return found.map((what) => `${what}: ${each.outerHTML.slice(0, 160)}`);
    });
}"""


def out_of_reach(page):
    """Returns the controls that can't be pressed where they are, once the page had time to take a new size.

    Each is scrolled to the middle first, as a finger does; then it has to lie inside the window and everything that
    clips it, and to be what lies at its centre and near its four corners. An element without pointer events is
    pressed through its label.
    """
    return last_seen(lambda: page.evaluate(OUT_OF_REACH), lambda found: found == [], seconds=5)


def wider_than_window(page):
    """Returns the elements that are wider than the window or outside it, once the page had time to take a new size."""
    return last_seen(lambda: _wider_than_window(page), lambda found: found == [], seconds=5)


def _wider_than_window(page):
    too_wide = page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll('main, .sheet-content')]
          .filter((each) => each.scrollWidth > each.clientWidth + 1
            && !['hidden', 'clip'].includes(getComputedStyle(each).overflowX))
          .map((each) => `${each.tagName}.${each.className}: ${each.scrollWidth} of ${each.clientWidth}`)""")
    outside = page.evaluate(
        """() => [...document.querySelectorAll('button, a[href], input, select, textarea')]
          .filter((each) => each.checkVisibility() && !each.closest('[inert], [data-testid=pager], .sheet-hidden'))
          .map((each) => [each, each.getBoundingClientRect()])
          .filter(([each, box]) => box.width > 1 && (box.left < -1 || box.right > innerWidth + 1)
            && !each.closest('.part-strip, .spots, .stage'))
          .map(([each]) => each.outerHTML.slice(0, 120))""")
    return too_wide + outside
