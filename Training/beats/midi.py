"""Standard MIDI files of pieces, for fluidsynth."""

import struct

TICKS_PER_SECOND = 960


def variable_length(value):
    """A number as MIDI writes times."""
    result = bytes([value & 127])
    while value := value >> 7:
        result = bytes([value & 127 | 128]) + result
    return result


def midi_of(piece, levels):
    """The bytes of a file with all notes; `levels` is the volume of each channel, 0 to 127."""
    events = [(0.0, 0, bytes([0xC0 | channel, program])) for channel, program in piece.programs.items()]
    events += [(0.0, 0, bytes([0xB0 | channel, 7, level])) for channel, level in levels.items()]
    for note in piece.notes:
        start = max(0.0, piece.seconds(note.start) + note.late)
        end = max(start + 0.03, piece.seconds(note.start + note.length) + note.late)
        events.append((start, 2, bytes([0x90 | note.channel, note.key, note.velocity])))
        events.append((end, 1, bytes([0x80 | note.channel, note.key, 0])))
    track, ticks = b"", 0
    for at, _, message in sorted(events):
        now = round(at * TICKS_PER_SECOND)
        track += variable_length(now - ticks) + message
        ticks = now
    track += variable_length(0) + b"\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480) + b"MTrk" + struct.pack(">I", len(track)) + track
