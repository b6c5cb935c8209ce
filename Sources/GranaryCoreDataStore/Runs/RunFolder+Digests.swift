import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel

/// The SHA-256 digests of a run's files, in the file `digests`: a line `DIGEST NAME` for each. A revert refuses files that have
/// changed.
extension RunFolder {
    static let digestsName = "digests"
    private static let sizeLimit = 1 << 30

    /// Call before the folder is renamed, when its database is closed and its external files are complete.
    func writeDigests() throws(GranaryError) {
        var lines = "\(try Self.digest(of: partialDatabase)) before.sqlite\n"
        let external = partialPath + "/external"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: external)) ?? []
        for name in names.sorted() { lines += "\(try Self.digest(of: external + "/" + name)) \(name)\n" }
        let output = try ByteOutput.file(
            partialPath + "/" + Self.digestsName, replacing: true,
            permissions: SQLiteStore.permissions(ofStore: storePath))
        output.append(lines)
        try output.finish()
    }

    var hasDigests: Bool { PublishedFile.isTaken(path + "/" + Self.digestsName) }

    /// - Throws: ``GranaryError`` with code `refused` if digests are missing or a file has another digest.
    func checkDigests() throws(GranaryError) {
        let file = path + "/" + Self.digestsName
        guard let bytes = try? ByteSource(path: file).readAll(limit: Self.sizeLimit) else {
            throw damaged("\(file) is missing")
        }
        var digests: [String: Substring] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { digests[String(parts[1])] = parts[0] }
        }
        let external = (try? FileManager.default.contentsOfDirectory(atPath: path + "/external")) ?? []
        for name in ["before.sqlite"] + external.filter({ digests[$0] != nil || ExternalData.isFileName($0) }) {
            let place = name == "before.sqlite" ? database : keptFile(name)
            guard let known = digests.removeValue(forKey: name), try Self.digest(of: place) == known else {
                throw damaged("\(place) has changed since the run")
            }
        }
        if let missing = digests.keys.min() { throw damaged("\(missing) is missing") }
    }

    func damaged(_ what: String) -> GranaryError {
        GranaryError(
            Diagnostic(.storeCorrupt, "the run \(run) cannot be taken back: \(what); nothing was changed"))
    }

    private static func digest(of path: String) throws(GranaryError) -> String {
        let source = try ByteSource(path: path)
        var digest = ContentDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var result: Result<Int, GranaryError> = .success(0)
            buffer.withUnsafeMutableBytes { bytes in
                do throws(GranaryError) { result = .success(try source.read(into: bytes)) } catch {
                    result = .failure(error)
                }
            }
            let count = try result.get()
            if count == 0 { return digest.hexadecimal }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
