"""The marks of all Python tests; the Makefile says which of them run when."""


def pytest_configure(config):
    config.addinivalue_line("markers", "timed: expects something within a time (make test-timed)")
    config.addinivalue_line("markers", "long: repeats much, or a second browser's turn (make test-long)")
    config.addinivalue_line(
        "markers", "full_chromium(why): runs in the whole of Chromium, where others run in the headless shell")
    config.addinivalue_line(
        "markers", "moving(what): its pages move, where others ask for reduced motion; says what motion it tests")
