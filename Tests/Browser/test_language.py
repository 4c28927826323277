"""The language of the interface: the system's, or the one chosen on the device."""

import contextlib
import re

import prepared
import pytest
from offline_support import Device
from playwright.sync_api import expect
from screen_checks import violations, wider_than_window
from screens import SCREENS, library, settled, show, undo_cut

__all__ = ["library"]

#: What separates a number from its percent sign in Spanish.
NO_BREAK_SPACE = "\N{NO-BREAK SPACE}"
CHOSEN = "[data-testid=language] label:has(:checked)"


@pytest.fixture
def sample(begin_with):
    """A library with the sample routine and its ready track. Tests request it before `server`."""
    begin_with(prepared.sample)


@contextlib.contextmanager
def opened(chromium, server, path="/", **settings):
    """A page of a Spanish phone."""
    server.skip_welcome()
    context = chromium.new_context(**{
        "locale": "es-ES", "service_workers": "block", "viewport": {"width": 390, "height": 844},
        "has_touch": True, **settings})
    page = context.new_page()
    page.goto(server.origin + path)
    yield page
    context.close()


def choose(page, language):
    """Chooses a language in Settings → Appearance. The page loads again."""
    page.get_by_test_id("room-appearance").click()
    with page.expect_event("load"):
        page.get_by_test_id("language").get_by_text(language).click()


def test_the_app_speaks_the_language_of_the_system(sample, chromium, server):
    with opened(chromium, server) as page:
        expect(page.locator("html")).to_have_attribute("lang", "es")
        expect(page.get_by_test_id("tab-routines")).to_have_text("Rutinas")
        page.get_by_test_id("tab-settings").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Ajustes")
        expect(page).to_have_title("Ajustes · Segmance")
        expect(page.get_by_test_id("room-appearance")).to_contain_text("Sistema · Español")
        page.get_by_test_id("show-tips").click()
        expect(page.get_by_test_id("toast")).to_contain_text("Los consejos aparecen de nuevo")
    # A language that the app does not have is answered in English.
    with opened(chromium, server, locale="fi-FI") as page:
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.get_by_test_id("tab-routines")).to_have_text("Routines")


def test_the_language_is_chosen_on_the_device_and_stays(sample, chromium, server):
    with opened(chromium, server, "/settings") as page:
        choose(page, "English")
        expect(page.locator("html")).to_have_attribute("lang", "en")
        expect(page.get_by_role("heading", level=1)).to_have_text("Appearance")
        expect(page.locator(CHOSEN)).to_have_text("English")
        page.reload()
        expect(page.get_by_role("heading", level=1)).to_have_text("Appearance")
        # The choice belongs to this device: another one of the same library keeps its own language.
        with opened(chromium, server) as other:
            expect(other.get_by_test_id("tab-settings")).to_have_text("Ajustes")
        page.get_by_test_id("room-back").click()
        expect(page.get_by_test_id("room-appearance")).to_contain_text("System · English")
        choose(page, "Español")
        expect(page.locator("html")).to_have_attribute("lang", "es")
        expect(page.get_by_role("heading", level=1)).to_have_text("Apariencia")


def test_numbers_are_written_as_the_language_writes_them(sample, chromium, server):
    [routine] = server.records("routine")
    with opened(chromium, server, f"/routines/{routine['id']}") as page:
        page.get_by_test_id("player-expand").click()
        expect(page.get_by_test_id("speed-dial")).to_contain_text(f"100{NO_BREAK_SPACE}%")
        page.goto(f"{server.origin}/settings")
        choose(page, "English")
        expect(page.get_by_role("heading", level=1)).to_have_text("Appearance")
        page.goto(f"{server.origin}/routines/{routine['id']}")
        page.get_by_test_id("player-expand").click()
        expect(page.get_by_test_id("speed-dial")).to_contain_text("100%")


def test_the_language_is_there_without_a_network(chromium, server):
    server.skip_welcome()
    device = Device(chromium, server, locale="es-ES")
    expect(device.page.get_by_test_id("tab-settings")).to_have_text("Ajustes")
    device.cut()
    page = device.restart("/settings/storage")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.get_by_role("heading", level=1)).to_have_text("Almacenamiento")
    expect(page.get_by_test_id("sync-note")).to_contain_text("Sin conexión")
    device.close()


