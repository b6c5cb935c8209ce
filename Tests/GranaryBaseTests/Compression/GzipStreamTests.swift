import GranaryBase
import TestSupport
import Testing

@Suite struct GzipStreamTests {
    static let text = Array("key,name\n0,Burn\n1,Fracture\n".utf8)

    private func read(_ bytes: [UInt8], chunk: Int = 1000) throws(GranaryError) -> [UInt8] {
        let source = ByteSource(bytes: bytes, name: "x.gz")
        source.inflateGzip()
        return try ByteSourceTests.readAll(source, chunk: chunk)
    }

    private func compressed(_ content: [UInt8]) throws -> [UInt8] {
        Gzip.member(try Deflate.compress(content), of: content)
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 100_000])
    func inflates(chunk: Int) throws {
        #expect(try read(compressed(Self.text), chunk: chunk) == Self.text)
        #expect(try read(Gzip.stored(Self.text), chunk: chunk) == Self.text)
        #expect(try read(compressed([]), chunk: chunk).isEmpty)
    }

    @Test func membersFollowEachOther() throws {
        let other = try compressed(Array("2,Cut\n".utf8))
        let empty = Gzip.stored([])
        let parts = try compressed(Self.text) + empty + other + empty
        for chunk in [1, 3, 1000] {
            #expect(try read(parts, chunk: chunk) == Self.text + Array("2,Cut\n".utf8))
            #expect(try read(parts + [UInt8](repeating: 0, count: 512), chunk: chunk).count == Self.text.count + 6)
            #expect(try read(other + [0, 0, 0] + other, chunk: chunk) == Array("2,Cut\n2,Cut\n".utf8))
        }
    }

    @Test func manyMembersAndMuchNoise() throws {
        var generator = SeededGenerator(seed: 3)
        var content: [UInt8] = []
        var packed: [UInt8] = []
        for _ in 0..<40 {
            let part = (0..<Int.random(in: 0...9000, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            content += part
            packed += try Bool.random(using: &generator) ? compressed(part) : Gzip.stored(part)
        }
        #expect(try read(packed, chunk: 777) == content)
    }

    @Test func whatIsNoGzipPasses() throws {
        for bytes in [[], [0x1F], [0x1F, 0x8B], [0x1F, 0x8B, 0x07, 0x00], Self.text] {
            #expect(try read(bytes, chunk: 1) == bytes)
        }
    }

    @Test func aCutIsSaid() throws {
        for packed in [try compressed(Self.text), Gzip.stored(Self.text)] {
            for end in 3..<packed.count {
                let error = #expect(throws: GranaryError.self) { try read(Array(packed[..<end])) }
                #expect(error?.diagnostics.first?.code == .sourceCompressed, "\(end)")
                #expect(error?.code == .refused)
            }
            let second = #expect(throws: GranaryError.self) { try read(packed + packed.dropLast()) }
            #expect(second?.message.contains("is truncated") == true)
        }
    }

    /// Any byte changed: the damage is said, or the byte did not matter (a time, a system).
    @Test func damageIsSaid() throws {
        var generator = SeededGenerator(seed: 5)
        for packed in [try compressed(Self.text), Gzip.stored(Self.text)] {
            for index in 3..<packed.count {
                var damaged = packed
                damaged[index] ^= UInt8.random(in: 1...255, using: &generator)
                var content: [UInt8]?
                var code: Diagnostic.Code?
                do throws(GranaryError) {
                    content = try read(damaged)
                } catch {
                    code = error.diagnostics.first?.code
                }
                #expect(content == Self.text || code == .sourceCompressed, "\(index)")
            }
        }
    }

    @Test func whatFollowsTheEndIsRefused() throws {
        for tail: [UInt8] in [[0x61], [0, 0, 0x61], [0x1F], [0x1F, 0x8B, 8]] {
            let error = #expect(throws: GranaryError.self) { try read(Gzip.stored(Self.text) + tail) }
            #expect(error?.diagnostics.first?.code == .sourceCompressed)
        }
    }

    /// A small file that stands for a large one: only what is asked for is inflated.
    @Test func aBombIsOpenedByPieces() throws {
        let content = [UInt8](repeating: 0x61, count: 20 << 20)
        let packed = Gzip.member(try Deflate.compress(content), of: [])
        let source = ByteSource(bytes: packed, name: "x.gz")
        source.inflateGzip()
        let error = #expect(throws: GranaryError.self) { try source.readAll(limit: 1 << 20) }
        #expect(error?.diagnostics.first?.code == .limitExceeded)
    }
}
