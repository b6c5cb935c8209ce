import GranaryBase
import GranaryFormats
import GranaryModel

/// The meaning of the members of rejected records by the model and the options of their import.
///
/// It decides which values a rejects file can have in another form than their source: the cell of a table that comes
/// from JSON, or the Base64 of a blob.
final class RejectedProperties {
    enum Role: Equatable {
        case attribute(AttributeType)
        case toOne
        case toMany
        /// The options ignore the member.
        case ignored
        /// No property, or a special name such as `$id`.
        case other
    }

    struct Member {
        var role = Role.other
        /// An unquoted field that is NULL; nil if a table cannot have one.
        var null: [UInt8]? = []
        var nulls: NullTexts?
        /// Whether the column's numbers are written as those of JSON.
        var hasPlainNumbers = true
        /// Whether the column's bytes are written in hexadecimal.
        var isHex = false

        /// Whether a field without quotes is NULL.
        func isNull(_ text: [UInt8]) -> Bool {
            guard let nulls else { return text.isEmpty }
            return text.withUnsafeBufferPointer { nulls.contains($0) }
        }
    }

    private let schema: Schema
    private let options: ImportOptions
    /// The entity of records for which the source names none.
    private let entity: Schema.Entity?
    private var known: [Key: Member] = [:]

    private struct Key: Hashable {
        let entity: String?
        let member: [UInt8]
    }

    init(schema: Schema, options: ImportOptions, entity: Schema.Entity?) {
        self.schema = schema
        self.options = options
        self.entity = entity
    }

    /// The separator of the elements of a list in one field, as a byte.
    var listSeparator: UInt8 { options.listSeparator }

    /// - Parameter entity: the entity of the record; nil if the source does not name it.
    func member(_ name: [UInt8], entity: String? = nil) -> Member {
        let key = Key(entity: entity, member: name)
        if let member = known[key] { return member }
        let member = find(String(decoding: name, as: UTF8.self), entity)
        known[key] = member
        return member
    }

    private func find(_ name: String, _ entityName: String?) -> Member {
        guard let entity = entityName.flatMap({ schema.entity(named: $0) }) ?? entity else { return Member() }
        var member = Member()
        // The record can be an object of a subentity, which it names in its member `$entity`.
        for index in entity.family {
            let plan = ColumnPlan(entity: schema.entities[index], schema: schema, options: options)
            if plan.options.ignores(name) {
                member.role = .ignored
                return member
            }
            let column = plan.options.columnOptions[name]
            let nulls = NullTexts(plan.options, column)
            member.nulls = nulls
            member.null = (column?.nullTexts ?? plan.options.nullTexts).map { Array($0.utf8) }.first { text in
                !text.contains { $0 == 0x2C || $0 == 0x22 || $0 == 0x0A || $0 == 0x0D }
            }
            member.hasPlainNumbers =
                (column?.decimalSeparator ?? plan.options.decimalSeparator) == "."
                && (column?.groupSeparator ?? plan.options.groupSeparator) == nil
            member.isHex = (column?.binaryFormat ?? plan.options.binaryFormat) == .hex
            // Errors in a column's options were reported when the column was resolved.
            guard let property = try? plan.property(of: name) else { continue }
            switch plan.entity.property(named: property) {
            case .attribute(let index)?: member.role = .attribute(plan.entity.attributes[index].type)
            case .relationship(let index)?:
                member.role = plan.entity.relationships[index].isToMany ? .toMany : .toOne
            case nil: continue
            }
            return member
        }
        if member.role == .other, options.ignoresOtherColumns, name.utf8.first != UInt8(ascii: "$") {
            member.role = .ignored
        }
        return member
    }
}
