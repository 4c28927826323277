"""The trial `remote_stores` with a real server that speaks S3: OpenStack Swift."""

import remote_stores
from swift_server import SwiftServer


def run(program, folder, count, seed=1):
    """Runs `count` rounds and one failover; raises at the first violation."""
    return remote_stores.run(program, folder, count, seed, SwiftServer)
