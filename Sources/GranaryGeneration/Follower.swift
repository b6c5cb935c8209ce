import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// An attribute whose values follow from other values of the same object, which are set before.
final class Follower: Sendable {
    enum Rule: Sendable {
        /// An e-mail address from the names of a person.
        case address(PersonAddress)
        /// The first and last name of a person.
        case wholeName(Writing)
        /// The given name of a whole name: usually its first word.
        case firstName(Writing)
        /// The rest of a whole name.
        case lastName(Writing)
        /// The value of a kind of the place of a city.
        case place(TextKind, [String: Place])
    }

    /// Decides which values are NULL, and has the values of objects for which the rule gives none.
    let column: GenerationPlan.Column
    private let rule: Rule
    /// The slots of the other attributes.
    let leaders: [Int]

    init(_ column: GenerationPlan.Column, _ rule: Rule, leaders: [Schema.Attribute]) {
        self.column = column
        self.rule = rule
        self.leaders = leaders.map(\.slot)
    }

    /// Sets the value of an object.
    ///
    /// - Throws: as ``GenerationPlan/Column/fill(_:_:of:_:)``.
    func fill(
        _ number: UInt64, _ row: Int, of batch: inout RowBatch, _ entity: Schema.Entity
    ) throws(GranaryError) {
        if column.isNull(number) { return }
        if case .place(let kind, let places) = rule, let place = place(places, row, of: batch) {
            let draw = column.values.number(number, draw: 1, below: Place.postcodeDraws)
            let attribute = column.attribute
            let isValid = place.value(kind, draw, attribute.type).withBorrowed { value in
                guard attribute.validator.violations(of: value).isEmpty else { return false }
                batch.set(value, row: row, slot: attribute.slot)
                return true
            }
            if isValid { return }
        }
        guard let text = text(number, row, of: batch) else { return try column.fill(number, row, of: &batch, entity) }
        let attribute = column.attribute
        let isValid = text.withUnsafeBufferPointer { bytes in
            guard attribute.validator.violations(of: .text(bytes)).isEmpty else { return false }
            batch.set(.text(bytes), row: row, slot: attribute.slot)
            return true
        }
        if !isValid { try column.fill(number, row, of: &batch, entity) }
    }

    private func text(_ number: UInt64, _ row: Int, of batch: RowBatch) -> [UInt8]? {
        switch rule {
        case .address(let address): return address.address(of: leaders.map { batch.textBytes(row, $0) }, number)
        case .wholeName(let writing):
            let names = leaders.map { batch.textBytes(row, $0) }
            guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else { return nil }
            return writing.wholeName(first: names[0], last: names[1])
        case .firstName(let writing): return parts(row, of: batch, writing).map { Array($0.first) }
        case .lastName(let writing): return parts(row, of: batch, writing).map { Array($0.last) }
        case .place: return nil
        }
    }

    /// Whether the value is a part of a name, from which other values can follow.
    var isPartOfName: Bool {
        switch rule {
        case .firstName, .lastName: true
        case .address, .wholeName, .place: false
        }
    }

    /// The parts of the object's whole name; nil if it has only one.
    private func parts(
        _ row: Int, of batch: RowBatch, _ writing: Writing
    ) -> (first: ArraySlice<UInt8>, last: ArraySlice<UInt8>)? {
        leaders.first.flatMap { writing.parts(of: batch.textBytes(row, $0)) }
    }

    /// The place of the object's city, also if the city has a number to be unique, such as `Bath 2`.
    private func place(_ places: [String: Place], _ row: Int, of batch: RowBatch) -> Place? {
        let city = leaders.first.map { String(decoding: batch.textBytes(row, $0), as: UTF8.self) } ?? ""
        if let place = places[city] { return place }
        guard let space = city.lastIndex(of: " ") else { return nil }
        return places[String(city[..<space])]
    }
}

extension RowBatch {
    /// The bytes of a text; empty for other cells.
    fileprivate func textBytes(_ row: Int, _ slot: Int) -> ArraySlice<UInt8> {
        guard case .text(let start, let count) = self[row, slot] else { return [] }
        return bytes[Int(start)..<Int(start) + Int(count)]
    }

    /// The texts of a row, for names of a person.
    func texts(_ row: Int, _ slots: [Int]) -> [ArraySlice<UInt8>] { slots.map { textBytes(row, $0) } }
}
