"""The first use, in WebKitGTK."""

import base64

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from studio import eventually, song

DROP = """
const transfer = new DataTransfer();
for (const [name, base64] of arguments[0]) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  transfer.items.add(new File([bytes], name, { type: 'audio/wav' }));
}
for (const type of ['dragenter', 'dragover', 'drop']) {
  document.body.dispatchEvent(
    new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}
"""


def find(driver, test_id):
    return until(driver, test_id, lambda element: element)


def until(driver, test_id, holds):
    """Waits until `holds` is true of an element; a replaced element is looked up again."""
    return WebDriverWait(
        driver, 30, poll_frequency=0.1, ignored_exceptions=[StaleElementReferenceException]).until(
            lambda driver: holds(driver.find_element(By.CSS_SELECTOR, f"[data-testid={test_id}]")))


def is_playing(play):
    return play.get_attribute("data-playing") == "true"


def test_dropped_files_become_a_routine_that_counts_down_plays_and_loops(webkit, server):
    find(webkit, "create-first")
    webkit.execute_script(
        DROP, [[name, base64.b64encode(song(seconds)).decode()]
               for seconds, name in [(3, "One.wav"), (4, "Two.wav")]])
    find(webkit, "editor-title").send_keys("Swan")
    WebDriverWait(webkit, 30).until(
        lambda driver: len(driver.find_elements(
            By.CSS_SELECTOR, "[data-testid=song-row][data-state=ready]")) == 2)
    find(webkit, "editor-create").click()
    find(webkit, "routine-page")
    until(webkit, "play", lambda play: play.is_enabled())
    find(webkit, "loop").click()
    find(webkit, "countdown-dial").click()
    webkit.execute_script(
        "arguments[0].querySelector('[value=\"3\"]').click()", find(webkit, "countdown-seconds-presets"))
    find(webkit, "sheet-close").click()
    find(webkit, "play").click()
    until(webkit, "play", is_playing)
    shown = "return document.querySelector('[data-testid=time-now]').textContent"
    # Reads both values in one step, because the countdown continues meanwhile.
    number, time = eventually(
        lambda: webkit.execute_script(
            "return ['countdown-number', 'time-now'].map("
            "(name) => document.querySelector(`[data-testid=${name}]`)?.textContent)"),
        lambda seen: seen[0])
    assert number in ("3", "2", "1") and time == "0:00"
    for time in ("0:02", "0:00"):
        WebDriverWait(webkit, 30, poll_frequency=0.1).until(
            lambda driver: driver.execute_script(shown) == time)
    assert is_playing(find(webkit, "play")), "it repeats"
    assert until(webkit, "countdown-number", lambda number: number.is_displayed()), "and counts down again"
    parts = eventually(lambda: server.records("part"), lambda parts: len(parts) == 2)
    assert {part["title"] for part in parts} == {"One", "Two"}


@pytest.mark.long
def test_a_move_type_is_created_and_recoloured(webkit, server):
    # The page's database must be complete. If the page is left earlier, WebKit blocks it for twenty seconds.
    find(webkit, "create-first")
    webkit.get(f"{server.origin}/settings/move-types")
    find(webkit, "new-type").click()
    find(webkit, "type-name").send_keys("Back spin")
    until(webkit, "type-abbreviation", lambda field: field.get_attribute("value") == "BS")
    find(webkit, "type-create").click()
    find(webkit, "type-row").click()
    webkit.execute_script("arguments[0].click()", find(webkit, "colour-teal"))
    find(webkit, "type-done").click()
    types = eventually(
        lambda: server.records("moveType"),
        lambda types: types != [] and types[0]["colour"] == "#148a7b")
    assert [(each["name"], each["abbreviation"]) for each in types] == [("Back spin", "BS")]
