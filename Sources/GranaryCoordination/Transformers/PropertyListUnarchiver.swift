import Foundation
import GranaryBase
import GranaryPropertyLists

/// Decodes a keyed archive of property-list classes as Swift values. Classes are identified by name and never
/// instantiated.
struct PropertyListUnarchiver {
    private enum Kind {
        case scalar(any Sendable)
        case array
        case textDictionary([String])
        case numberDictionary([Int64])
        case entries([String])
    }

    private let archive: KeyedArchive
    private var budget: PropertyListBudget
    /// The collections that contain the value that is being decoded.
    private var path: [KeyedArchive.Item] = []

    /// Whether keys that differ only by normalisation are kept as ``ArchivedEntries``; otherwise they are an error.
    private var keepsEqualKeys = false

    private init(_ archive: KeyedArchive, _ budget: PropertyListBudget) {
        self.archive = archive
        self.budget = budget
    }

    /// - Throws: ``GranaryError`` with code `refused`: `plist.syntax` or `limit.exceeded`.
    static func value(of data: Data, keepsEqualKeys: Bool = false) throws(GranaryError) -> any Sendable {
        let archive = try KeyedArchive(
            Array(data), source: "keyed archive", limits: PropertyListBudget.listLimits(archiveBytes: data.count))
        guard let root = try archive.top() else {
            guard try archive.topKeys().contains("root") else {
                throw GranaryError(Diagnostic(.plistSyntax, "the keyed archive has no object \"root\""))
            }
            return ArchivedNull()
        }
        var unarchiver = PropertyListUnarchiver(archive, PropertyListBudget(archiveBytes: data.count))
        unarchiver.keepsEqualKeys = keepsEqualKeys
        return try unarchiver.value(of: root)
    }

    /// Recurses once for each level of collections.
    private mutating func value(of item: KeyedArchive.Item) throws(GranaryError) -> any Sendable {
        let (kind, members) = try read(item)
        if case .scalar(let value) = kind { return value }
        try budget.charge()
        try PropertyListBudget.checkDepth(path.count)
        guard !path.contains(item) else { throw archive.error("a collection that contains itself", at: item) }
        path.append(item)
        var values: [any Sendable] = []
        for member in members { values.append(try value(of: member)) }
        path.removeLast()
        return Self.close(kind, values)
    }

    private static func close(_ kind: Kind, _ values: [any Sendable]) -> any Sendable {
        switch kind {
        case .scalar(let value): return value
        case .array: return values
        case .textDictionary(let keys): return Dictionary(zip(keys, values)) { first, _ in first }
        case .numberDictionary(let keys): return Dictionary(zip(keys, values)) { first, _ in first }
        case .entries(let keys): return ArchivedEntries(names: keys, values: values)
        }
    }

    /// Returns the members of a collection too; those of a dictionary are its values.
    private mutating func read(_ item: KeyedArchive.Item) throws(GranaryError) -> (Kind, [KeyedArchive.Item]) {
        let result: any Sendable
        var bytes = 0
        switch try archive.value(item) {
        case .null: result = ArchivedNull()
        case .boolean(let value): result = value
        case .integer(let value): result = value
        case .unsigned(let value): result = value
        case .real(let value): result = value
        case .decimal(let value): result = value.foundationDecimal
        case .date(let seconds): result = Date(timeIntervalSinceReferenceDate: seconds)
        case .uuid(let value): result = value
        case .string(let value):
            result = value
            bytes = value.utf8.count
        case .data(let value):
            result = Data(value)
            bytes = value.count
        case .url(let relative, let base):
            result = try url(relative, base, at: item)
            bytes = relative.utf8.count
        case .array(let items), .set(let items), .orderedSet(let items): return (.array, items)
        case .dictionary(let entries): return (try keys(entries.map(\.key), of: item), entries.map(\.value))
        case .object(let className):
            throw archive.error(
                "an object of the class \"\(Diagnostic.shortened(className))\", which is not a property-list class; "
                    + "the attribute needs a custom transformer", at: item)
        }
        try budget.charge(bytes: bytes)
        return (.scalar(result), [])
    }

    private func url(
        _ relative: String, _ base: KeyedArchive.Item?, at item: KeyedArchive.Item
    ) throws(GranaryError) -> URL {
        var baseURL: URL?
        if let base {
            guard case .url(let text, nil) = try archive.value(base), let url = URL(string: text) else {
                throw archive.error("the base of a URL is not an absolute URL", at: base)
            }
            baseURL = url
        }
        // Foundation escapes invalid characters, which would give another URL than the archived one.
        guard let url = URL(string: relative, relativeTo: baseURL),
            url.relativeString.utf8.elementsEqual(relative.utf8)
        else { throw archive.error("\"\(Diagnostic.shortened(relative))\" is not a URL", at: item) }
        return url
    }

    private mutating func keys(
        _ items: [KeyedArchive.Item], of dictionary: KeyedArchive.Item
    ) throws(GranaryError) -> Kind {
        var texts: [String] = []
        var numbers: [Int64] = []
        for item in items {
            switch try archive.value(item) {
            case .string(let text):
                try budget.charge(bytes: text.utf8.count)
                texts.append(text)
            case .integer(let number):
                try budget.charge()
                numbers.append(number)
            default: throw archive.error("a dictionary key that is neither a string nor an integer", at: item)
            }
        }
        guard texts.isEmpty || numbers.isEmpty else {
            throw archive.error("a dictionary with both strings and integers as keys", at: dictionary)
        }
        // Swift treats composed and decomposed letters as equal, Apple's dictionaries do not. No entry may be dropped.
        if keepsEqualKeys, numbers.isEmpty, Set(texts).count < texts.count, ArchivedEntries.areDistinct(texts) {
            return .entries(texts)
        }
        guard Set(texts).count == texts.count, Set(numbers).count == numbers.count else {
            throw archive.error("a dictionary with a duplicate key", at: dictionary)
        }
        return numbers.isEmpty ? .textDictionary(texts) : .numberDictionary(numbers)
    }
}
