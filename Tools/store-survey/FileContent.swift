import Foundation
import GranaryPropertyLists

/// The kind of a file by its content.
enum FileContent {
    /// The size limit of a model, in bytes.
    private static let modelBytes = 64 << 20

    /// The kind of a file; nil if it is neither a store nor a model.
    static func kind(ofFile path: String) -> FoundFile.Kind? {
        guard let start = head(of: path, count: 1_024) else { return nil }
        if start.starts(with: Data("SQLite format 3\0".utf8)) { return isStore(path) ? .store : nil }
        let isBinaryList = start.starts(with: Data("bplist".utf8))
        guard isBinaryList || start.contains(UInt8(ascii: "<")) || start.contains(UInt8(ascii: "{")) else { return nil }
        if holds("\"granaryModel\"", start) { return .model }
        if !isBinaryList, XMLElementTree.rootName(Array(start)) == "model" {
            let isNamed = path.hasSuffix("/contents") || holds("com.apple.IDECoreDataModeler.DataModel", start)
            return isNamed ? .model : nil
        }
        guard isBinaryList || holds("<plist", start), let whole = head(of: path, count: modelBytes + 1),
            whole.count <= modelBytes
        else { return nil }
        if holds("granaryModel", whole) { return .model }
        // A damaged compiled model must be reported as well.
        let isNamedCompiled = isBinaryList && path.hasSuffix(".mom")
        if isNamedCompiled, (try? KeyedArchive(Array(whole), source: path)) == nil { return .model }
        return holds("NSKeyedArchiver", whole) && isCompiledModel(Array(whole), path) ? .model : nil
    }

    private static func head(of path: String, count: Int) -> Data? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        return try? file.read(upToCount: count)
    }

    private static func holds(_ text: String, _ data: Data) -> Bool { data.range(of: Data(text.utf8)) != nil }

    /// Whether an archive is a model, not a mapping model.
    private static func isCompiledModel(_ bytes: [UInt8], _ path: String) -> Bool {
        guard let archive = try? KeyedArchive(bytes, source: path), let root = try? archive.top() else { return false }
        return (try? archive.className(of: root)) == "NSManagedObjectModel"
    }

    /// Whether a database is a store. A file that cannot be opened counts as one if it contains a store's table name,
    /// so that its damage is reported.
    private static func isStore(_ path: String) -> Bool {
        if let store = try? PlainStore(path: path), let isCoreData = try? store.isCoreData() { return isCoreData }
        return [path, path + "-wal"].contains { file in
            head(of: file, count: 1 << 20).map { holds("Z_METADATA", $0) } ?? false
        }
    }
}
