#if canImport(CoreData)
    import Foundation
    import Granary

    /// The values that the tests store, by type: limits, smallest and largest magnitudes, empty and non-ASCII text,
    /// long data.
    enum ExtremeValues {
        /// Returns at least two values of a type. Some models use the last one as a default value.
        static func values(of type: AttributeType) -> [AttributeValue] {
            switch type {
            case .integer16: integers(Int64(Int16.min), Int64(Int16.max))
            case .integer32: integers(Int64(Int32.min), Int64(Int32.max))
            case .integer64: integers(Int64.min, Int64.max)
            case .boolean: [.boolean(false), .boolean(true)]
            case .decimal: decimals
            case .double: doubles
            case .float: floats
            case .string: texts.map { AttributeValue.string($0) }
            case .date: dates
            case .binary: binaries
            case .uuid: uuids
            case .uri: uris
            case .transformable: [.string("one"), .string("two\nthree"), .string("e\u{301}\n\u{1F33E}\n")]
            case .undefined, .objectID, .composite: []
            }
        }

        /// Returns two limits, and small numbers that the rules of the sample models allow.
        private static func integers(_ minimum: Int64, _ maximum: Int64) -> [AttributeValue] {
            [0, 1, 5, -1, 100, minimum, maximum].map { AttributeValue.integer($0) }
        }

        /// At most 15 digits: the column of a Decimal has the precision of a Double, and Granary refuses to round.
        private static let decimals: [AttributeValue] = [
            "0", "0.1", "-0.01", "12345.6789", "999999999999999", "-123456789.012345", "0.000000000000001", "2.50",
        ].compactMap { text in Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) }
            .map { AttributeValue.decimal($0) }

        private static let doubles: [AttributeValue] = [
            .double(0), .double(36.6), .double(-1.0 / 3.0), .double(Double.leastNonzeroMagnitude),
            .double(-Double.leastNormalMagnitude), .double(Double.greatestFiniteMagnitude),
            .double(-Double.greatestFiniteMagnitude), .double(Double.ulpOfOne), .double(9_007_199_254_740_992),
            .double(0.1),
        ]

        private static let floats: [AttributeValue] = [
            .float(0), .float(36.6), .float(-1.0 / 3.0), .float(Float.leastNonzeroMagnitude),
            .float(-Float.leastNormalMagnitude), .float(Float.greatestFiniteMagnitude),
            .float(-Float.greatestFiniteMagnitude), .float(0.1),
        ]

        /// Composed and decomposed letters are different texts.
        private static let texts: [String] = [
            "", " ", "\u{E9}", "e\u{301}", "\u{65E5}\u{672C}\u{8A9E} \u{1F33E}", "line\nbreak\ttab\r\n",
            "' \" \\ ; -- %@",
            String(repeating: "x", count: 10_000), "\u{5E9}\u{5DC}\u{5D5}\u{5DD}", "alma.berg@example.com",
            "Cr\u{E8}me BR\u{DB}L\u{C9}E",
        ]

        private static let dates: [AttributeValue] = [
            .date(Date(timeIntervalSinceReferenceDate: 0)), .date(Date.distantPast), .date(Date.distantFuture),
            .date(Date(timeIntervalSinceReferenceDate: -0.5)),
            .date(Date(timeIntervalSinceReferenceDate: 757_382_400.123_456_7)),
            .date(Date(timeIntervalSinceReferenceDate: -978_307_200)),
            .date(Date(timeIntervalSinceReferenceDate: 0.000_001)),
            .date(Date(timeIntervalSinceReferenceDate: 700_000_000)),
        ]

        private static let binaries: [AttributeValue] = [
            .binary(Data()), .binary(Data([0])), .binary(data(count: 102_400)), .binary(data(count: 200_000)),
            .binary(Data([1, 0, 255, 2])),
        ]

        /// Returns bytes that differ from offset to offset, so that a comparison finds a misplaced part.
        private static func data(count: Int) -> Data {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: index &* 31 &+ (index >> 8))) }
            return Data(bytes)
        }

        private static let uuids: [AttributeValue] = [
            "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8",
        ].compactMap { text in UUID(uuidString: text) }.map { AttributeValue.uuid($0) }

        private static let uris: [AttributeValue] = [
            "https://example.com/a/b?c=d&e=%20f#g", "file:///a%20b/c.txt", "mailto:alma.berg@example.com",
            "urn:isbn:0451450523", "relative/path", "https://example.com/%C3%A9%E6%97%A5",
        ].compactMap { text in URL(string: text, encodingInvalidCharacters: false) }.map { AttributeValue.uri($0) }
    }
#endif
