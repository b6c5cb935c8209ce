import Foundation
import GranaryModel
import GranaryPredicates

/// A city with the country, region, coordinates, time zone and postcodes that fit it.
struct Place: Sendable, Hashable {
    let city: String
    let country: String
    let region: String
    /// In ten-thousandths of a degree, about 11 metres.
    let latitude: Int64
    let longitude: Int64
    /// The name in the database of time zones: `Europe/Berlin`.
    let timeZone: String
    /// The form of the postcodes: `#` is a digit, `@` a letter, other characters are themselves.
    private let form: [UInt8]

    /// The number of different draws of a postcode.
    static let postcodeDraws: UInt64 = 1 << 20

    /// - Parameter line: `CITY, COUNTRY, POSTCODE, REGION, LATITUDE, LONGITUDE, TIME ZONE`; the coordinates in degrees
    ///   with two decimals.
    init?(_ line: Substring) {
        let parts = line.split(separator: ",").map { $0.drop { $0 == " " } }
        guard parts.count == 7, let latitude = Self.degrees(parts[4]), let longitude = Self.degrees(parts[5]) else {
            return nil
        }
        (city, country, form) = (String(parts[0]), String(parts[1]), Array(parts[2].utf8))
        (region, timeZone) = (String(parts[3]), String(parts[6]))
        (self.latitude, self.longitude) = (latitude, longitude)
    }

    private static func degrees(_ text: Substring) -> Int64? {
        guard let point = text.firstIndex(of: "."), text.distance(from: point, to: text.endIndex) == 3 else {
            return nil
        }
        return Int64(text.filter { $0 != "." }).map { $0 * 100 }
    }

    /// The letters that postcodes of all countries in the lists have.
    private static let letters = Array("ABEGHJLNPRSTWXYZ".utf8)

    /// - Parameter draw: below ``postcodeDraws``.
    func postcode(_ draw: UInt64) -> String {
        // Neighbouring numbers look different.
        var rest = RandomStream.mixed(draw)
        var text: [UInt8] = []
        for byte in form {
            switch byte {
            case UInt8(ascii: "#"):
                text.append(UInt8(ascii: "0") + UInt8(rest % 10))
                rest /= 10
            case UInt8(ascii: "@"):
                text.append(Self.letters[Int(rest % UInt64(Self.letters.count))])
                rest /= UInt64(Self.letters.count)
            default: text.append(byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// How far coordinates are from the place at most, in ten-thousandths of a degree: about 5 km.
    static let nearby: Int64 = 500

    /// A coordinate near the place, in ten-thousandths of a degree.
    ///
    /// - Parameter draw: below ``postcodeDraws``.
    func coordinate(_ kind: TextKind, _ draw: UInt64) -> Int64 {
        // Ten bits for each coordinate, so that the two are independent.
        let bits = RandomStream.mixed(draw &+ 1)
        let offset = Int64((kind == .latitude ? bits : bits >> 32) % UInt64(Self.nearby * 2 + 1)) - Self.nearby
        return (kind == .latitude ? latitude : longitude) + offset
    }

    /// The text of a kind that fits the place.
    func text(_ kind: TextKind, _ draw: UInt64) -> String {
        switch kind {
        case .city: city
        case .country: country
        case .region: region
        case .timeZone: timeZone
        case .latitude, .longitude: Self.text(ofCoordinate: coordinate(kind, draw))
        default: postcode(draw)
        }
    }

    /// Degrees with four decimals.
    static func text(ofCoordinate value: Int64) -> String {
        let digits = String(value.magnitude % 10_000)
        return (value < 0 ? "-" : "") + "\(value.magnitude / 10_000)."
            + String(repeating: "0", count: 4 - digits.utf8.count) + digits
    }

    /// The value of a kind in the attribute's type.
    func value(_ kind: TextKind, _ draw: UInt64, _ type: AttributeType) -> AttributeValue {
        guard kind.isCoordinate else { return .string(text(kind, draw)) }
        let number = coordinate(kind, draw)
        return switch type {
        case .decimal: .decimal(Decimal(number) / 10_000)
        case .double: .double(Double(number) / 10_000)
        case .float: .float(Float(number) / 10_000)
        default: .string(Self.text(ofCoordinate: number))
        }
    }
}
