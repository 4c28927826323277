// Runs other programs that verify the product's output.

import FoundationEssentials
import Glibc

public enum Program {
  /// Runs a program in a folder until it exits. Returns its exit status (-1 if it was killed) and
  /// all its output.
  public static func run(
    _ path: String, _ words: [String], in folder: String
  ) throws -> (status: Int32, text: String) {
    let output = folder + "/output-\(UUID().uuidString)"
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var arguments = (["env", "-C", folder, path] + words).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process: pid_t = 0
    let failure = posix_spawn(&process, "/usr/bin/env", &actions, nil, &arguments, environ)
    guard failure == 0 else { throw CocoaError(.fileReadNoSuchFile) }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    let text = String(decoding: try Data(contentsOf: URL(filePath: output)), as: UTF8.self)
    return (status & 0x7F == 0 ? status >> 8 & 0xFF : -1, text)
  }
}
