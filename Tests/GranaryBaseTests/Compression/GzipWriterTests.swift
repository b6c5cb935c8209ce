import Foundation
import TestSupport
import Testing

@testable import GranaryBase

struct GzipWriterTests {
    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 1_000_000])
    func bytesComeBack(_ count: Int) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "out.gz").path
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<count).map { $0 % 3 == 0 ? UInt8.random(in: 0...255, using: &generator) : 7 }
        var files: [Data] = []
        for _ in 0..<2 {
            let output = try ByteOutput.file(path, replacing: true, compressing: true)
            for start in stride(from: 0, to: count, by: 10_007) {
                output.buffer.append(contentsOf: bytes[start..<min(start + 10_007, count)])
                try output.flushIfFull()
            }
            try output.finish()
            files.append(try Data(contentsOf: URL(filePath: path)))
        }
        // Neither the time nor the name of the file is in it.
        #expect(files[0] == files[1] && files[0].prefix(3) == Data([0x1F, 0x8B, 0x08]))
        let source = try ByteSource(path: path)
        source.inflateGzip()
        #expect(try source.readAll(limit: 2_000_000) == bytes)
    }
}
