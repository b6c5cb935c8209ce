import GranaryBase

/// A place in a document that is one object, in which there are objects that could be its records. It is only used in
/// messages.
package struct WrappedRecords: Sendable, Equatable {
    /// The names of the members that lead to the objects.
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

    /// Says where the records are and what to do.
    package var advice: String {
        let place = path.isEmpty ? "the document" : "\"\(Diagnostic.shortened(path.joined(separator: ".")))\""
        guard isKeyed else { return "the records are in \(place); write this array to a file of its own" }
        let more = isWeak ? "" : ", …"
        let example = firstName.map { " (\"\(Diagnostic.shortened($0))\"\(more))" } ?? ""
        return "the records are the members of \(place)\(example); write them as an array to a file of its own"
    }
}

extension [WrappedRecords] {
    /// What to append to the message about a document that is one object and too large for a record; nil if there is no
    /// place of records.
    var adviceForSize: String? {
        guard let place = first(where: { !$0.isWeak }) else { return nil }
        return "; the document is one object, which is read as one record; \(place.advice)"
    }
}
