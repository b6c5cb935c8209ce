import Foundation
import GranaryBase
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite struct ByteSourceTests {
    /// Reads all, so many bytes at a time.
    static func readAll(_ source: ByteSource, chunk: Int) throws(GranaryError) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 1)
        defer { buffer.deallocate() }
        var result: [UInt8] = []
        while true {
            let count = try source.read(into: buffer)
            if count == 0 { return result }
            result.append(contentsOf: buffer[..<count])
        }
    }

    static let text = Array("key,name\n0,Zoë\n1,Bob\n".utf8)

    @Test(arguments: [1, 2, 3, 4, 5, 7, 100])
    func textInUTF8PassesAsItIs(chunk: Int) throws {
        for bytes in [Self.text, [0xEF, 0xBB, 0xBF] + Self.text, [], [0x61], [0xFF, 0x61, 0x80]] {
            let source = ByteSource(bytes: bytes, name: "x")
            source.decodeText(as: nil, allowsNUL: false)
            #expect(try Self.readAll(source, chunk: chunk) == bytes)
            #expect(source.encoding == .utf8 && source.bytesRead == bytes.count)
            #expect(source.mark == (bytes.first == 0xEF ? [0xEF, 0xBB, 0xBF] : []))
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 7, 100])
    func otherTextBecomesUTF8(chunk: Int) throws {
        for name in TextEncoding.allNames {
            let encoding = try #require(TextEncoding(name: name))
            let text = encoding == .ascii ? Array("key\n".utf8) : Self.text
            let bytes = try #require(encoding.bytes(of: text))
            let source = ByteSource(bytes: bytes, name: "x")
            source.decodeText(as: encoding, allowsNUL: false)
            #expect(try Self.readAll(source, chunk: chunk) == text, "\(name)")
            #expect(source.bytesRead == bytes.count && source.mark.isEmpty)
        }
    }

    @Test func aMarkTellsTheEncoding() throws {
        for encoding in [TextEncoding.utf16LE, .utf16BE, .utf32LE, .utf32BE] {
            let text = Array("\u{FEFF}a€".utf8)
            let bytes = try #require(encoding.bytes(of: text))
            let source = ByteSource(bytes: bytes, name: "x")
            source.decodeText(as: nil, allowsNUL: false)
            #expect(try source.readAll(limit: 100) == text)
            #expect(source.encoding == encoding)
            #expect(bytes.starts(with: source.mark) && source.mark.count >= 2)
        }
    }

    /// More than the stages hold at a time.
    @Test func longTextIsRead() throws {
        let text = Array(String(repeating: "Größe €😀\n", count: 20_000).utf8)
        let bytes = try #require(TextEncoding.utf16BE.bytes(of: text))
        let source = ByteSource(bytes: Gzip.stored(bytes), name: "x")
        source.decodeText(as: .utf16BE, allowsNUL: false)
        #expect(try Self.readAll(source, chunk: 1000) == text)
    }

    @Test func countsAndTapsRawBytes() throws {
        let folder = try TemporaryFolder()
        let packed = Gzip.stored(Self.text)
        let file = try folder.write(Data(packed), to: "a.csv.gz")
        for source in [try ByteSource(url: file), ByteSource(bytes: packed, name: "x")] {
            var tapped: [UInt8] = []
            source.tap = { tapped.append(contentsOf: $0) }
            source.decodeText(as: nil, allowsNUL: false)
            #expect(source.byteCount == packed.count && source.bytesRead == 0)
            #expect(try source.readAll(limit: 1000) == Self.text)
            #expect(source.bytesRead == packed.count)
            #expect(tapped == packed)
        }
        // Nobody asked for text: bytes are bytes.
        let plain = try ByteSource(url: file)
        #expect(try plain.readAll(limit: 1000) == packed)
    }

    @Test func isReadAgainFromItsStart() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Data(Self.text), to: "a.csv")
        for source in [try ByteSource(url: file), ByteSource(bytes: Self.text, name: file.path)] {
            source.decodeText(as: .utf16LE, allowsNUL: true)
            _ = try source.readAll(limit: 1000)
            // Another file under the name is not the one that was opened.
            try FileManager.default.removeItem(at: file)
            _ = try folder.write("other", to: "a.csv")
            let again = try source.reopened()
            #expect(again.name == source.name && again.bytesRead == 0)
            #expect(try again.readAll(limit: 1000) == Self.text)
        }
    }

    /// A FIFO whose writer is a thread.
    private func fifo(_ folder: TemporaryFolder, _ bytes: [UInt8]) throws -> String {
        let path = folder.url.appending(path: "fifo-\(UUID().uuidString)").path
        try #require(mkfifo(path, 0o600) == 0)
        let thread = Thread {
            guard let handle = FileHandle(forWritingAtPath: path) else { return }
            try? handle.write(contentsOf: Data(bytes))
            try? handle.close()
        }
        thread.start()
        return path
    }

    @Test func aPipeIsReadAgainOnlyWhereItIsSpooled() throws {
        let folder = try TemporaryFolder()
        let text = [UInt8]((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let once = try ByteSource(path: fifo(folder, text))
        #expect(once.byteCount == nil)
        #expect(try once.readAll(limit: .max) == text)
        let error = #expect(throws: GranaryError.self) { _ = try once.reopened() }
        #expect(error?.code == .unreadable)

        let source = try ByteSource(path: fifo(folder, text), spool: ByteSpool(keepsFiles: false))
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 100, alignment: 1)
        defer { buffer.deallocate() }
        let count = try source.read(into: buffer)
        #expect(Array(buffer[..<count]) == Array(text[..<count]))
        // What was read comes out of the file, the rest out of the pipe; then the first reader finds it there.
        let again = try source.reopened()
        #expect(try again.readAll(limit: .max) == text)
        #expect(try source.readAll(limit: .max) == Array(text[count...]))
        #expect(try source.reopened().readAll(limit: .max) == text)
    }

    @Test func missingFilesAndFoldersAreUnreadable() throws {
        let folder = try TemporaryFolder()
        for path in [folder.url.path, folder.url.appending(path: "none").path] {
            let error = #expect(throws: GranaryError.self) { _ = try ByteSource(path: path) }
            #expect(error?.code == .unreadable)
        }
    }
}
