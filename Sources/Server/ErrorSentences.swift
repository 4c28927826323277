// What errors of the modules below mean to the performer, apart from HTTP.

import Database
import Media
import Storage

extension DatabaseError {
  /// A sentence for the performer; nil: the error is the server's, and only its log explains it.
  var sentence: String? {
    switch code {
    case .full: "The disk is full. Delete what you no longer need and try again."
    case .sealed: message
    case .unreachable: "The library can't be reached at the moment. Try again."
    case .busy: "The library is busy at the moment. Try again."
    case .corrupt, .newerSchema, .other: nil
    }
  }
}

extension MediaError {
  /// Whether the server is at fault, not the file.
  var isServerFault: Bool {
    switch code {
    case .notAudio, .noAudioStream, .notVideo, .noPicture, .stillPicture, .pictureTooLarge,
      .truncated, .empty, .tooLong, .invalidRange:
      false
    case .timedOut, .cancelled, .toolMissing, .sandboxUnavailable, .toolFailed: true
    }
  }
}

extension StorageError {
  /// Whether the server is at fault, not the file.
  var isServerFault: Bool {
    switch code {
    case .notFound, .offsetMismatch, .busy, .incomplete, .tooLarge, .empty, .unusableBackup: false
    case .noSpace, .corrupt, .cancelled, .unreachable, .fileSystem: true
    }
  }
}
