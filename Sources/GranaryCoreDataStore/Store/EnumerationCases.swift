import GranaryCoordination
import GranaryModel

/// The cases of the enumerations of an entity (``Schema/Attribute/cases``). Each case has a column, which has the name of
/// the case in the objects of this case and NULL in all others.
struct EnumerationCases: Sendable {
    /// The names of the cases, by the slot of the attribute.
    private let names: [Int: [[UInt8]]]

    init(of entity: Schema.Entity) {
        var names: [Int: [[UInt8]]] = [:]
        for attribute in entity.attributes {
            if let cases = attribute.cases { names[attribute.slot] = cases.map { Array($0.utf8) } }
        }
        self.names = names
    }

    /// Whether a value is the case of a column.
    ///
    /// - Parameter number: the index of the case.
    /// - Throws: ``CellRefusal`` for a value that is no case, which no column could hold.
    func isChosen(_ value: UnsafeBufferPointer<UInt8>, number: Int32, slot: Int) throws(CellRefusal) -> Bool {
        let cases = names[slot] ?? []
        let number = Int(number)
        if cases.indices.contains(number), cases[number].elementsEqual(value) { return true }
        // The first column of the attribute finds a value for which there is none.
        guard number == 0, !cases.contains(where: { $0.elementsEqual(value) }) else { return false }
        throw .unknownCase(String(decoding: value, as: UTF8.self))
    }
}
