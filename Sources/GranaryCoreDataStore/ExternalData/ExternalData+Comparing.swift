import GranaryBase
import GranaryCoordination

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

extension ExternalData {
    /// Whether a file has just these bytes. One that cannot be read has not.
    static func isFile(_ name: String, ofStore path: String, equalTo value: UnsafeBufferPointer<UInt8>) -> Bool {
        let file = file(name, ofStore: path)
        var status = stat()
        guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            Int64(status.st_size) == Int64(value.count), let source = try? ByteSource(path: file)
        else { return false }
        let bytes = UnsafeRawBufferPointer(value)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        var offset = 0
        while offset < bytes.count {
            let start = offset
            let count = chunk.withUnsafeMutableBytes { buffer -> Int in
                // It may have changed its size since.
                guard let length = try? source.read(into: buffer), length > 0, length <= bytes.count - start,
                    let found = buffer.baseAddress, let wanted = bytes.baseAddress,
                    memcmp(found, wanted.advanced(by: start), length) == 0
                else { return 0 }
                return length
            }
            guard count > 0 else { return false }
            offset += count
        }
        return true
    }

    /// Whether a stored blob that leads to a file has these bytes in it. What lies inline SQL has compared.
    static func matches(
        _ stored: UnsafeBufferPointer<UInt8>, _ value: UnsafeBufferPointer<UInt8>, storePath: String
    ) -> Bool {
        guard let name = fileName(in: stored) else { return stored.first == inlineTag }
        return isFile(name, ofStore: storePath, equalTo: value)
    }
}
