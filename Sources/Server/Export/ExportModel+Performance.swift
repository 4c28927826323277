// The date of a performance, as the exports write it.

import Model
import Text

extension ExportModel.ExportedRoutine {
  /// The line with the date of the performance: `Performance: Saturday, 5 December 2026`; nil without one.
  ///
  /// A day of the performer's calendar: it has no time zone, so it is written as it is stored.
  var performance: String? {
    routine.performanceDay.map { day in
      // Days of 24 hours, as UTC has no summer time.
      let date = UTCTime(day * 86_400)
      let weekday = ExportModel.weekdays[date.weekday]
      return
        "Performance: \(weekday), \(date.day) \(ExportModel.months[date.month - 1]) \(date.year)"
    }
  }
}

extension ExportModel {
  fileprivate static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  fileprivate static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
