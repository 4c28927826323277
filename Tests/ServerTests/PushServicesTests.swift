// Which addresses are those of push services, and which options turn notifications on.

import Testing

@testable import Server

@Suite struct PushServicesTests {
  @Test func `the addresses that browsers give are those of known services`() {
    let services = PushServices()
    for (endpoint, origin) in [
      ("https://fcm.googleapis.com/fcm/send/dpH5lCsTSSM:APA91bH_x-y", "https://fcm.googleapis.com"),
      ("https://fcm.googleapis.com/wp/dpH5lCsTSSM:APA91bH", "https://fcm.googleapis.com"),
      ("https://jmt17.google.com/fcm/send/a", "https://jmt17.google.com"),
      (
        "https://updates.push.services.mozilla.com/wpush/v2/gAAAAABn=%2B",
        "https://updates.push.services.mozilla.com"
      ),
      ("https://web.push.apple.com/QGuQyavXutnMH", "https://web.push.apple.com"),
      (
        "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAD%2f~",
        "https://wns2-par02p.notify.windows.com"
      ),
    ] {
      #expect(services.origin(of: endpoint) == origin, "\(endpoint)")
    }
  }

  @Test(arguments: [
    "", "https://", "https:///x", "/fcm/send/a", "fcm.googleapis.com/a",
    // Other schemes, and other hosts with a known name somewhere in them.
    "http://fcm.googleapis.com/a", "HTTPS://fcm.googleapis.com/a", "ftp://fcm.googleapis.com/a",
    "file:///etc/passwd", "https:fcm.googleapis.com/a", "https:/fcm.googleapis.com/a",
    "https://127.0.0.1/a", "https://[::1]/a", "https://localhost/a", "https://169.254.169.254/a",
    "https://2130706433/a", "https://0x7f.1/a", "https://studio.example/a",
    "https://fcm.googleapis.com.evil.example/a", "https://evilfcm.googleapis.com/a",
    "https://evil.example/fcm.googleapis.com/a", "https://evil.example?fcm.googleapis.com/a",
    "https://evil.example#.push.apple.com/", "https://evil.example\\.push.apple.com/a",
    "https://evil.example%2f.push.apple.com/a", "https://evil.example:443.push.apple.com/a",
    "https://evilpush.apple.com/a", "https://.push.apple.com/a", "https://push.apple.com/a",
    "https://a..push.apple.com/a", "https://-.push.apple.com/a", "https://*.push.apple.com/a",
    // A person or a port in front of the path, or no path.
    "https://fcm.googleapis.com@127.0.0.1/a", "https://user@fcm.googleapis.com/a",
    "https://user:word@fcm.googleapis.com/a", "https://fcm.googleapis.com:443/a",
    "https://fcm.googleapis.com:22/a", "https://fcm.googleapis.com", "https://fcm.googleapis.com?a",
    "https://fcm.googleapis.com./a",
    // Characters that end a line or a field, or that programs read in different ways.
    "https://fcm.googleapis.com/a b", "https://fcm.googleapis.com/a\r\nHost: x",
    "https://fcm.googleapis.com/a\0", "https://fcm.googleapis.com/a\\b",
    "https://fcm.googleapis.com/a#b", "https://fcm.googleapis.com/ä",
    " https://fcm.googleapis.com/a",
    "https://FCM.googleapis.com/a", "https://ｆcm.googleapis.com/a",
    "https://fcm.googleapis.com/" + String(repeating: "a", count: 2_048),
  ]) func `any other address is refused`(endpoint: String) {
    #expect(PushServices().origin(of: endpoint) == nil)
  }

  @Test func `an origin that the operator adds is allowed, with exactly this beginning`() throws {
    let services = try #require(
      PushServices(adding: ["https://Push.School.example:443/", "http://127.0.0.1:9000"]))
    for (endpoint, origin) in [
      ("https://push.school.example/a", "https://push.school.example"),
      ("http://127.0.0.1:9000/a", "http://127.0.0.1:9000"),
      ("https://web.push.apple.com/a", "https://web.push.apple.com"),
    ] {
      #expect(services.origin(of: endpoint) == origin)
    }
    for endpoint in [
      "http://push.school.example/a", "https://push.school.example:8443/a",
      "https://push.school.example.evil.example/a", "https://push.school.example@evil.example/a",
      "http://127.0.0.1:90001/a", "http://127.0.0.1/a", "https://127.0.0.1:9000/a",
      "http://127.0.0.1:9000", "http://localhost:9000/a",
    ] {
      #expect(services.origin(of: endpoint) == nil, "\(endpoint)")
    }
    #expect(services.hasPlain)
    #expect(!PushServices().hasPlain)
  }

  @Test(arguments: [
    "", "push.example", "https://", "https://push.example/path", "https://user@push.example",
    "https://push.example:0", "https://push.example:70000", "https://push.example:x",
    "https://push.example?x", "https://push example", "http://push.example", "http://10.0.0.1",
    "http://127.0.0.1.example", "ftp://push.example", "https://[::1", "https://-a.example",
  ]) func `what is no origin is refused as an option`(origin: String) {
    #expect(PushServices(adding: ["https://push.example", origin]) == nil)
  }

  @Test func `origins of this machine may be http`() {
    for origin in ["http://localhost:1", "http://127.0.0.1", "http://[::1]:65535"] {
      #expect(PushServices(adding: [origin]) != nil, "\(origin)")
    }
  }

  @Test func `a contact is an address of mail or of a page`() {
    for contact in ["mailto:you@school.example", "https://school.example/about"] {
      #expect(PushOptions(contact: contact, services: PushServices()) != nil, "\(contact)")
    }
    for contact in [
      "", "you@school.example", "mailto:", "mailto:you", "mailto:@", "mailto:a@b@c", "https://",
      "http://school.example", "https:///x", "mailto:you@school.example\r\nx: y", "mailto:ü@x",
      "mailto:you @school.example", "https://" + String(repeating: "a", count: 200),
    ] {
      #expect(PushOptions(contact: contact, services: PushServices()) == nil, "\(contact)")
    }
  }
}
