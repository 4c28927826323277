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

  /// The text as a name: without control characters, and without white space around it.
  public var asName: String {
    var name = Substring(String(UnicodeScalarView(unicodeScalars.filter { !$0.isControl })))
    while let first = name.first, first.isWhitespace { name.removeFirst() }
    while let last = name.last, last.isWhitespace { name.removeLast() }
    return String(name)
  }
}
