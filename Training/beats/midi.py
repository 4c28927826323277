"""Standard MIDI files: of pieces, for fluidsynth, and those that others wrote."""

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


def events_of(midi):
    """The events of all tracks: (track, tick, status, data); a meta event's data begins with its kind."""
    at, index = 14, 0
    while at + 8 <= len(midi):
        length = struct.unpack(">I", midi[at + 4:at + 8])[0]
        track, at, place, now, status = midi[at + 8:at + 8 + length], at + 8 + length, 0, 0, 0

        def number():
            nonlocal place
            value = 0
            while True:
                byte = track[place]
                place += 1
                value = value << 7 | byte & 127
                if byte < 128:
                    return value

        while place < len(track):
            now += number()
            if track[place] >= 128:
                status = track[place]
                place += 1
            kind = b""
            if status == 0xFF:
                kind = track[place:place + 1]
                place += 1
            size = number() if status in (0xF0, 0xF7, 0xFF) else 1 if status >> 4 in (12, 13) else 2
            yield index, now, status, kind + track[place:place + size]
            place += size
        index += 1


def notes_of(midi):
    """The notes and the programs of a file: (channel, key, start tick, end tick, velocity), and {channel: program}."""
    notes, programs, sounding = [], {}, {}
    for track, now, status, data in events_of(midi):
        kind, channel = status >> 4, status & 15
        if kind == 12:
            programs.setdefault(channel, data[0])
        elif kind == 9 and data[1]:
            sounding.setdefault((track, channel, data[0]), []).append((now, data[1]))
        elif kind in (8, 9) and sounding.get((track, channel, data[0])):
            start, velocity = sounding[track, channel, data[0]].pop(0)
            notes.append((channel, data[0], start, now, velocity))
    return notes, programs


def tempos_of(midi):
    """Ticks a quarter, {tick: microseconds a quarter} and {tick: (beats, unit)} of a file."""
    tempos, signatures = {0: 500_000}, {}
    for _, now, status, data in events_of(midi):
        if status == 0xFF and data[0] == 0x51:
            tempos[now] = int.from_bytes(data[1:], "big")
        elif status == 0xFF and data[0] == 0x58:
            signatures[now] = data[1], 1 << data[2]
    return struct.unpack(">H", midi[12:14])[0], tempos, signatures
