// The named types of signing in, passwords, passkeys and accounts.

import HTTP
import Model

extension Schemas {
  private static let text: JSONValue = ["type": "string"]
  private static let boolean: JSONValue = ["type": "boolean"]
  private static let base64url: JSONValue = ["type": "string", "description": "base64url"]
  private static let time: JSONValue = [
    "type": "integer", "description": "milliseconds since 1970",
  ]
  private static let login: JSONValue = [
    "type": "string", "minLength": 1, "maxLength": .integer(SignIn.nameLimit),
  ]
  private static let password: JSONValue = [
    "type": "string", "minLength": .integer(SignIn.passwordLength.lowerBound),
    "maxLength": .integer(SignIn.passwordLength.upperBound),
  ]
  private static let provider: JSONValue = [
    "type": "string", "description": "the name of where people have accounts",
  ]
  private static let deviceName: JSONValue = [
    "type": "string", "minLength": 1, "maxLength": .integer(Devices.nameLimit),
  ]
  private static let stays: JSONValue = [
    "type": "boolean", "description": "false: the browser is let in for twelve hours",
  ]
  private static let site: JSONValue = [
    "type": "string", "description": "the host name that the passkeys belong to",
  ]

  private static func object(
    _ properties: [String: JSONValue], optional: [String: JSONValue] = [:]
  ) -> JSONValue {
    [
      "type": "object", "required": .array(properties.keys.sorted().map { .string($0) }),
      "properties": .object(properties.merging(optional) { first, _ in first }),
    ]
  }

  static let signIn: [String: JSONValue] = [
    "SignInWays": object(
      ["password": boolean, "passkey": boolean],
      optional: ["provider": provider]),
    "Departure": object([
      "address": ["type": "string", "description": "the page of the provider to go to"]
    ]),
    "AccountSignIn": object(
      ["code": text, "state": text, "name": deviceName, "stays": stays], optional: ["iss": text]),
    "NewAccount": object(["code": text, "state": text], optional: ["iss": text]),
    "Account": object(
      ["id": text, "issuer": text, "name": text, "createdAt": time], optional: ["lastUsedAt": time]),
    "PasswordSignIn": object([
      "login": login, "password": text, "name": deviceName, "stays": stays,
    ]),
    "PasskeyChallenge": object(["challenge": base64url, "site": site]),
    "PasskeySignIn": object([
      "passkey": object([
        "id": base64url, "clientDataJSON": base64url, "authenticatorData": base64url,
        "signature": base64url,
      ]), "name": deviceName, "stays": stays,
    ]),
    "SignedIn": object(["id": text, "name": text], optional: ["endsAt": time]),
    "Credentials": object(
      [
        "passkeys": ["type": "array", "items": .reference(toSchema: "Passkey")],
        "accounts": ["type": "array", "items": .reference(toSchema: "Account")],
      ],
      optional: ["login": login, "provider": provider]),
    "NewPassword": object(
      ["login": login, "password": password],
      optional: ["current": text, "signOutOthers": boolean]),
    "PasskeyAddition": object([
      "challenge": base64url, "site": site, "known": ["type": "array", "items": base64url],
    ]),
    "NewPasskey": object([
      "passkey": object([
        "id": base64url, "clientDataJSON": base64url, "authenticatorData": base64url,
        "publicKey": base64url, "algorithm": ["type": "integer", "enum": [-7, -8, -257]],
      ]), "challenge": base64url, "name": text,
    ]),
    "Passkey": object(
      ["id": base64url, "name": text, "site": site, "createdAt": time],
      optional: ["lastUsedAt": time]),
  ]
}
