// Notifications over HTTP: each device's own subscription.

import Database
import HTTP
import Network

enum PushRoutes {
  /// The response that says whether a device is notified.
  private struct Status: Encodable {
    struct Subscription: Encodable {
      let endpoint: String
      let level: PushSubscription.Level
      let language: String
    }

    /// The key to subscribe with; absent if this server sends no notifications.
    let publicKey: String?
    /// Absent if the device is not notified.
    var subscription: Subscription?
    /// Whether the caller is a device, which alone can be notified.
    let isDevice: Bool

    init(_ caller: Caller, _ library: Library) {
      publicKey = library.commentRelay.notifier?.publicKey
      isDevice = caller.device != nil
      subscription = caller.device.flatMap { library.devices[$0]?.push }.map {
        Subscription(endpoint: $0.endpoint, level: $0.level, language: $0.language)
      }
    }
  }

  /// The request body that subscribes a device, or changes its subscription.
  private struct Subscribing: Decodable {
    let endpoint: String
    let publicKey: String
    let authentication: String
    /// Absent when a browser renews its subscription: then both stay as they are.
    let level: PushSubscription.Level?
    let language: String?
  }

  private static let bodyLimit = 8_192

  static func routes(_ library: Library) -> [Route] {
    [
      Route(
        .get, "/api/push", summary: "Whether this device is notified, and how it can be",
        responses: [.json(200, "Its subscription", "PushStatus")], access: .person(nil),
        execution: .inline
      ) { request in try .json(Status(request.caller, library)) },
      Route(
        .put, "/api/push", summary: "Notify this device",
        requestBody: .json("PushSubscribing"),
        responses: [.json(200, "Its subscription", "PushStatus")], access: .person(nil),
        body: .buffered(limit: bodyLimit)
      ) { request in
        let device = try device(of: request.caller)
        guard let notifier = library.commentRelay.notifier else {
          throw HTTPError.conflict("This server sends no notifications.")
        }
        let push = try subscription(
          request.decode(Subscribing.self), notifier, before: library.devices[device]?.push)
        guard try library.devices.subscribe(device, push) else { throw LibraryError.notPaired }
        return try .json(Status(request.caller, library))
      },
      Route(
        .delete, "/api/push", summary: "Notify this device no longer",
        responses: [ResponseDoc(204, "It is not notified")], access: .person(nil)
      ) { request in
        try library.devices.forget(of: try device(of: request.caller))
        return .empty()
      },
    ]
  }

  private static func device(of caller: Caller) throws(HTTPError) -> String {
    guard let device = caller.device else {
      throw .conflict("Only a paired device can be notified. Pair this browser first.")
    }
    return device
  }

  private static func subscription(
    _ body: Subscribing, _ notifier: Notifier, before: PushSubscription?
  ) throws(LibraryError) -> PushSubscription {
    guard notifier.allows(body.endpoint) else {
      throw LibraryError(.unusable, "This server knows no such push service.")
    }
    guard PushKeys(publicKey: body.publicKey, authentication: body.authentication) != nil else {
      throw LibraryError(.unusable, "The keys of the subscription can't be used.")
    }
    guard let level = body.level ?? before?.level,
      let language = body.language ?? before?.language
    else {
      throw LibraryError(.conflict, "This device has no subscription that could be renewed.")
    }
    guard language.wholeMatch(of: /[a-z]{2,3}/) != nil else {
      throw LibraryError(.unusable, "A language is a code such as en.")
    }
    return PushSubscription(
      endpoint: body.endpoint, publicKey: body.publicKey, authentication: body.authentication,
      level: level, language: language)
  }
}
