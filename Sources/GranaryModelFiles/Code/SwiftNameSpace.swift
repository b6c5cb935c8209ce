import GranaryBase

/// Identifiers that are taken, so that each is given once.
struct SwiftNameSpace {
    private var taken: Set<String>
    /// Whether names that differ only in case are the same, because they become names of files.
    private let ignoresCase: Bool

    init(taken: Set<String> = [], ignoresCase: Bool = false) {
        self.taken = ignoresCase ? Set(taken.map { $0.lowercased() }) : taken
        self.ignoresCase = ignoresCase
    }

    func contains(_ identifier: String) -> Bool { taken.contains(ignoresCase ? identifier.lowercased() : identifier) }

    /// Takes an identifier, with `_` and, if needed, a number after it until it is free.
    mutating func take(_ identifier: String, unless isForbidden: (String) -> Bool = { _ in false }) -> String {
        var result = identifier
        var number = 1
        while contains(result) || isForbidden(result) {
            result = number == 1 ? identifier + "_" : "\(identifier)_\(number)"
            number += 1
        }
        taken.insert(ignoresCase ? result.lowercased() : result)
        return result
    }
}
