// Events reach all subscribers in order, and a slow subscriber delays nobody.

import Dispatch
import HTTPTesting
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite struct EventHubTests {
  @Test func `everyone gets every event, first what they missed`() throws {
    let hub = EventHub(timers: TestClock())
    let first = try hub.subscribe(initial: [("changed", #"{"seq":7}"#)])
    #expect(first.takePending() == "retry: 2000\n\nevent: changed\ndata: {\"seq\":7}\n\n")
    let second = try hub.subscribe()
    hub.publish("job", data: "{}")
    hub.publish("job", data: "[]")
    #expect(first.takePending() == "event: job\ndata: {}\n\nevent: job\ndata: []\n\n")
    #expect(second.takePending().hasSuffix("event: job\ndata: {}\n\nevent: job\ndata: []\n\n"))
  }

  @Test func `line breaks in the data can't make a new field`() {
    let bytes = EventHub.encode(event: "a\nid: 1", data: "x\ndata: y\r\nevent: z")
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "event: aid: 1\ndata: x\ndata: data: y\ndata: \ndata: event: z\n\n")
  }

  @Test func `who does not keep up is dropped, the others go on`() throws {
    let hub = EventHub(bufferLimit: 1000, timers: TestClock())
    let slow = try hub.subscribe()
    let quick = try hub.subscribe()
    for _ in 0..<100 {
      hub.publish("changed", data: String(repeating: "x", count: 50))
      _ = quick.takePending()
    }
    #expect(slow.isClosed)
    #expect(slow.takePending().utf8.count <= 1000)
    #expect(!quick.isClosed)
    #expect(hub.subscriberCount == 1)
  }

  @Test func `there is a limit to subscribers, and room again when one leaves`() throws {
    let hub = EventHub(subscriberLimit: 2, timers: TestClock())
    let first = try hub.subscribe()
    _ = try hub.subscribe()
    #expect { try hub.subscribe() } throws: { ($0 as? HTTPError)?.status == 503 }
    first.abandon()
    _ = try hub.subscribe()
  }

  @Test func `closing ends all streams after what is pending`() throws {
    let hub = EventHub(timers: TestClock())
    let stream = try hub.subscribe()
    hub.publish("changed", data: "1")
    hub.close()
    var buffer = [UInt8](repeating: 0, count: 10_000)
    let readings = buffer.withUnsafeMutableBytes { buffer in
      (0..<2).map { _ in stream.read(into: buffer) { {} } }
    }
    #expect(readings.last == .ended)
    #expect(
      readings.first == .copied(Array("retry: 2000\n\nevent: changed\ndata: 1\n\n".utf8).count))
    #expect { try hub.subscribe() } throws: { ($0 as? HTTPError)?.status == 503 }
  }

  @Test func `a reader that waits is woken once by what comes next`() throws {
    let hub = EventHub(timers: TestClock())
    let stream = try hub.subscribe()
    _ = stream.takePending()
    let woken = DispatchSemaphore(value: 0)
    var buffer = [UInt8](repeating: 0, count: 100)
    let reading = buffer.withUnsafeMutableBytes { buffer in
      stream.read(into: buffer) { { woken.signal() } }
    }
    #expect(reading == .waiting)
    hub.beat()
    hub.beat()
    #expect(woken.wait(timeout: .now()) == .success)
    #expect(woken.wait(timeout: .now()) == .timedOut)
    #expect(stream.takePending() == ":\n\n:\n\n")
  }

  @Test func `a heartbeat comes by itself`() throws {
    let clock = TestClock()
    let hub = EventHub(heartbeatSeconds: 15, timers: clock)
    let stream = try hub.subscribe()
    _ = stream.takePending()
    clock.advance(14_999)
    #expect(stream.takePending().isEmpty)
    clock.advance(1)
    #expect(stream.takePending() == ":\n\n")
    clock.advance(30_000)
    #expect(stream.takePending() == ":\n\n:\n\n")
    // Once nobody listens it ends, and begins again with the next one.
    stream.abandon()
    clock.advance(15_000)
    let next = try hub.subscribe()
    _ = next.takePending()
    clock.advance(15_000)
    #expect(next.takePending() == ":\n\n")
  }

  @Test func `an event goes to those that are meant`() throws {
    let hub = EventHub(timers: TestClock())
    let phone = try hub.subscribe(as: Subscriber(device: "p", client: "1"))
    let laptop = try hub.subscribe(as: Subscriber(client: "2"))
    _ = (phone.takePending(), laptop.takePending())
    hub.publish("remote", data: "x") { $0.client == "2" }
    #expect(phone.takePending().isEmpty)
    #expect(laptop.takePending() == "event: remote\ndata: x\n\n")
  }

  @Test func `some subscriptions end, the others go on, and each end is told once`() throws {
    let hub = EventHub(timers: TestClock())
    let ends = Atomic(0)
    let phone = try hub.subscribe(as: Subscriber(device: "p")) { ends.add(1, ordering: .relaxed) }
    let laptop = try hub.subscribe()
    hub.close { $0.device == "p" }
    #expect(phone.isClosed)
    #expect(!laptop.isClosed)
    #expect(hub.subscriberCount == 1)
    phone.abandon()
    hub.publish("changed", data: "1")
    #expect(ends.load(ordering: .relaxed) == 1)
    #expect(!phone.takePending().contains("changed"))
    #expect(laptop.takePending().contains("changed"))
  }
}
