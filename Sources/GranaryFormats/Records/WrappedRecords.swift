import GranaryBase

/// A place in a document that is one object, in which there are objects that could be its records. It is only used in
/// messages.
package struct WrappedRecords: Sendable, Equatable {
    /// The names of the members that lead to the examined object.
    package let base: [String]
    /// The names of its members that lead to the objects.
    package let path: [String]
    /// Whether the objects are the values of an object's members, for example of one whose names are identifiers.
    /// Otherwise they are the elements of an array.
    package let isKeyed: Bool
    /// The members of the first of the objects.
    package let members: [String]
    /// The name of the first of the objects, if they are the values of an object.
    package let firstName: String?
    /// Whether the place is an empty array, or an object with one member. It is the place of the records only if the
    /// document has nothing else that could be.
    package let isWeak: Bool
    /// Whether the objects are members of one object, and the first two have most of their own members in common.
    package var areAlike = false

    /// Says where the records are.
    package var advice: String {
        let text = fullPath
        let place = text == RecordPlace.document ? "the document" : "\"\(Diagnostic.shortened(text))\""
        guard isKeyed else { return "the records are in \(place)" }
        let more = isWeak ? "" : ", …"
        let example = firstName.map { " (\"\(Diagnostic.shortened($0))\"\(more))" } ?? ""
        return "the records are the members of \(place)\(example)"
    }

    /// The path for ``RecordPlace``.
    package var fullPath: String {
        let names = base + path
        return names.isEmpty ? RecordPlace.document : names.joined(separator: ".")
    }

    /// The options that read the records.
    ///
    /// - Parameter key: the column for the names of records that are members.
    package func help(key: String) -> String? {
        var options: [String?] = []
        if fullPath != RecordPlace.document { options.append(OptionHelp.option("records", fullPath)) }
        if isKeyed { options.append(OptionHelp.option("record-key", key)) }
        return OptionHelp.all(options)
    }
}

extension [WrappedRecords] {
    /// What to append to the message about a document that is one object and too large for a record; nil if there is no
    /// place of records.
    private var adviceForSize: String? {
        guard let place = first(where: { !$0.isWeak }) else { return nil }
        return "; the document is one object, which is read as one record; \(place.advice)"
    }

    /// Adds to a diagnostic about such a document where the records are.
    func advise(_ diagnostic: inout Diagnostic) {
        guard let advice = adviceForSize else { return }
        diagnostic.message += advice
        guard diagnostic.help == nil, let place = first(where: { !$0.isWeak }), !place.isKeyed else { return }
        diagnostic.help = place.help(key: "")
    }
}
