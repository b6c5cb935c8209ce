import GranaryBase
import GranaryFormats
import GranaryModel

/// The fields of a file's records, by column. Members of objects have columns of their own, such as `contact.email`;
/// those in lists have none.
struct RecordSurvey {
    private(set) var records = 0
    private(set) var malformed = 0
    private(set) var firstProblem: Diagnostic?
    private(set) var columns: [ColumnSurvey] = []
    /// Whether a text or a name has U+0000.
    private(set) var hasNUL = false

    /// The apostrophes that an export for spreadsheets adds.
    private(set) var guards = FormulaGuards()

    private let entity: Schema.Entity?
    private let nulls: [String]?
    /// The indexes of the records' own columns, by column of the reader; -1 for none.
    private var roots: [Int] = []
    /// The indexes of the members of objects: by the column that has the objects, and the column of the reader.
    private var members: [[Int]: Int] = [:]
    /// The columns that have the nested objects of a record; -1 for objects that are not looked at.
    private var owners: [Int] = []

    /// More members are probably keys.
    private static let mostMembers = 1_000

    /// Reads all records.
    ///
    /// - Parameters:
    ///   - entity: the entity of the records; nil without a model.
    ///   - nulls: the texts that are NULL, if they are given.
    /// - Throws: ``GranaryError`` as reading throws.
    init(_ reader: any RecordReader, entity: Schema.Entity?, nulls: [String]?, isDelimited: Bool) throws(GranaryError) {
        self.entity = entity
        self.nulls = nulls
        var record = Record()
        try reader.readHeader()
        // The header of a table names columns that no record may have.
        if isDelimited { for column in reader.columns.indices { _ = root(column, reader) } }
        hasNUL = reader.columns.contains { $0.utf8.contains(0) }
        reading: while true {
            if records & 0xFFF == 0 { try Cancellation.current?.check() }
            switch try reader.next(into: &record) {
            case .end: break reading
            case .malformed(let diagnostic):
                records += 1
                malformed += 1
                if firstProblem == nil { firstProblem = diagnostic }
            case .record:
                records += 1
                if !hasNUL, record.bytes.contains(0) { hasNUL = true }
                add(record, reader)
            }
        }
    }

    private mutating func add(_ record: Record, _ reader: any RecordReader) {
        record.bytes.withUnsafeBufferPointer { bytes in
            for field in record.fields where !field.isElement {
                let index = root(Int(field.column), reader)
                guard index >= 0 else { continue }
                let text = UnsafeBufferPointer(rebasing: bytes[field.range])
                columns[index].add(field.kind, text)
                if field.kind == .text || field.kind == .quoted { guards.add(text) }
            }
            // Without a model nothing says which members matter.
            guard !record.nested.isEmpty, entity != nil else { return }
            owners.removeAll(keepingCapacity: true)
            for object in record.nested {
                let parent =
                    object.parent < 0 ? root(Int(object.column), reader) : owners[Int(object.parent)]
                guard parent >= 0, !object.isElement else {
                    owners.append(-1)
                    continue
                }
                let owner = object.parent < 0 ? parent : member(Int(object.column), of: parent, reader)
                owners.append(owner)
                guard owner >= 0 else { continue }
                for field in record.nestedFields[Int(object.fieldsStart)..<Int(object.fieldsEnd)]
                where !field.isElement {
                    let index = member(Int(field.column), of: owner, reader)
                    guard index >= 0 else { continue }
                    columns[index].add(field.kind, UnsafeBufferPointer(rebasing: bytes[field.range]))
                }
            }
        }
    }

    private mutating func root(_ column: Int, _ reader: any RecordReader) -> Int {
        if column < roots.count, roots[column] >= 0 { return roots[column] }
        let names = reader.columns
        guard names.indices.contains(column) else { return -1 }
        while roots.count <= column { roots.append(-1) }
        roots[column] = columns.count
        columns.append(ColumnSurvey(names[column], reads: reads(names[column]), nulls: nulls))
        return roots[column]
    }

    private mutating func member(_ column: Int, of owner: Int, _ reader: any RecordReader) -> Int {
        if let known = members[[owner, column]] { return known }
        let names = reader.columns
        guard names.indices.contains(column), members.count < Self.mostMembers else { return -1 }
        members[[owner, column]] = columns.count
        columns.append(
            ColumnSurvey(
                "\(columns[owner].name).\(names[column])", member: names[column], of: owner,
                reads: reads(names[column]),
                nulls: nulls))
        return columns.count - 1
    }

    /// What of the fields of a column matters. The texts of a text attribute are not read as numbers and dates.
    private func reads(_ name: String) -> ColumnSurvey.Reading {
        guard let entity, let property = ColumnMatching.property(name, of: entity) else { return .all }
        switch SurveyedColumn.role(of: property, entity) {
        case .number: return .numbers
        case .date: return .dates
        case .boolean: return .booleans
        case .reference: return .lists
        case .text, .other: return .nothing
        case .unknown: return .all
        }
    }
}
