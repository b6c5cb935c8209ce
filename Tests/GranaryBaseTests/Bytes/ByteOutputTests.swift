import Foundation
import TestSupport
import Testing

@testable import GranaryBase

@Suite struct ByteOutputTests {
    /// A pipe stands for all that is no file: devices can be made by root only.
    @Test func whatIsNoFileIsNotReplacedByOne() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "pipe").path
        try #require(mkfifo(path, 0o600) == 0)
        // Opened for both ends, so that nobody waits for the other.
        let reader = open(path, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        let output = try ByteOutput.file(path, replacing: true)
        output.append("abc")
        try output.finish()
        var bytes = [UInt8](repeating: 0, count: 8)
        #expect(read(reader, &bytes, 8) == 3)
        #expect(bytes.prefix(3) == [97, 98, 99])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["pipe"])
    }
}
