"""A real browser over TLS: a secure context with the authority installed, and refused without it."""

import contextlib
import json
import os
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from network_support import Studio, make_certificate, read_code
from playwright.sync_api import Error
from studio import eventually


@pytest.fixture
def studio(tmp_path):
    with Studio(tmp_path / "library") as studio:
        yield studio


@contextlib.contextmanager
def browser_of(chromium, home, authority=None, words=()):
    """Chromium with its own home folder, in which an authority can be installed."""
    store = home / ".pki" / "nssdb"
    store.mkdir(parents=True)
    database = f"sql:{store}"
    subprocess.run(["certutil", "-d", database, "-N", "--empty-password"], check=True, timeout=60)
    if authority:
        subprocess.run(
            ["certutil", "-d", database, "-A", "-t", "C,,", "-n", "Segmance", "-i",
             str(authority)], check=True, timeout=60)
    browser = chromium.browser_type.launch(
        executable_path="/usr/bin/chromium", args=["--no-sandbox", *words],
        env={**os.environ, "HOME": str(home)})
    yield browser
    browser.close()


CLAIM = """async ([token, name]) => {
  const answer = await fetch(`/api/pairings/${token}/claim`, {
    method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ name }),
  });
  return [answer.status, await answer.text()];
}"""

LISTEN = """() => new Promise((resolve) => {
  window.heard = [];
  const source = new EventSource(
    '/api/events?client=00000000-0000-4000-8000-00000000000c&name=Phone');
  source.addEventListener('remote', (event) => window.heard.push(JSON.parse(event.data)));
  source.addEventListener('error', () => { window.isCut = true; source.close(); });
  source.addEventListener('players', resolve, { once: true });
})"""


def test_a_browser_with_the_authority_pairs_receives_events_and_is_revoked(chromium, studio, tmp_path):
    code = studio.code()
    with browser_of(chromium, tmp_path / "home", studio.authority) as browser:
        page = browser.new_page()
        assert page.goto(code["address"]).status == 200
        assert page.evaluate("isSecureContext && 'serviceWorker' in navigator")
        assert page.evaluate("crossOriginIsolated")
        assert page.evaluate("fetch('/api/devices').then((answer) => answer.status)") == 401
        status, text = page.evaluate(CLAIM, [code["token"], "Phone"])
        assert status == 201, text
        # The cookie exists, but scripts cannot read it.
        assert page.evaluate("document.cookie") == ""
        cookie, = page.context.cookies()
        assert cookie["name"] == f"__Host-segmance_device_{studio.lan_port}"
        assert cookie["httpOnly"] and cookie["secure"] and cookie["sameSite"] == "Lax"
        assert page.evaluate("fetch('/api/devices').then((answer) => answer.status)") == 200

        page.evaluate(LISTEN)
        _, players = studio.request("GET", "/api/remote")
        assert json.loads(players)["clients"][0]["device"]["name"] == "Phone"
        status, content = studio.request(
            "POST", "/api/remote", {"to": None, "command": {"do": "play"}})
        assert status == 204, content
        heard = eventually(lambda: page.evaluate("window.heard"), lambda heard: heard)
        assert heard == [{"from": None, "to": None, "command": {"do": "play"}}]

        device = json.loads(text)["id"]
        assert studio.request("DELETE", f"/api/devices/{device}")[0] == 204
        page.wait_for_function("window.isCut")
        assert page.evaluate("fetch('/api/devices').then((answer) => answer.status)") == 401


def test_a_browser_without_the_authority_refuses(chromium, studio, tmp_path):
    with browser_of(chromium, tmp_path / "home") as browser:
        with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
            browser.new_page().goto(studio.lan)


def test_a_browser_trusts_the_authority_only_for_this_installation(chromium, studio, tmp_path):
    crt, key = make_certificate(
        tmp_path, "other", "example.com", "DNS:example.com", signer=studio.authority.parent)

    class Page(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_):
            pass

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(crt, key)
    server = HTTPServer(("127.0.0.1", 0), Page)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    words = ["--host-resolver-rules=MAP example.com 127.0.0.1"]
    try:
        with browser_of(chromium, tmp_path / "home", studio.authority, words) as browser:
            page = browser.new_page()
            with pytest.raises(Error, match="ERR_CERT"):
                page.goto(f"https://example.com:{server.server_port}/")
            assert browser.new_page().goto(studio.lan).status == 200
    finally:
        server.shutdown()


def test_the_code_in_the_settings_is_a_readable_qr_code(studio, chromium, tmp_path):
    code = studio.code()
    page = chromium.new_page(viewport={"width": 400, "height": 400})
    for name, address in (("qr", code["address"]), ("installQr", code["installAddress"])):
        page.set_content(f"<body style='margin:0;background:#000'>{code[name]}")
        page.screenshot(path=str(tmp_path / "code.png"))
        assert read_code(tmp_path / "code.png") == address
    page.close()
