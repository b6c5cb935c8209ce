import Foundation
import GranaryPropertyLists

/// What a file is, by its content.
enum FileContent {
    /// How large a model may be.
    private static let modelBytes = 64 << 20

    /// Nil for what is neither a store nor a model.
    static func kind(ofFile path: String) -> FoundFile.Kind? {
        guard let start = head(of: path, count: 1_024) else { return nil }
        if start.starts(with: Data("SQLite format 3\0".utf8)) { return isStore(path) ? .store : nil }
        let isBinaryList = start.starts(with: Data("bplist".utf8))
        guard isBinaryList || start.contains(UInt8(ascii: "<")) || start.contains(UInt8(ascii: "{")) else { return nil }
        if holds("\"granaryModel\"", start) { return .model }
        if !isBinaryList, XMLElementProlog.rootName(Array(start)) == "model" {
            let isNamed = path.hasSuffix("/contents") || holds("com.apple.IDECoreDataModeler.DataModel", start)
            return isNamed ? .model : nil
        }
        guard isBinaryList || holds("<plist", start), let whole = head(of: path, count: modelBytes + 1),
            whole.count <= modelBytes
        else { return nil }
        if holds("granaryModel", whole) { return .model }
        // That a compiled model is damaged should be told as well.
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

    /// A mapping model is an archive too.
    private static func isCompiledModel(_ bytes: [UInt8], _ path: String) -> Bool {
        guard let archive = try? KeyedArchive(bytes, source: path), let root = try? archive.top() else { return false }
        return (try? archive.className(of: root)) == "NSManagedObjectModel"
    }

    /// What cannot be opened is taken for a store when its bytes look like one: that it is damaged should be told.
    private static func isStore(_ path: String) -> Bool {
        if let store = try? PlainStore(path: path), let isCoreData = try? store.isCoreData() { return isCoreData }
        return [path, path + "-wal"].contains { file in
            head(of: file, count: 1 << 20).map { holds("Z_METADATA", $0) } ?? false
        }
    }
}
