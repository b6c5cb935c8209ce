/// The namespace prefixes that the open elements declare.
///
/// Names keep their prefixes. The only check is that each prefix is declared.
struct XMLNamespaces {
    /// How many open elements declare each prefix.
    private var counts: [ArraySlice<UInt8>: Int] = [:]
    private var declared: [(depth: Int, prefix: ArraySlice<UInt8>)] = []

    private static let declaration = Array("xmlns".utf8)
    private static let predefined = Array("xml".utf8)

    /// Declares the prefix of an attribute `xmlns:prefix`; other attributes are ignored.
    mutating func declare(_ attribute: ArraySlice<UInt8>, depth: Int) {
        guard let colon = attribute.firstIndex(of: UInt8(ascii: ":")),
            attribute[..<colon].elementsEqual(Self.declaration)
        else { return }
        // The prefix is copied: a slice would keep the window's bytes in memory.
        let prefix = Array(attribute[(colon + 1)...])[...]
        counts[prefix, default: 0] += 1
        declared.append((depth, prefix))
    }

    /// Removes the prefixes that elements at this depth or deeper have declared.
    mutating func close(depth: Int) {
        while let last = declared.last, last.depth >= depth {
            declared.removeLast()
            guard let count = counts[last.prefix] else { continue }
            counts[last.prefix] = count > 1 ? count - 1 : nil
        }
    }

    /// Whether a name has no prefix, or a declared one and a local part.
    func allows(_ name: ArraySlice<UInt8>) -> Bool {
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else { return true }
        let prefix = name[..<colon]
        let local = name[(colon + 1)...]
        guard !local.isEmpty, !local.contains(UInt8(ascii: ":")) else { return false }
        return counts[prefix] != nil || prefix.elementsEqual(Self.declaration)
            || prefix.elementsEqual(Self.predefined)
    }
}
