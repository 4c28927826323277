// One sort for everything. The library's is compiled again for each type that it sorts, which added a fifth to the
// size of practice.wasm.

/// Returns the indices below `count` in order: a stable merge sort.
///
/// - Complexity: O(n log n).
func order(of count: Int, by isBefore: (Int, Int) -> Bool) -> [Int] {
  var indices = Array(0..<max(count, 0))
  var merged = indices
  var width = 1
  while width < indices.count {
    var start = 0
    while start < indices.count {
      let middle = min(start + width, indices.count)
      let end = min(middle + width, indices.count)
      var (left, right) = (start, middle)
      for place in start..<end {
        if left < middle, right >= end || !isBefore(indices[right], indices[left]) {
          merged[place] = indices[left]
          left += 1
        } else {
          merged[place] = indices[right]
          right += 1
        }
      }
      start = end
    }
    swap(&indices, &merged)
    width *= 2
  }
  return indices
}
