import GranaryBase
import TestSupport
import Testing

@Suite struct DeflateTests {
    @Test(arguments: [0, 1, 100, 65_535, 65_536, 65_537, 300_000])
    func comesBack(length: Int) throws {
        var generator = SeededGenerator(seed: UInt64(length))
        let noise = (0..<length).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        let even = [UInt8](repeating: 0x61, count: length)
        for bytes in [noise, even] {
            let compressed = try Deflate.compress(bytes)
            #expect(try Deflate.decompress(compressed, limit: length) == bytes)
        }
        if length > 1000 { #expect(try Deflate.compress(even).count < length / 100) }
    }

    /// One stored block, and one with fixed codes as any zlib writes it: RFC 1951 section 3.2.
    @Test(arguments: [
        ([0x01, 0x03, 0x00, 0xFC, 0xFF, 0x61, 0x62, 0x63], "abc"), ([0x4B, 0x4C, 0x4A, 0x06, 0x00], "abc"),
        ([0x03, 0x00], ""),
    ])
    func readsRawStreams(compressed: [UInt8], text: String) throws {
        #expect(try Deflate.decompress(compressed, limit: 100) == Array(text.utf8))
    }

    @Test func theLimitIsNamed() throws {
        let compressed = try Deflate.compress([UInt8](repeating: 0, count: 1_000_000))
        let error = #expect(throws: GranaryError.self) { try Deflate.decompress(compressed, limit: 999_999) }
        #expect(error?.diagnostics.first?.code == .limitExceeded)
        #expect(error?.message.contains("999999 bytes") == true)
        #expect(try Deflate.decompress(compressed, limit: 1_000_000).count == 1_000_000)
        #expect(throws: GranaryError.self) { try Deflate.decompress(compressed, limit: 0) }
    }

    @Test func refusesWhatIsNoStream() throws {
        let sound = try Deflate.compress(Array("Blunt Trauma, Burn, Cardiac, Crushing, Fracture".utf8))
        for end in 0..<sound.count {
            let error = #expect(throws: GranaryError.self) { try Deflate.decompress(Array(sound[..<end]), limit: 1000) }
            #expect(error?.message == "compressed data is truncated")
        }
        let longer = #expect(throws: GranaryError.self) { try Deflate.decompress(sound + [0], limit: 1000) }
        #expect(longer?.message == "1 bytes follow the end of the compressed data")
        let damaged = #expect(throws: GranaryError.self) { try Deflate.decompress([0xFF, 0xFF], limit: 1000) }
        #expect(damaged?.message == "compressed data is damaged")
        #expect(damaged?.code == .refused)
    }
}
