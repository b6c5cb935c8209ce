import Foundation
import GranaryBase
import Testing

@testable import GranaryFormats

@Suite("Values as text")
struct ValueTextTests {
    private func text(
        _ value: BorrowedValue, _ dates: DateStyle = .iso8601, _ binary: BinaryStyle = .base64
    ) throws -> String {
        var output = Array("x".utf8)
        try ValueText.append(value, dates: dates, binary: binary, to: &output)
        return String(decoding: output.dropFirst(), as: UTF8.self)
    }

    @Test func writesEachType() throws {
        #expect(try text(.null) == "")
        #expect(try text(.boolean(true)) == "true")
        #expect(try text(.integer(.min)) == "-9223372036854775808")
        #expect(try text(.double(0.1)) == "0.1")
        #expect(try text(.float(0.1)) == "0.1")
        let decimal = try #require(ExactDecimal(isNegative: true, mantissa: 12345, exponent: -2))
        #expect(try text(.decimal(decimal)) == "-123.45")
        #expect(try text(.date(0)) == "2001-01-01T00:00:00Z")
        #expect(try text(.date(0.5), .seconds) == "0.5")
        let uuid = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        #expect(try text(.uuid(uuid)) == uuid.uuidString)
        let texts = try Array("hé".utf8).withUnsafeBufferPointer { bytes in
            try [
                text(.text(bytes)), text(.uri(bytes)), text(.binary(bytes)), text(.binary(bytes), .seconds, .hex),
            ]
        }
        #expect(texts == ["hé", "hé", Data("hé".utf8).base64EncodedString(), "68c3a9"])
    }

    @Test func refusesWhatTextCannotHold() throws {
        for value in [
            BorrowedValue.double(.nan), .double(-.infinity), .float(.infinity), .date(.nan), .date(1e12), .date(-1e12),
        ] {
            let error = #expect(throws: GranaryError.self) { try text(value) }
            #expect(error?.diagnostics.first?.code == .valueRange)
        }
        #expect(try text(.date(1e12), .seconds) == "1000000000000.0")
    }
}
