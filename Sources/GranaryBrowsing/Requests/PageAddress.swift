import GranaryBase

/// A page of the browser: its path and the items of its query.
///
/// All names are in the query, because browsers change paths: an entity named `..` would lead elsewhere.
struct PageAddress: Hashable {
    /// The maximum number of bytes of an address.
    static let limit = 8 << 10
    /// The maximum number of items of a query.
    static let itemLimit = 600

    struct Item: Hashable {
        var name: String
        var value: String
    }

    var path: String
    var items: [Item]

    init(_ path: String, _ items: [(String, String)] = []) {
        self.path = path
        self.items = items.map { Item(name: $0.0, value: $0.1) }
    }

    /// Parses the target of a request; nil if it is too long or malformed.
    init?(target: String) {
        guard target.utf8.count <= Self.limit, target.hasPrefix("/") else { return nil }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let path = PercentText.decoded(first) else { return nil }
        self.path = path
        items = []
        guard parts.count == 2 else { return }
        for part in parts[1].split(separator: "&") {
            guard items.count < Self.itemLimit else { return nil }
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = pair.first.flatMap(PercentText.decoded),
                let value = pair.count == 2 ? PercentText.decoded(pair[1]) : ""
            else { return nil }
            items.append(Item(name: name, value: value))
        }
    }

    /// The first value of a name; nil if there is none, or an empty one.
    subscript(_ name: String) -> String? {
        items.first { $0.name == name }.flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    /// The values of a name that are not empty.
    func all(_ name: String) -> [String] { items.filter { $0.name == name && !$0.value.isEmpty }.map(\.value) }

    /// The address without the items of some names.
    func without(_ names: String...) -> PageAddress {
        var copy = self
        copy.items.removeAll { names.contains($0.name) }
        return copy
    }

    /// The address with an item in place of those of its name; without it for nil.
    func with(_ name: String, _ value: String?) -> PageAddress {
        var copy = without(name)
        if let value { copy.items.append(Item(name: name, value: value)) }
        return copy
    }

    /// The address as text, percent-encoded.
    var text: String {
        let query = items.map { "\(PercentText.encoded($0.name))=\(PercentText.encoded($0.value))" }
        return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
    }

    /// The address as the value of an attribute of HTML.
    var attribute: String { MarkupText.escaped(text) }
}
