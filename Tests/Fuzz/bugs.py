"""A bug for each parser: its fuzzer has to catch it before its word about the real one counts.

All but those in `APART` are planted in one copy of the sources, as no harness meets another one's
parser first.
"""

# A backup begins with its manifest, so that either harness would catch this one.
APART = {"manifest"}

# By harness: the file, what stands there, and what is put in its place.
BUGS = {
    "range": (
        "Sources/HTTP/ByteRange.swift",
        ".part(first..<min(last, size - 1) + 1)",
        # Of large files alone, as whole requests come here, too.
        ".part(first..<min(last, size > 4_096 ? size : size - 1) + 1)"),
    "host": (
        "Sources/HTTP/HostPolicy.swift",
        "guard origins(of: host) != nil,", "guard origins(of: String(host.prefix(14))) != nil,"),
    "target": (
        "Sources/HTTP/RequestTarget.swift",
        "      if segment.count <= 2,", "      if segment.count <= 1,"),
    "caller": (
        "Sources/HTTP/Caller.swift", """UInt8(ascii: ",")).reversed() {""", """UInt8(ascii: ",")) {"""),
    "request": (
        "Sources/HTTP/Application.swift",
        "guard lengths.count <= 1,", "guard lengths.count <= 2,"),
    "stretch": (
        "Sources/Server/Routes/ClipRequest.swift",
        "fadeOutFrames <= end - start - fadeInFrames", "fadeOutFrames <= end - start"),
    "labels": (
        "Sources/Model/LabelFile.swift",
        "    guard end >= start else {", "    guard end >= start || end == 0 else {"),
    "times": (
        "Sources/Model/Timeline.swift",
        "index == 0 || value < 60", "index == 0 || value <= 60"),
    "positions": (
        "Sources/Model/Position.swift",
        "      if upper - lower > 1 {", "      if upper - lower > 0 {"),
    "names": (
        "Sources/Model/FileName.swift",
        'case "/", "\\\\", ":",', 'case "/", ":",'),
    "peaks": (
        "Sources/Analysis/Waveform.swift",
        "guard bytes.count - Self.headerByteCount == Int(word(4)) * 2",
        "guard bytes.count - Self.headerByteCount >= Int(word(4)) * 2"),
    "manifest": (
        "Sources/Storage/Backup/BackupManifest.swift",
        "file == reference, file.sha256 > last", "file.size == reference.size, file.sha256 > last"),
    "backup": (
        "Sources/Storage/Backup/BackupReader.swift",
        "guard isPlain(entry, name), archive_entry_size(entry) == size else {",
        "guard archive_entry_size(entry) == size else {"),
    "mp4": (
        "Sources/Media/MP4Layout.swift",
        "      offset + length <= bytes.count\n", "      offset + 8 <= bytes.count\n"),
    "container": (
        "Sources/Media/ContainerLength.swift",
        "guard start + 27 + segments <= tail.count else",
        "guard start + 27 <= tail.count else"),
    "flac": (
        "Sources/Media/FLACChunk.swift",
        "guard position + extra < bytes.count else { return nil }",
        "guard position < bytes.count else { return nil }"),
    "ffprobe": (
        "Sources/Media/VideoPlan.swift",
        "guard rate.value <= 60.5 else {", "guard rate.value <= 605 else {"),
    "record": (
        "Sources/Text/JSONString.swift",
        "byte < 0x20 ||", "byte < 0x1F ||"),
    "sync": (
        "Sources/Model/Record.swift",
        "|| (cell.stamp == change.at && Value.precedes(cell.value, value))",
        "|| cell.stamp == change.at"),
    "notebook": (
        "Sources/Server/Export/JSONImporter.swift",
        'place: "Routine \\(index + 1)")\n',
        'place: "Routine \\(index + 1)")\n      try library.commit(pass.edits)\n'),
    "tus": (
        "Sources/Storage/FolderUploadStore.swift",
        "guard current.offset == offset else {", "guard current.offset >= offset else {"),
}
