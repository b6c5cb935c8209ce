package import Foundation
import GranaryBase

extension AttributeValue {
    /// The date of an ISO 8601 text. A text without a time zone is in UTC, one without a time is midnight.
    package static func date(_ text: String) -> Date? {
        let seconds = Array(text.utf8).withUnsafeBufferPointer { try? DateText.secondsInUTC($0) }
        return seconds.map { Date(timeIntervalSinceReferenceDate: $0) }
    }
}
