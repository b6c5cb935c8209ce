import Foundation
package import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
package import GranaryModel

/// The values of a few objects before and after they are treated as decided. Nothing is written.
package struct AnonymisationPreview: Sendable, Encodable {
    /// A value of an object.
    package struct Value: Sendable, Hashable, Encodable {
        package let attribute: String
        /// Nil for NULL.
        package let before: String?
        /// Nil for NULL, and with a problem.
        package let after: String?
        /// Why the value cannot be treated as decided.
        package let problem: String?
        /// Whether the decision keeps the value.
        package let isKept: Bool
    }

    /// An object, such as `Patient/p1`.
    package struct Object: Sendable, Encodable {
        package let object: String
        package let values: [Value]
    }

    /// The number of objects of each entity: the first ones by their keys.
    package static let objectsOfEntity = 10

    package private(set) var objects: [Object] = []

    /// The number of values that cannot be treated as decided.
    package var problems: Int { objects.reduce(0) { $0 + $1.values.count { $0.problem != nil } } }

    /// Reads objects of a store. Without a key and a number, the replacements are those of the number 0.
    ///
    /// - Throws: ``GranaryError``: `refused` if an attribute has no decision; `usage` without the key of a hash; as
    ///   reading throws.
    package init(
        path: String, model: ManagedObjectModel?, options: SubsetOptions, warnings: inout [Diagnostic]
    ) throws {
        let source = try SubsetSource(path, model: model, options, &warnings)
        if let file = source.store as? SQLiteStore { file.leavesFiles = true }
        try self.init(source.store, options: options)
    }

    init(_ store: any StoreBackend, options: SubsetOptions) throws {
        var options = options
        if options.hashKey == nil, options.randomSeed == nil { options.randomSeed = 0 }
        let schema = store.schema
        let values = try Anonymisation(schema: schema, options: options).started()
        try store.reading {
            for entity in schema.entities where !entity.isAbstract {
                let found = entity.index..<entity.index + 1
                var batch = try store.read(entities: found, after: 0, limit: Self.objectsOfEntity)
                for row in batch.rows.indices { objects.append(try Self.object(row, entity, values, &batch)) }
            }
        }
    }

    private static func object(
        _ row: Int, _ entity: Schema.Entity, _ values: AnonymisedValues, _ batch: inout RowBatch
    ) throws -> Object {
        // Derived values are computed by the new store.
        let order = values.anonymisation.order[entity.index].filter(AnonymisationCheck.needsDecision)
        var before: [String: String] = [:]
        for attribute in order { before[attribute.name] = try text(attribute, row, batch) }
        var problems: [String: String] = [:]
        for attribute in order {
            do { _ = try values.replace(attribute, row, &batch) } catch let error as GranaryError
                where error.code == .refused
            { problems[attribute.name] = error.diagnostics.first?.message ?? error.message }
        }
        let shown = try entity.attributes.filter { AnonymisationCheck.needsDecision($0) }.map { attribute in
            var isKept = false
            if case .keep? = values.anonymisation.decisions[entity.index][attribute.slot] { isKept = true }
            let problem = problems[attribute.name]
            return Value(
                attribute: attribute.name, before: before[attribute.name],
                after: problem == nil ? try text(attribute, row, batch) : nil, problem: problem, isKept: isKept)
        }
        return Object(object: batch.objectName(row: row, values.schema), values: shown)
    }

    // MARK: Texts

    /// The beginning of a value as text; nil for NULL.
    private static func text(
        _ attribute: Schema.Attribute, _ row: Int, _ batch: borrowing RowBatch
    ) throws -> String? {
        if case .file = batch[row, attribute.slot] { return "binary data in a file" }
        return try batch.withValue(row: row, of: attribute) { value in
            switch value {
            case .null: nil
            case .text(let bytes), .uri(let bytes): Diagnostic.shortened(String(decoding: bytes, as: UTF8.self))
            case .binary(let bytes): "\(CountText.count(bytes.count, "byte")) \(digest(bytes))"
            case .date(let seconds): dateText(seconds)
            case .integer(let number): "\(number)"
            case .boolean(let isTrue): "\(isTrue)"
            case .float(let number): "\(number)"
            case .double(let number): "\(number)"
            case .decimal(let number): "\(number)"
            case .uuid(let uuid): uuid.uuidString
            }
        }
    }

    private static func digest(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        var digest = ContentDigest()
        digest.update(UnsafeRawBufferPointer(bytes))
        return String(digest.hexadecimal.prefix(8))
    }

    private static func dateText(_ seconds: Double) -> String {
        var bytes: [UInt8] = []
        // Years of more than four digits have no such form.
        return DateText.append(seconds, to: &bytes) ? String(decoding: bytes, as: UTF8.self) : "\(seconds)"
    }
}
