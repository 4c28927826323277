// Metrics for Prometheus, if the owner enables them: `segmance serve --metrics`.

import Database
import HTTP
import Storage

enum MetricsRoutes {
  static func routes(
    _ library: Library, _ runner: JobRunner, _ requests: RequestMetrics, _ spans: SpanQueue?
  ) -> [Route] {
    [
      Route(
        .get, "/metrics", summary: "Figures in Prometheus' text format",
        responses: [
          ResponseDoc(
            200, "Version 0.0.4", contentType: MetricsText.contentType, schema: ["type": "string"])
        ], access: .owner
      ) { _ in
        response(try page(library, runner, requests, spans))
      }
    ]
  }

  /// The answer that has these figures.
  static func response(_ page: MetricsText) -> Response {
    Response(
      headers: [
        "Content-Type": MetricsText.contentType, "Cache-Control": CacheControl.never,
      ], body: .bytes(Array(page.text.utf8)))
  }

  /// Begins with what every server has.
  static func beginning(isServing: Bool) -> MetricsText {
    var page = MetricsText()
    page.family("segmance_build_info", .gauge, "The version of this server, as a label.")
    page.sample("segmance_build_info", ["version": SegmanceServer.version], 1)
    page.single(
      "segmance_serving", .gauge, "Whether this server has the library open: 0 in a standby.",
      isServing ? 1 : 0)
    return page
  }

  /// Collects all figures; those of `spans` if there are traces.
  static func page(
    _ library: Library, _ runner: JobRunner, _ requests: RequestMetrics, _ spans: SpanQueue? = nil
  ) throws -> MetricsText {
    var page = beginning(isServing: true)
    requests.write(to: &page)
    page.single(
      "segmance_http_connections", .gauge, "Open connections.", Double(requests.connections))
    page.single(
      "segmance_event_streams", .gauge, "Pages that listen to events.",
      Double(library.hub.subscriberCount))
    runner.write(to: &page)
    spans?.write(to: &page)
    try library.writeFigures(to: &page)
    ProcessFigures()?.write(to: &page)
    return page
  }
}

extension JobRunner {
  /// Writes the numbers of waiting, running and ended jobs.
  func write(to page: inout MetricsText) {
    let counts = counts
    page.family("segmance_jobs", .gauge, "Jobs that wait or run, by kind and state.")
    for kind in kindNames {
      for (state, count) in [("queued", counts.waiting[kind]), ("running", counts.running[kind])] {
        page.sample("segmance_jobs", ["kind": kind, "state": state], Double(count ?? 0))
      }
    }
    page.family(
      "segmance_jobs_ended_total", .counter, "Jobs that ended since the start, by kind and state.")
    for kind in kindNames {
      for state in [JobRow.State.done, .failed, .cancelled] {
        page.sample(
          "segmance_jobs_ended_total", ["kind": kind, "state": state.rawValue],
          Double(counts.ended[kind]?[state] ?? 0))
      }
    }
  }
}

extension Library {
  /// Writes the stored amounts and the free space.
  func writeFigures(to page: inout MetricsText) throws {
    let stored = try quota.storedBytes()
    page.family("segmance_stored_bytes", .gauge, "Bytes on the disk, by what they are.")
    for (kind, bytes) in [
      ("originals", stored.originals), ("derived", stored.derived),
      ("uploads", try uploads.receivedBytes()), ("exports", try folder.exportBytes()),
      ("database", try database.bytes()),
    ] {
      page.sample("segmance_stored_bytes", ["kind": kind], Double(bytes))
    }
    page.single(
      "segmance_uploads", .gauge, "Uploads that are under way or not yet taken.",
      Double(try uploads.all().count))
    if let limit = quota.limits.libraryBytes {
      page.single(
        "segmance_library_limit_bytes", .gauge, "What the library may take, as its owner said.",
        Double(limit))
    }
    let space = try folder.space()
    page.single("segmance_disk_free_bytes", .gauge, "Free bytes on the disk.", Double(space.free))
    page.single("segmance_disk_size_bytes", .gauge, "The size of the disk.", Double(space.total))
    page.single(
      "segmance_disk_reserve_bytes", .gauge, "Free bytes that are left alone.",
      Double(space.reserve))
    page.single(
      "segmance_database_memory_bytes", .gauge, "The memory that the database takes.",
      Double(LibraryDatabase.memoryBytes))
    page.single("segmance_devices", .gauge, "Paired devices.", Double(devices.all.count))
    page.single(
      "segmance_health_problems", .gauge, "Things that do not work; /api/health says which.",
      Double(healthReport().faults))
    if let last = try backups.destination?.all().latest(by: Library.now() / 1000) {
      page.single(
        "segmance_last_backup_timestamp_seconds", .gauge,
        "When the last whole backup was begun, in seconds since 1970.", Double(last.createdAt))
    }
  }
}
