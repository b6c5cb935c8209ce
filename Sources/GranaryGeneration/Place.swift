/// A city with the country and the postcodes that fit it.
struct Place: Sendable, Hashable {
    let city: String
    let country: String
    /// The form of the postcodes: `#` is a digit, `@` a letter, other characters are themselves.
    private let form: [UInt8]

    /// The number of different draws of a postcode.
    static let postcodeDraws: UInt64 = 1 << 20

    /// - Parameter line: `CITY, COUNTRY, POSTCODE`.
    init?(_ line: Substring) {
        let parts = line.split(separator: ",").map { $0.drop { $0 == " " } }
        guard parts.count == 3 else { return nil }
        (city, country, form) = (String(parts[0]), String(parts[1]), Array(parts[2].utf8))
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
}
