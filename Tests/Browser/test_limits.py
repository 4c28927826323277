"""Limits of a server, set by options, and its metrics."""

import contextlib
import json
import re
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest
from network_support import LAN, Studio
from studio import Server
from test_backup import segmance

TUS = {"Tus-Resumable": "1.0.0"}


@pytest.mark.parametrize("words", [
    ["--max-file", "large"], ["--max-library", "0"], ["--max-library", "-1GB"], ["--max-file"]])
def test_an_invalid_amount_is_reported_with_a_message(tmp_path, words):
    refused = segmance("serve", "--port", 0, "--data", tmp_path, *words)
    assert refused.returncode == 2
    assert refused.stderr.strip().endswith("--help")


def test_options_set_the_limits_and_health_reports_when_they_are_reached(tmp_path):
    words = ("--max-file", "1.5MB", "--max-library", "2MB")

    def begin(server, length):
        status, content = server.request(
            "POST", "/api/uploads", headers={**TUS, "Upload-Length": str(length)})
        return status, json.loads(content)["detail"] if content else ""

    def health(server):
        return json.loads(server.request("GET", "/api/health")[1])

    with Server(tmp_path / "library", options=words) as server:
        status, sentence = begin(server, 1_600_000)
        assert status == 413 and "1.5 MB" in sentence
        assert begin(server, 1_500_000)[0] == 201
        assert health(server)["status"] == "ok"
        status, sentence = begin(server, 600_000)
        assert status == 507 and "2 MB" in sentence and "Delete" in sentence
        assert begin(server, 500_000)[0] == 201
    # After a restart the server still knows the reserved upload space and that the limit is reached.
    with Server(tmp_path / "library", options=words) as server:
        assert begin(server, 1)[0] == 507
        assert health(server)["status"] == "degraded"
        assert "2 MB" in health(server)["problems"][0]


def test_metrics_are_only_for_the_owner_and_only_with_the_option(tmp_path):
    def figures(content):
        lines = [line for line in content.decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines)}

    with Server(tmp_path / "off") as server:
        # The response is the app's page, as for every unknown address.
        assert b"segmance_build_info" not in server.request("GET", "/metrics")[1]
    folder = tmp_path / "on"
    with Studio(folder, options=[*LAN, "--metrics", "--max-library", "2MB"]) as studio:
        token, _ = studio.pair("Phone")
        assert studio.ask("GET", "/metrics", token)[0] == 403
        assert studio.ask("GET", "/metrics")[0] == 401
        status, content = studio.request("GET", "/metrics")
        found = figures(content)
        assert status == 200 and found["segmance_library_limit_bytes"] == 2_000_000
        assert found["segmance_devices"] == 1
        claim = 'method="POST",route="/api/pairings/{token}/claim",status="201"'
        assert found[f"segmance_http_requests_total{{{claim}}}"] == 1
        refused = 'method="GET",route="/metrics",status="403"'
        assert found[f"segmance_http_requests_total{{{refused}}}"] == 1
        assert found["segmance_http_connections"] >= 1
        assert token not in content.decode()
    options = ["--public-url", "https://studio.example", "--metrics"]
    with Server(folder, options=options) as server:
        key = json.loads((folder / "serving.json").read_text())["key"]
        assert server.request("GET", "/metrics")[0] == 401
        status, content = server.request(
            "GET", "/metrics", headers={"Authorization": f"Bearer {key}"})
        assert status == 200 and re.search(rb"^segmance_build_info\{", content, re.M)
        assert key.encode() not in content


@contextlib.contextmanager
def collector():
    """A collector of OpenTelemetry at a free port: its address, and what was sent to it."""
    sent = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sent.append((self.path, self.headers["Content-Type"], body))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", "2")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *words):
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as listener:
        thread = threading.Thread(target=listener.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listener.server_port}", sent
        finally:
            listener.shutdown()
            thread.join()


def test_a_stop_sends_the_last_figures_to_a_collector(tmp_path):
    with collector() as (address, sent):
        with Server(tmp_path / "library", options=["--otlp-metrics", address]) as server:
            assert server.request("GET", "/api/health")[0] == 200
            # The option opens no address: this is the app's page.
            assert b"segmance_build_info" not in server.request("GET", "/metrics")[1]
        path, kind, body = sent[-1]
    assert (path, kind) == ("/v1/metrics", "application/json")
    [resource] = json.loads(body)["resourceMetrics"]
    [scope] = resource["scopeMetrics"]
    metrics = {metric["name"]: metric for metric in scope["metrics"]}
    counted = {
        tuple(label["value"]["stringValue"] for label in point["attributes"]): point["asDouble"]
        for point in metrics["segmance_http_requests_total"]["sum"]["dataPoints"]}
    # The harness asks for the health, too, until the server answers.
    assert counted["GET", "/api/health", "200"] >= 1
    assert metrics["process_resident_memory_bytes"]["gauge"]["dataPoints"][0]["asDouble"] > 0


def test_requests_and_jobs_are_traced_and_a_sender_s_trace_goes_on(tmp_path):
    trace, parent = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
    with collector() as (address, sent):
        # The share is of traces that begin here: of those, none.
        options = [
            "--otlp-traces", f"{address}/v1/traces", "--otlp-sample", "0", "--otlp-metrics", address]
        with Server(tmp_path / "sampled", options=options) as server:
            for flags in ("01", "00"):
                status, _ = server.request(
                    "GET", "/api/jobs/secret?secret",
                    headers={"traceparent": f"00-{trace}-{parent}-{flags}"})
                assert status == 404
        # Figures and spans may come in any order.
        [body] = [body for path, _, body in sent if path == "/v1/traces"]
        assert b"secret" not in body
        [resource] = json.loads(body)["resourceSpans"]
        [span, *transactions] = resource["scopeSpans"][0]["spans"]
        assert (span["traceId"], span["parentSpanId"]) == (trace, parent)
        assert (span["name"], span["kind"]) == ("GET /api/jobs/{id}", 2)
        assert 0 <= int(span["endTimeUnixNano"]) - int(span["startTimeUnixNano"]) < 60e9
        # The job was looked for in the database.
        assert transactions != []
        for transaction in transactions:
            assert (transaction["traceId"], transaction["parentSpanId"]) == (trace, span["spanId"])
            assert (transaction["name"], transaction["kind"]) == ("read", 3)
        figures = [body for path, _, body in sent if path == "/v1/metrics"][-1]
        assert b"segmance_spans_total" in figures
        sent.clear()
        with Server(tmp_path / "all", options=["--otlp-traces", address]) as server:
            # The option opens no address, and the figures are not sent.
            assert b"segmance_build_info" not in server.request("GET", "/metrics")[1]
            assert server.request("POST", "/api/sample")[0] == 202
    spans = [
        span for _, _, body in sent for resource in json.loads(body)["resourceSpans"]
        for scope in resource["scopeSpans"] for span in scope["spans"]]
    assert {path for path, _, _ in sent} == {"/v1/traces"}
    assert any(span["name"] == "POST /api/sample" for span in spans)
    assert len({span["spanId"] for span in spans}) == len(spans)


@pytest.mark.parametrize("option", ["--otlp-metrics", "--otlp-traces"])
@pytest.mark.parametrize("address", ["collector:4318", "http://name:word@127.0.0.1", "ftp://a"])
def test_an_address_that_is_no_collectors_is_reported(tmp_path, option, address):
    refused = segmance("serve", "--port", 0, "--data", tmp_path, option, address)
    assert refused.returncode == 2
    assert f"{option} takes" in refused.stderr
