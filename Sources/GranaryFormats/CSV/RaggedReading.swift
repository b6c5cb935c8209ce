/// The probable mistake in a row with one field too few or too many, found with the types of its columns.
///
/// Nothing is repaired. The work is bounded by limits for the row's size.
struct RaggedReading {
    /// One change after which every field would fit its column.
    enum Repair: Equatable {
        /// A delimiter is missing in a field, after `count` of its bytes.
        case split(field: Int, count: Int)
        /// A field and the next one are one text that contains a delimiter.
        case join(field: Int)
        /// An empty field is superfluous.
        case drop(field: Int)
    }

    private static let maximumFields = 200
    private static let maximumBytes = 10_000
    /// Longer fields are not searched for a missing delimiter.
    private static let maximumSplitBytes = 200

    /// The only change that makes the row fit; nil if there is none or more than one.
    private(set) var repair: Repair?
    /// The first field that its column rejects.
    private(set) var rejected: Int?

    private let record: Record
    private let width: Int
    private let delimiter: UInt8
    private let judge: any FieldTypeCheck
    private var repairs = 0

    /// Examines a row. Nil if the row is too large.
    init?(_ record: Record, width: Int, delimiter: UInt8, judge: any FieldTypeCheck) {
        guard record.fields.count <= Self.maximumFields, record.bytes.count <= Self.maximumBytes else { return nil }
        self.record = record
        self.width = width
        self.delimiter = delimiter
        self.judge = judge
        let count = record.fields.count
        let common = min(count, width)
        var head = 0
        while head < common, accepts(head, column: head) { head += 1 }
        if head < common { rejected = head }
        let shift = width - count
        guard abs(shift) == 1, head < count else { return }
        // The fields from here on fit the columns that the change gives them.
        var tail = count
        while tail > max(0, -shift), accepts(tail - 1, column: tail - 1 + shift) { tail -= 1 }
        for index in 0...head where repairs < 2 && record.fields[index].kind == .text {
            if shift > 0 { split(index, tail) } else { join(index, tail) }
        }
        if repairs > 1 { repair = nil }
    }

    /// The text that ``Repair/join(field:)`` makes.
    func joined(_ field: Int) -> [UInt8] {
        record.bytes[record.fields[field].range] + [delimiter] + record.bytes[record.fields[field + 1].range]
    }

    /// Tries a delimiter at every offset of a field.
    private mutating func split(_ index: Int, _ tail: Int) {
        let field = record.fields[index]
        guard index + 1 >= tail, field.end - field.start <= Self.maximumSplitBytes else { return }
        var (left, right) = (field, field)
        // An empty part would mean a missing value, not a missing delimiter.
        var place = field.start + 1
        while place < field.end, repairs < 2 {
            // Between characters only.
            if record.bytes[Int(place)] & 0xC0 != 0x80 {
                left.end = place
                right.start = place
                if accepts(left, column: index), accepts(right, column: index + 1) {
                    found(.split(field: index, count: Int(place - field.start)))
                }
            }
            place += 1
        }
    }

    /// Tries a field joined with the next one, or the row without it if it is empty.
    private mutating func join(_ index: Int, _ tail: Int) {
        if isEmpty(index) {
            // For adjacent empty fields only the first is a candidate.
            if index + 1 >= tail, index == 0 || !isEmpty(index - 1) { found(.drop(field: index)) }
            return
        }
        guard index + 1 < record.fields.count, index + 2 >= tail, record.fields[index + 1].kind == .text,
            !isEmpty(index + 1)
        else { return }
        let text = joined(index)
        let field = Record.Field(
            kind: .quoted, column: Int32(truncatingIfNeeded: index), start: 0,
            end: Int32(truncatingIfNeeded: text.count), rawStart: 0)
        if text.withUnsafeBufferPointer({ judge.accepts(field, $0, column: index) }) { found(.join(field: index)) }
    }

    private mutating func found(_ repair: Repair) {
        repairs += 1
        self.repair = repair
    }

    private func isEmpty(_ index: Int) -> Bool {
        let field = record.fields[index]
        return field.kind == .text && field.start == field.end
    }

    private func accepts(_ index: Int, column: Int) -> Bool { accepts(record.fields[index], column: column) }

    private func accepts(_ field: Record.Field, column: Int) -> Bool {
        record.bytes.withUnsafeBufferPointer { judge.accepts(field, $0, column: column) }
    }
}
