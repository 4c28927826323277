// Control characters, which one-line texts, file names and tags must not have.

extension Unicode.Scalar {
  /// Whether this is a control character: C0, DEL or C1.
  public var isControl: Bool { value < 32 || (127...159).contains(value) }
}

extension String {
  /// The text with a space in place of each control character.
  public var withoutControls: String {
    var scalars = UnicodeScalarView()
    for scalar in unicodeScalars { scalars.append(scalar.isControl ? " " : scalar) }
    return String(scalars)
  }
}
