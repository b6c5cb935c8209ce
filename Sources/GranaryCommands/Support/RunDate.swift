import Foundation

/// The date of a run in the ledger.
enum RunDate {
    /// Now, or the date in `SOURCE_DATE_EPOCH` (https://reproducible-builds.org/specs/source-date-epoch), in whole
    /// seconds.
    static var now: Date {
        let given = ProcessInfo.processInfo.environment["SOURCE_DATE_EPOCH"].flatMap(Int64.init)
        if let given, given >= 0, given < 253_402_300_800 { return Date(timeIntervalSince1970: Double(given)) }
        return Date(timeIntervalSinceReferenceDate: Date().timeIntervalSinceReferenceDate.rounded(.down))
    }
}
