import Foundation
import GranaryBase
import GranaryCoordination

/// An open file with one value.
package struct ValueFile: ~Copyable {
    package let path: String
    /// Its size in bytes, at most ``RowBatch/fileLimit``.
    package let size: Int
    private let descriptor: Int32

    /// - Parameter descriptor: the open file, which is closed with the value.
    init(_ descriptor: Int32, path: String) throws(ValueFiles.Problem) {
        var status = stat()
        do throws(ValueFiles.Problem) {
            guard fstat(descriptor, &status) == 0 else { throw ValueFiles.failure() }
            guard status.st_mode & S_IFMT == S_IFREG else {
                throw ValueFiles.Problem(code: .valueSyntax, reason: "is not a regular file")
            }
            guard status.st_size <= RowBatch.fileLimit else {
                throw ValueFiles.Problem(code: .limitExceeded, reason: "has \(status.st_size) bytes; " + Self.limit)
            }
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        self.descriptor = descriptor
        size = max(0, Int(status.st_size))
    }

    deinit { close(descriptor) }

    private static let limit = "the limit for a value is \(RowBatch.fileLimit) bytes"

    /// Appends the bytes of the file. It may have grown since it was opened.
    package borrowing func append(to output: inout [UInt8]) throws(ValueFiles.Problem) {
        let start = output.count
        output.reserveCapacity(start + size)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ValueFiles.failure() }
            if count == 0 { return }
            guard output.count - start <= RowBatch.fileLimit - count else {
                throw ValueFiles.Problem(code: .limitExceeded, reason: "grows while it is read; " + Self.limit)
            }
            output.append(contentsOf: chunk[..<count])
        }
    }
}