#: Where sentences are longest.
LONG = [
    "/settings", "/settings/media", "/settings/move-types", "/settings/storage", "/settings/appearance",
    "/settings/countdown", "/settings/devices", "/settings/guide", "/pair", "/install"]


def test_axe_finds_no_violation_in_spanish_and_everything_fits(sample, chromium, server):
    found = {}
    with opened(chromium, server) as page:
        for path in LONG:
            page.set_viewport_size({"width": 390, "height": 844})
            page.goto(server.origin + path)
            page.locator("h1").first.wait_for()
            settled(page)
            found[path] = violations(page)
            page.set_viewport_size({"width": 320, "height": 640})
            found[path] += wider_than_window(page)
    assert found == {path: [] for path in LONG}


#: Returns the labels of a row that run into another one of it, or out of their own box.
COLLISIONS = """(labels) => labels.flatMap((label) => {
  const text = (each) => {
    const range = document.createRange();
    range.selectNodeContents(each);
    return range.getBoundingClientRect();
  };
  const [own, box] = [text(label), label.getBoundingClientRect()];
  const touches = labels.some((other) => other !== label && text(other).width > 0
    && own.left < text(other).right + 4 && text(other).left < own.right + 4
    && own.top < text(other).bottom && text(other).top < own.bottom);
  return touches || own.right > box.right + 1 ? [label.textContent] : [];
})"""


def test_the_labels_of_the_players_and_of_a_name_have_room_in_spanish(parts, chromium, server):
    with opened(chromium, server) as page:
        page.get_by_test_id("routine-card").click()
        dials = page.locator(".compact .dial-name, .compact .has-word > span")
        expect(dials).to_have_text(["Velocidad", "Cuenta", "Marca A"])
        assert dials.evaluate_all(COLLISIONS) == []
        expect(page.get_by_test_id("countdown-dial")).to_have_accessible_name("Cuenta atrás: No")
        page.goto(server.origin + "/clipper")
        page.get_by_test_id("track-cut").first.click()
        page.get_by_test_id("stage-wave").click()
        page.get_by_test_id("cut-here").click()
        words = page.locator(".dock .dial-name, .dock .has-word > span")
        expect(words).to_have_text(["Velocidad", "Cuenta", "Bucle"])
        assert words.evaluate_all(COLLISIONS) == []
        name = page.locator(".naming label")
        expect(name).to_contain_text("Nombre: parte 2")
        assert page.locator(".naming label, .naming .button span").evaluate_all(COLLISIONS) == []


#: Returns every text of the page: what is shown, and what is only spoken.
TEXTS = """() => {
  const texts = new Set([document.title]);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (!walker.currentNode.parentElement.closest('script, style, noscript')) texts.add(walker.currentNode.data.trim());
  }
  for (const name of ['aria-label', 'aria-description', 'aria-valuetext', 'placeholder', 'title', 'alt']) {
    for (const each of document.querySelectorAll(`[${name}]`)) texts.add(each.getAttribute(name).trim());
  }
  return [...texts];
}"""

#: Words that are the same in both languages.
SAME = {
    "csv", "min",
    "segmance", "english", "español", "piano", "clave", "hat", "markdown", "json", "html", "audacity", "android", "mac", "windows",
    "ctrl", "esc", "alt", "wav", "opus", "flac"}


def test_no_sentence_of_another_language_is_left(library, chromium):
    names = {
        record.get(field) for kind in ("routine", "part", "move", "moveType", "track", "clip", "spot")
        for record in library.records(kind)
        for field in ("title", "subtitle", "notes", "name", "abbreviation", "fileName")}
    longest_first = sorted(names - {None, ""}, key=len, reverse=True)
    named = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))
    texts = {screen: {} for screen in SCREENS}
    for locale in ("en-US", "es-ES"):
        context = chromium.new_context(
            locale=locale, service_workers="block", viewport={"width": 390, "height": 844}, has_touch=True)
        page = context.new_page()
        for screen in SCREENS:
            show(page, library, screen)
            texts[screen][locale] = set(page.evaluate(TEXTS))
            undo_cut(page)
        context.close()
    left = {}
    for screen, spoken in texts.items():
        for text in spoken["en-US"] & spoken["es-ES"]:
            words = {word.lower() for word in re.findall(r"[^\W\d_]{3,}", named.sub("", text))}
            if words - SAME:
                left.setdefault(text, screen)
    assert not left, "\n".join(f"{screen}: {text}" for text, screen in left.items())
