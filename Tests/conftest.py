"""The marks of all Python tests; the Makefile says which of them run when."""


def pytest_configure(config):
    config.addinivalue_line("markers", "timed: expects something within a time (make test-timed)")
    config.addinivalue_line("markers", "long: repeats much, or a second browser's turn (make test-long)")
