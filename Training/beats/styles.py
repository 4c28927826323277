"""The styles of the arrangements: metre, tempo, swing, and what drums, bass, chords and lead play.

A rhythm is a text with one sign for each step of a bar: `X` accented, `x` played, `o` played every other
time, `g` soft (a ghost note), `.` silent. Several texts of one instrument are alternatives, one for a
section. Steps are sixteenths, or triplets of eighths where `steps` says 12 to four beats.
"""

from dataclasses import dataclass, field

KICK, RIM, SNARE, CLAP, HAT, PEDAL, OPEN, CRASH, RIDE = 36, 37, 38, 39, 42, 44, 46, 49, 51
TOM_LOW, TOM_MID, TOM_HIGH, TAMBOURINE, COWBELL, SHAKER = 45, 47, 50, 54, 56, 70
BONGO_HIGH, BONGO_LOW, CONGA_MUTE, CONGA_OPEN, TIMBALE, GUIRO, CLAVE, TRIANGLE = 60, 61, 62, 63, 65, 73, 75, 81

PIANOS, ORGANS, GUITARS, BASSES = (0, 1, 2, 4, 5), (16, 17, 18), (24, 25, 26, 27), (32, 33, 34, 35, 38, 39)
STRINGS, BRASS, REEDS, FLUTES = (48, 49, 40, 44), (56, 57, 61), (64, 65, 66, 71), (73, 74, 75)
SYNTHS, PADS, MALLETS, DISTORTED = (80, 81, 82, 87), (88, 89, 90, 95), (11, 12, 13), (29, 30)


@dataclass(frozen=True)
class Style:
    """One style. Tempos are beats a minute; `swing` is the share of a pair of steps that its first takes."""

    metre: int
    tempo: tuple
    drums: dict = field(default_factory=dict)
    steps: int = 16
    swing: tuple = (0.5, 0.5)
    swung_steps: int = 1
    bass: tuple = ()
    chords: tuple = ()
    lead: float = 0.6
    bass_programs: tuple = BASSES
    chord_programs: tuple = PIANOS
    lead_programs: tuple = REEDS + FLUTES + SYNTHS
    #: Standard deviation of a player's timing, in seconds, and of a beat's length, as a share of it.
    looseness: float = 0.006
    drift: float = 0.002
    #: Whether beats give and take, as without a drummer.
    rubato: float = 0.0
    #: Bars of one phrase.
    phrase: int = 8
    fills: float = 0.5


