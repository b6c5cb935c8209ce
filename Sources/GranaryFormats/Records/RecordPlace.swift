/// A place of records in a JSON document or a property list.
public struct RecordPlace: Sendable, Hashable {
    /// The names of the members that lead to the records, separated by dots, such as `data.items`. A number is an
    /// element of an array, from 0. `.` is the document itself.
    ///
    /// At the end of the path is an array of records, an object whose members are records
    /// (``SourceOptions/recordKey``), or an object that is one record.
    public var path: String
    /// The entity of the records; nil for the entity of the import.
    public var entity: String?

    /// Creates a place.
    public init(_ path: String, entity: String? = nil) {
        self.path = path
        self.entity = entity
    }

    /// The path of the document itself.
    package static let document = "."

    /// The names in the path. The name of a member can have dots, so one member can have several of them.
    package var names: [String] {
        path == Self.document ? [] : path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    }
}

extension [RecordPlace] {
    /// Why the places cannot be read in one pass; nil if they can.
    package var problem: String? {
        if let place = first(where: { $0.names.contains("") }) {
            return "\"\(place.path)\" contains an empty name; write names with dots between them, such as data.items"
        }
        for (index, place) in enumerated() {
            let names = place.names
            for (other, candidate) in enumerated() where other != index && candidate.names.starts(with: names) {
                return place.path == candidate.path
                    ? "names \"\(place.path)\" twice"
                    : "\"\(candidate.path)\" is inside \"\(place.path)\", and records are read only once"
            }
        }
        return nil
    }
}
