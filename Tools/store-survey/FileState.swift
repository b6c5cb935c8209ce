import Foundation
import GranaryModel

/// The state of a store's file, which reading must not change.
struct FileState: Equatable {
    let size: Int
    let modified: Date?
    let digest: String

    /// The states of a store's existing files by the suffixes of their names.
    static func states(ofStore path: String) -> [String: FileState] {
        var states: [String: FileState] = [:]
        for suffix in ["", "-wal", "-shm", "-journal"] { states[suffix] = state(of: path + suffix) }
        return states
    }

    /// The suffixes of the files that differ.
    static func changes(_ before: [String: FileState], _ after: [String: FileState]) -> [String] {
        Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
    }

    private static func state(of path: String) -> FileState? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let file = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? file.close() }
        var digest = ContentDigest()
        while let chunk = try? file.read(upToCount: 1 << 20), !chunk.isEmpty { digest.update(Array(chunk)) }
        return FileState(
            size: (attributes[.size] as? NSNumber)?.intValue ?? 0, modified: attributes[.modificationDate] as? Date,
            digest: digest.hexadecimal)
    }
}