STYLES = {
    "house": Style(
        4, (118, 132), {
            KICK: ("X...X...X...X...",), CLAP: ("....X.......X...", "................"),
            OPEN: ("..x...x...x...x.",), HAT: ("x.xxx.xxx.xxx.xx", "o.oox.oxo.oxo.ox"),
            SHAKER: ("gggggggggggggggg", "................")},
        bass=("..x...x...x...x.", "x..x..x.x..x..x.", "x.x.x.x.x.x.x.x."), chords=("x..x..x...x.x...", "..x...x...x...x."),
        bass_programs=(38, 39), chord_programs=PIANOS + SYNTHS + PADS, looseness=0.001, drift=0),
    "techno": Style(
        4, (124, 145), {
            KICK: ("X...X...X...X...",), HAT: ("..x...x...x...x.", "xxxxxxxxxxxxxxxx"), RIM: ("...x..x....x..x.", "................"),
            CLAP: ("....x.......x...", "................")},
        bass=("..xx..xx..xx..xx", "xxxxxxxxxxxxxxxx", "x..x..x..x..x.x."), chords=("................", "x.....x.....x..."),
        bass_programs=(38, 39), chord_programs=SYNTHS + PADS, lead=0.3, looseness=0.0005, drift=0),
    "trance": Style(
        4, (130, 142), {KICK: ("X...X...X...X...",), OPEN: ("..X...X...X...X.",), CLAP: ("....x.......x...",)},
        bass=(".xxx.xxx.xxx.xxx", "..x...x...x...x."), chords=("x.x.x.x.x.x.x.x.", "x..x..x..x..x.x."),
        bass_programs=(38, 39), chord_programs=SYNTHS, lead_programs=SYNTHS, looseness=0.0005, drift=0, phrase=16),
    "disco": Style(
        4, (108, 128), {
            KICK: ("X...X...X...X...",), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.", "xxxxxxxxxxxxxxxx"),
            OPEN: ("..x...x...x...x.",), TAMBOURINE: ("....x.......x...", "................")},
        bass=("x.x.x.x.x.x.x.x.", "x..xx.x.x..xx.x."), chords=("..x...x...x...x.", "x..x..x...x..x.."),
        chord_programs=PIANOS + STRINGS + (27,), lead_programs=STRINGS + BRASS),
    "hip-hop": Style(
        4, (78, 102), {
            KICK: ("X.....x..xx.....", "X..x......x..o..", "x.x.....X.x...o."), SNARE: ("....X.......X...", "....X..g.g..X..g"),
            HAT: ("x.x.x.x.x.x.x.x.", "xxoxxxoxxxoxxxox")},
        swing=(0.5, 0.63), bass=("x.....x..xx.....", "x..x......x....."), chords=("x...............", "x..x......x....."),
        chord_programs=PIANOS + PADS + GUITARS, lead=0.4),
    "trap": Style(
        4, (64, 78), {
            KICK: ("X......x..x.....", "X..x..x....x..o.", "X.....x.......x."), CLAP: ("........X.......", "....X.......X..."),
            HAT: ("xxxxxxxxxxxxxxxx", "x.xxx.xxxxx.x.xx"), OPEN: ("......o.......o.", "................")},
        bass=("x......x..x.....", "x..x..x........."), chords=("x...............", "x.......x......."),
        bass_programs=(38, 39), chord_programs=PADS + MALLETS + PIANOS, lead=0.5, looseness=0.001, drift=0),
    "funk": Style(
        4, (88, 118), {
            KICK: ("X..x..x...x..x..", "X.x....x..x..o..", "X..x....x.x....."), SNARE: ("....X..g.g..X..g", "....X.g..gg.X.g."),
            HAT: ("xxxxxxxxxxxxxxxx", "x.xxx.xxx.xxx.xx"), OPEN: ("......o.......o.", "................")},
        swing=(0.5, 0.56), bass=("X..x..x.xo.x..xo", "X.xx..x...x.xx.."), chords=("..x..x....x..x..", "...x..x....x..x."),
        chord_programs=GUITARS + ORGANS, lead_programs=BRASS + REEDS),
    "rock": Style(
        4, (96, 168), {
            KICK: ("X.......X.x.....", "X.....x.X.......", "X..x..x.X......."), SNARE: ("....X.......X...",),
            HAT: ("x.x.x.x.x.x.x.x.", "x...x...x...x..."), RIDE: ("x.x.x.x.x.x.x.x.", "................")},
        bass=("x.x.x.x.x.x.x.x.", "x.......x.x.x..."), chords=("x.x.x.x.x.x.x.x.", "x..x..x.x..x..x.", "X.......x......."),
        chord_programs=GUITARS + DISTORTED, lead_programs=DISTORTED + SYNTHS, fills=0.7),
    "metal": Style(
        4, (120, 210), {
            KICK: ("X.x.X.x.X.x.X.x.", "xxxxxxxxxxxxxxxx", "X..x..x.X..x..x."), SNARE: ("....X.......X...", "..X...X...X...X.", "........X......."),
            CRASH: ("X...X...X...X...", "X.......X.......")},
        bass=("x.x.x.x.x.x.x.x.", "xxxxxxxxxxxxxxxx"), chords=("x.xxx.xxx.xxx.xx", "X..x..x.X..x..x.", "x.......x......."),
        chord_programs=DISTORTED, lead_programs=DISTORTED, lead=0.4, fills=0.7),
    "pop": Style(
        4, (84, 132), {
            KICK: ("X......xX.......", "X...X...X...X...", "X.....x...x....."), SNARE: ("....X.......X...",),
            HAT: ("x.x.x.x.x.x.x.x.", "xxxxxxxxxxxxxxxx"), TAMBOURINE: ("..x...x...x...x.", "................", "................")},
        bass=("x...x...x...x...", "x..x..x.x..x..x."), chords=("x...x...x...x...", "x.......x.......", "x.x.x.x.x.x.x.x."),
        chord_programs=PIANOS + GUITARS + SYNTHS, lead_programs=SYNTHS + FLUTES + STRINGS),
    "ballad with drums": Style(
        4, (56, 84), {
            KICK: ("X.......X.x.....", "X.....x.X......."), SNARE: ("....X.......X...",), RIM: ("....x.......x...", "................"),
            HAT: ("x.x.x.x.x.x.x.x.", "x...x...x...x...")},
        bass=("x.......x.......", "x.....x.x......."), chords=("x.x.x.x.x.x.x.x.", "x...............", "x...x...x...x..."),
        chord_programs=PIANOS + STRINGS + GUITARS, lead=0.8, looseness=0.01, drift=0.004),
    "ballad without drums": Style(
        4, (54, 92), {}, bass=("x.......x.......", "x..............."), chords=("x.x.x.x.x.x.x.x.", "x...x...x...x...", "xxxxxxxxxxxxxxxx"),
        chord_programs=PIANOS + GUITARS + (46,), lead=0.8, lead_programs=STRINGS + FLUTES + REEDS, looseness=0.015, drift=0.008, rubato=0.03),
    "drum and bass": Style(
        4, (164, 180), {
            KICK: ("X.........x.....", "X.x.......x....."), SNARE: ("....X.......X...", "....X..g.g..X..g"),
            HAT: ("x.x.x.x.x.x.x.x.", "xxx.xxx.xxx.xxx."), RIDE: ("x...x...x...x...", "................")},
        bass=("x...............", "x.........x.....", "x..x..x...x....."), chords=("x...............", "................"),
        bass_programs=(38, 39), chord_programs=PADS + SYNTHS, lead=0.4, looseness=0.001, drift=0),
    "half-time": Style(
        4, (130, 150), {
            KICK: ("X..........x....", "X.....x.........", "X..x........o..."), SNARE: ("........X.......",),
            HAT: ("x.x.x.x.x.x.x.x.", "x..x..x.x..x..x.")},
        bass=("x.....x.........", "xxxxxxxx........", "x..x..x..x..x..."), chords=("x...............", "x.......x......."),
        bass_programs=(38, 39), chord_programs=SYNTHS + PADS, lead=0.4, looseness=0.001, drift=0),
    "shuffle": Style(
        4, (96, 150), {
            KICK: ("X.....X.....", "X..X..X..X.."), SNARE: ("...X.....X..",), RIDE: ("x.xx.xx.xx.x", "x..x.xx..x.x")},
        steps=12, bass=("x..x..x..x..", "x.xx.xx.xx.x"), chords=("x.x...x.x...", "..x..x..x..x"),
        chord_programs=PIANOS + ORGANS + GUITARS, lead_programs=REEDS + DISTORTED),
    "jive": Style(
        4, (160, 200), {RIDE: ("x..x.xx..x.x",), PEDAL: ("...x.....x..",), SNARE: ("...X.....X..", "...x.....x.g"), KICK: ("x.....x.....", "x..x..x..x..")},
        steps=12, bass=("x..x..x..x..",), chords=("..x......x..", "x....x......", "...x.....x.."),
        bass_programs=(32,), chord_programs=PIANOS + (26,), lead_programs=REEDS + BRASS, looseness=0.01, drift=0.003),
    "swing": Style(
        4, (120, 210), {RIDE: ("x..x.xx..x.x",), PEDAL: ("...x.....x..",), SNARE: ("............", ".....g.....g"), KICK: ("............", "g..g..g..g..")},
        steps=12, bass=("x..x..x..x..",), chords=("..x......x..", "x....x......", ".....x...x.."),
        bass_programs=(32,), chord_programs=(0, 26), lead_programs=REEDS + BRASS + MALLETS, lead=0.8, looseness=0.013, drift=0.004, fills=0.3),
    "waltz": Style(
        3, (84, 180), {KICK: ("X...........", "............"), SNARE: ("....x...x...", "............"), TRIANGLE: ("............", "x...........")},
        steps=12, bass=("X...........",), chords=("....x...x...",), chord_programs=PIANOS + STRINGS + (21,),
        lead=0.9, lead_programs=STRINGS + FLUTES + (21,), looseness=0.012, drift=0.006, rubato=0.01, fills=0.1),
    "slow waltz": Style(
        3, (78, 96), {KICK: ("X...........",), HAT: ("....x...x...",), RIM: ("....x...x...", "............")},
        steps=12, bass=("X...........", "X.......x..."), chords=("....x...x...", "x.x.x.x.x.x."), chord_programs=PIANOS + STRINGS,
        lead=0.9, lead_programs=STRINGS + FLUTES, looseness=0.01, drift=0.003),
    "tango": Style(
        4, (112, 132), {SNARE: ("x...x...x...x.xx", "............x.xx", "................")},
        bass=("X...x...X...x...", "X.....x.x...x..."), chords=("X...x...X...x...", "X.....x.x...x...", "x...x...x...x.x."),
        bass_programs=(32,), chord_programs=PIANOS + (21, 23), lead=0.8, lead_programs=STRINGS + (21, 22, 23), looseness=0.012, drift=0.01, rubato=0.01),
    "salsa": Style(
        4, (160, 220), {
            CLAVE: ("x.....x.....x...", "....x...x......."), CONGA_MUTE: ("x.x...x.x.x...x.",), CONGA_OPEN: ("............x.x.", "....x.......x.x."),
            COWBELL: ("x...x...x...x...", "x.x.x.xxx.x.x.xx"), GUIRO: ("x...x.x.x...x.x.", "................"), TIMBALE: ("................", "..............xx")},
        bass=("......x.....x...",), chords=("x.x.x..x.xx..x.x", "..x.xx.x..x.xx.x"), chord_programs=(0, 1),
        lead_programs=BRASS + FLUTES, looseness=0.008),
    "samba": Style(
        2, (90, 130), {KICK: ("x..xX..x",), SHAKER: ("xgxxxgxx",), RIM: ("x.xx.x.x", "x..x..x."), TAMBOURINE: ("x.xxx.xx", "........")},
        steps=8, bass=("x..xX..x",), chords=("x.xx.x.x", ".x.x.xx."), chord_programs=GUITARS + PIANOS,
        lead_programs=FLUTES + REEDS, looseness=0.008, phrase=16),
    "bossa nova": Style(
        4, (110, 145), {KICK: ("x.....xxx.....xx",), RIM: ("x.....x.....x...", "....x.....x....."), HAT: ("x.x.x.x.x.x.x.x.",)},
        bass=("x.....x.x.....x.",), chords=("x..x..x...x..x..", "..x..x....x.x..."), bass_programs=(32,), chord_programs=(24, 0, 26),
        lead=0.8, lead_programs=FLUTES + REEDS, looseness=0.01, drift=0.003),
    "cumbia": Style(
        4, (84, 104), {KICK: ("X...X...X...X...",), GUIRO: ("x.xxx.xxx.xxx.xx",), CONGA_OPEN: ("..x...xx..x...xx",), COWBELL: ("x...x...x...x...", "................")},
        bass=("x...x.x.x...x.x.",), chords=("..x...x...x...x.",), chord_programs=(21, 16, 27), lead_programs=BRASS + (21, 75)),
    "reggaeton": Style(
        4, (86, 104), {KICK: ("X...X...X...X...",), SNARE: ("...x..x....x..x.",), HAT: ("x.x.x.x.x.x.x.x.", "................")},
        bass=("x..x..x.x..x..x.", "x.......x......."), chords=("x..x..x.x..x..x.", "x..............."), bass_programs=(38, 39),
        chord_programs=SYNTHS + MALLETS + GUITARS, looseness=0.001, drift=0),
    "reggae": Style(
        4, (66, 90), {KICK: ("........X.......", "X.......X.......", "X...X...X...X..."), RIM: ("........x.......", "....x.......x..."), HAT: ("x.x.x.x.x.x.x.x.", "..x...x...x...x.")},
        swing=(0.5, 0.6), swung_steps=1, bass=("x...x.x...x.x...", "..x.x...x..x...."), chords=("....x.......x...", "..x...x...x...x."),
        chord_programs=ORGANS + (27,), lead=0.4, lead_programs=BRASS + FLUTES),
    "soul": Style(
        4, (84, 120), {KICK: ("X.....x.X.......", "X..x....X.x....."), SNARE: ("....X.......X...", "X...X...X...X..."), HAT: ("x.x.x.x.x.x.x.x.",), TAMBOURINE: ("....x.......x...", "................")},
        swing=(0.5, 0.58), bass=("x.....x.x..x..x.", "X..x..x...x.x.x."), chords=("x.......x.......", "....x.......x...", "x..x..x.x..x..x."),
        chord_programs=ORGANS + PIANOS, lead_programs=BRASS + REEDS),
    "six-eight": Style(
        2, (48, 76), {KICK: ("X.....", "X....x"), SNARE: ("...X..",), HAT: ("xxxxxx", "x.xx.x")},
        steps=6, bass=("x.....", "x..x..", "x.x..x"), chords=("xxxxxx", "x..x..", "x....."), chord_programs=GUITARS + PIANOS + ORGANS,
        lead=0.8, lead_programs=STRINGS + FLUTES, looseness=0.01, drift=0.003),
    "march": Style(
        2, (104, 132), {KICK: ("X...x...",), SNARE: ("x.x.x.xx", "..x...x.", "xxxxxxxx"), CRASH: ("x.......", "........")},
        steps=8, bass=("X...x...",), chords=("..x...x.",), bass_programs=(58,), chord_programs=BRASS + REEDS, lead=0.9,
        lead_programs=BRASS + FLUTES + REEDS, looseness=0.01),
    "polka": Style(
        2, (112, 140), {KICK: ("X...X...",), SNARE: ("..x...x.",)}, steps=8, bass=("X...x...",), chords=("..x...x.",),
        bass_programs=(58, 32), chord_programs=(21, 22), lead=0.9, lead_programs=(21, 71, 56), looseness=0.008),
    "five-four": Style(
        5, (120, 180), {KICK: ("X.....x...x.........", "X.........x........."), SNARE: ("......x.......x.....", "....x.......x...x..."), RIDE: ("x...x.x.x...x...x.x.", "x...x...x...x...x...")},
        steps=20, bass=("x.....x...x...x.....", "x...x...x...x...x..."), chords=("x.....x...x...x.....", "x..........x........"),
        chord_programs=PIANOS + GUITARS, lead_programs=REEDS + FLUTES),
    "seven-four": Style(
        7, (130, 200), {KICK: ("X.......X.......X...........", "X.......x.......x..........."), SNARE: ("....X.......X...........X...",), HAT: ("x.x.x.x.x.x.x.x.x.x.x.x.x.x.",)},
        steps=28, bass=("x...x...x...x...x...x...x...", "x.......x.......x..........."), chords=("x.......x.......x...........", "x...x...x...x...x...x...x..."),
        chord_programs=GUITARS + SYNTHS, lead_programs=DISTORTED + SYNTHS),
    "orchestral": Style(
        4, (60, 140), {47: ("X...............", "................", "X.......x.......")},
        bass=("x.......x.......", "x...x...x...x...", "x..............."), chords=("x...............", "x.x.x.x.x.x.x.x.", "x...x...x...x...", "xxxxxxxxxxxxxxxx"),
        bass_programs=(43, 42), chord_programs=STRINGS + (60, 45), lead=0.9, lead_programs=STRINGS + FLUTES + BRASS + (60, 68),
        looseness=0.018, drift=0.01, rubato=0.04, fills=0),
    "orchestral in three": Style(
        3, (80, 160), {47: ("X...........", "............")},
        steps=12, bass=("x...........", "x...x...x..."), chords=("....x...x...", "x.x.x.x.x.x.", "x..........."), bass_programs=(43, 42, 45),
        chord_programs=STRINGS + (60, 45), lead=0.9, lead_programs=STRINGS + FLUTES + BRASS, looseness=0.018, drift=0.01, rubato=0.03, fills=0),
    "solo piano": Style(
        4, (70, 150), {}, bass=("x...x...x...x...", "x.......x.......", "x.x.x.x.x.x.x.x."), chords=("..x...x...x...x.", "x.x.x.x.x.x.x.x.", "x..............."),
        bass_programs=(0,), chord_programs=(0,), lead=1.0, lead_programs=(0,), looseness=0.012, drift=0.008, rubato=0.02),
    "chiptune": Style(
        4, (120, 180), {KICK: ("X.......X.......", "X...X...X...X..."), SNARE: ("....X.......X...",), HAT: ("x.x.x.x.x.x.x.x.", "................")},
        bass=("x.x.x.x.x.x.x.x.", "x..x..x.x..x..x."), chords=("xxxxxxxxxxxxxxxx", "x.x.x.x.x.x.x.x."), bass_programs=(80, 81, 38), chord_programs=(80, 81),
        lead=0.9, lead_programs=(80, 81), looseness=0, drift=0),
}

#: Never trained on: the figures of these say how the network does in a style it has not heard.
HELD_OUT_STYLES = ("soul", "cumbia", "slow waltz", "trance")
