import GranaryBase

/// The records of one kind: those of a file, of one entity in a document, or of the objects in one member.
struct EntityProfile {
    /// What the entity's name is made of: a file's name, an entity in a document, a member.
    let baseName: String
    /// The place of the objects, for the comment: `airports.csv`.
    let place: String
    /// The index of the source.
    let source: Int
    /// Whether the document names the entity, so that the model must have the same name.
    let isNamed: Bool
    /// The profile and the column that hold the objects; nil for records.
    let parent: (profile: Int, column: Int)?
    /// The column whose values are the objects, for an entity that no file describes; nil for records and objects.
    private(set) var valuesOf: String?
    /// Whether the entity is that of a source's records.
    var isOfRecords: Bool { parent == nil && valuesOf == nil }
    private(set) var count = 0
    /// The columns by their index in the reader.
    private(set) var columns: [Int: ColumnProfile] = [:]
    /// The indexes of the columns in the order in which they were found.
    private(set) var order: [Int] = []
    /// The column that the last value was of, and its record, to find the first value of a list.
    private var last: (column: Int, record: Int) = (-1, -1)
    /// The references that a database declares, by column.
    var declared: [Int: (profile: Int, column: Int)] = [:]
    /// The columns that a database declares as NOT NULL.
    var required: Set<Int> = []
    /// Whether a database declares what is required.
    var isDeclared = false
    /// The lengths that a database declares.
    var declaredLengths: [Int: Int] = [:]
    /// The columns that a database declares as Booleans, which it stores as 0 and 1.
    var declaredBooleans: Set<Int> = []
    /// The primary key and the unique indexes of a database, as columns.
    var declaredKeys: [[Int]] = []

    /// For objects in members: the hashes of their keys; nil if two objects have one key and different values in a member,
    /// or if there are too many. A member that an object does not have can have any value: short and full forms are one.
    private(set) var objects: Set<UInt64>? = []
    /// The hash of each member's value, by the hash of the key and the column.
    private var members: [UInt64: UInt64] = [:]

    init(
        baseName: String, place: String, source: Int, isNamed: Bool = false, parent: (profile: Int, column: Int)? = nil
    ) {
        self.baseName = baseName
        self.place = place
        self.source = source
        self.isNamed = isNamed
        self.parent = parent
    }

    /// Creates the profile of an entity whose objects are the values of a column.
    init(valuesOf owner: EntityProfile, column: Int, _ values: ColumnProfile, as name: String) {
        let title = owner.columns[column]?.name ?? name
        self.init(baseName: name, place: owner.place, source: owner.source, isNamed: true, parent: nil)
        valuesOf = title
        required = [0]
        addColumn(0, values)
    }

    mutating func addRecord() {
        count += 1
        last = (-1, -1)
    }

    /// Adds the key and the values of an object in a member; returns the number of hashes that this adds.
    mutating func addObject(key: UInt64?, values: [(column: Int, hash: UInt64)]) -> Int {
        guard let key, objects != nil else { return forgetObjects() }
        var added = objects?.insert(key).inserted == true ? 1 : 0
        for value in values {
            let place = key ^ UInt64(truncatingIfNeeded: value.column + 1) &* 0x9E37_79B9_7F4A_7C15
            switch members.updateValue(value.hash, forKey: place) {
            case nil: added += 1
            case let other? where other != value.hash: return added + forgetObjects()
            default: break
            }
        }
        return added
    }

    private mutating func forgetObjects() -> Int {
        let count = (objects?.count ?? 0) + members.count
        objects = nil
        members = [:]
        return -count
    }

    /// Whether no object is in two records; false if that is not known.
    var hasUniqueObjects: Bool { objects.map { $0.count == count && count > 1 } ?? false }

    /// The number of objects in members that are objects of another kind with the same members too; 0 if the members
    /// differ.
    func shared(with other: EntityProfile) -> Int {
        guard let objects, let others = other.objects,
            Set(columns.values.map { ProposedNames.folded($0.name) })
                == Set(other.columns.values.map { ProposedNames.folded($0.name) })
        else { return 0 }
        return objects.intersection(others).count
    }

    /// The column whose name is that of a key, for objects in members.
    var keyColumnByName: Int? {
        order.first { index in
            columns[index].map { ProposedNames.identityNames.contains(ProposedNames.folded($0.name)) } ?? false
        }
    }

    mutating func addColumn(_ index: Int, _ profile: ColumnProfile) {
        if columns[index] == nil { order.append(index) }
        columns[index] = profile
    }

    /// Changes the profile of a column, which is added if it is new.
    ///
    /// - Parameter body: receives whether the value is the first one of its record in this column.
    mutating func update(_ index: Int, name: String, _ body: (inout ColumnProfile, Bool) -> Void) {
        if columns[index] == nil { addColumn(index, ColumnProfile(name: name)) }
        let isFirst = last != (index, count)
        last = (index, count)
        if columns[index] != nil { body(&columns[index, default: ColumnProfile(name: name)], isFirst) }
    }

    /// Whether each record has a value.
    func isRequired(_ column: Int) -> Bool {
        if required.contains(column) { return true }
        if isDeclared { return false }
        return count > 0 && columns[column]?.count == count
    }
}
