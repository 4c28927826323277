"""Room: at the sizes of phones, tablets and desktops no control of any screen is cut off or covered."""

import pytest
from test_accessibility import SCREENS, library, show, undo_cut

SIZES = [(390, 844), (844, 390), (320, 568), (768, 1024), (1280, 800)]

# The controls that can't be pressed where they are. Each is scrolled to the middle first, as a finger does;
# then it has to lie inside the window and everything that clips it, and to be what lies at its centre and
# near its four corners. An element without pointer events is pressed through its label.
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


@pytest.fixture(scope="module", params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def sized(request, chromium, library):
    """A touch page of one size, with its own copy of the library."""
    width, height = request.param
    context = chromium.new_context(
        service_workers="block", viewport={"width": width, "height": height}, has_touch=width < 1000,
        reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("screen", SCREENS)
def test_no_control_is_cut_off_or_covered(sized, library, screen):
    # A wide screen shows the large player and the buttons of the clips from the start.
    is_wide = sized.viewport_size["width"] >= 992
    show(sized, library, screen, without=("player-expand", "clips-menu") if is_wide else ())
    try:
        assert sized.evaluate(OUT_OF_REACH) == []
    finally:
        undo_cut(sized)
