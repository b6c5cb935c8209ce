package import Foundation
package import GranaryBase

/// The format of the dates of a text file.
public enum DateFormat: Sendable, Hashable {
    /// ISO 8601 with a time zone. An import accepts texts without one if it has a time zone for them.
    case iso8601
    /// Seconds since 2001-01-01 00:00:00 UTC, as Core Data stores them.
    case seconds
    /// Seconds since 1970-01-01 00:00:00 UTC.
    case unix
    /// Milliseconds since 1970-01-01 00:00:00 UTC.
    case unixMilliseconds
    /// The number of a day, with the time as a fraction, as Excel stores dates: 1 is 1900-01-01. It needs a time zone;
    /// times are rounded to milliseconds.
    case excel
    /// As ``excel``, in files in which 0 is 1904-01-01.
    case excel1904
    /// `/Date(1198908717056)/`: milliseconds since 1970-01-01 00:00:00 UTC, as ASP.NET writes them into JSON.
    case dotNet
    /// A Unicode date pattern (UTS 35) such as `d.M.yyyy HH:mm`; docs/cli.md lists the letters.
    case pattern(String)

    /// The format as the options of the command line, seed plans and sidecars name it.
    package var optionText: String {
        switch self {
        case .iso8601: "iso8601"
        case .seconds: "core-data"
        case .unix: "unix"
        case .unixMilliseconds: "unix-ms"
        case .excel: "excel"
        case .excel1904: "excel-1904"
        case .dotNet: "dotnet"
        case .pattern(let text): text
        }
    }

    /// A pattern with a time and the offset from UTC after it, so that no text occurs twice; nil for other formats.
    var withOffset: String? {
        guard case .pattern(let text) = self, (try? DatePattern(text + " XXX")) != nil else { return nil }
        return text + " XXX"
    }

    /// A pattern with all nine digits of the fraction of a second; nil for other formats, and if it has no seconds.
    var withFraction: String? {
        guard case .pattern(let text) = self, !text.contains("S"), text.contains("ss") else { return nil }
        let longer = text.replacing("ss", with: "ss.SSSSSSSSS")
        return (try? DatePattern(longer)) == nil ? nil : longer
    }

    /// The compiled format.
    ///
    /// - Throws: `syntax` for a pattern that is not valid.
    package func form(locale: Locale?) throws(ValueTextError) -> DateTextReader.Form {
        switch self {
        case .iso8601: .iso8601
        case .seconds: .seconds
        case .unix: .unix(milliseconds: false)
        case .unixMilliseconds: .unix(milliseconds: true)
        case .excel: .serial(.from1900)
        case .excel1904: .serial(.from1904)
        case .dotNet: .dotNet
        case .pattern(let text): .pattern(try DatePattern(text, locale: locale))
        }
    }
}
