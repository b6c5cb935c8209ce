import GranaryBase
import GranaryFormats
import GranaryModel

/// Determines for readers of nested records which members are attributes whose objects and lists are values
/// (``Schema/Attribute/takesJSON``), and which objects and lists have columns inside, because the options
/// name paths such as `contact.email` or because the attribute is a Composite.
///
/// The kind of an object is the index of its entity. An object or a list on a path has a kind of its own.
final class MemberTypes: MemberGuide {
    private let schema: Schema
    private let options: ImportOptions
    /// The entity of records for which the source names none; nil if unknown.
    private let entity: Schema.Entity?
    /// An object or a list on a path.
    private struct Path: Hashable {
        /// The index of the entity of the object around it.
        let entity: Int
        /// The names that lead to it, joined by dots.
        let prefix: String
    }

    /// The paths of the kinds from the number of entities on.
    private var paths: [Path] = []
    private var kinds: [Path: Int32] = [:]
    let hasPaths: Bool

    /// Returns nil for a model without such attributes and without Composites, if the options name no paths.
    init?(schema: Schema, options: ImportOptions, entity: Schema.Entity?) {
        hasPaths = options.hasPaths || schema.entities.contains { $0.attributes.contains(where: \.isElement) }
        guard hasPaths || schema.entities.contains(where: { $0.attributes.contains(where: \.takesJSON) })
        else { return nil }
        self.schema = schema
        self.options = options
        self.entity = entity
    }

    func kind(ofRecordsOf entity: String?) -> Int32 {
        let found = entity.map { schema.entity(named: $0) } ?? self.entity
        return found.map { Int32(clamping: $0.index) } ?? -1
    }

    func content(of member: String, kind: Int32) -> MemberContent {
        guard let (owner, name) = resolve(member, kind) else { return .objects(kind: -1) }
        // The record can be an object of a subentity, which it names in its member `$entity`.
        let plans = schema.entities[owner].family.map { plan(of: $0) }
        if plans.contains(where: { $0.hasColumns(inside: name) }) {
            return .columns(kind: self.kind(of: Path(entity: owner, prefix: name)))
        }
        for plan in plans {
            // Errors in a column's options are reported when the column is resolved.
            guard let found = try? plan.property(of: name) else { continue }
            switch plan.entity.property(named: found) {
            case .attribute(let index)? where plan.entity.attributes[index].takesJSON: return .json
            case .relationship(let index)?:
                return .objects(kind: Int32(clamping: plan.entity.relationships[index].destination))
            default: return .objects(kind: -1)
            }
        }
        return .objects(kind: -1)
    }

    func paths(inside kind: Int32) -> MemberPaths {
        var result = MemberPaths()
        let index = Int(kind) - schema.entities.count
        guard paths.indices.contains(index) else { return result }
        let path = paths[index]
        result.prefix = path.prefix
        for entity in schema.entities[path.entity].family {
            let plan = plan(of: entity)
            for name in plan.paths(inside: path.prefix) {
                let rest = name.dropFirst(path.prefix.count + 1).prefix { $0 != "." }
                if let element = Int(rest), element >= 0, String(element) == rest { result.elements.insert(element) }
                if (try? plan.property(of: name)) != nil, !result.columns.contains(name) { result.columns.append(name) }
            }
        }
        result.columns.sort()
        return result
    }

    /// The entity of the object around a member, and the path from there.
    private func resolve(_ member: String, _ kind: Int32) -> (entity: Int, name: String)? {
        let index = Int(kind)
        if schema.entities.indices.contains(index) { return (index, member) }
        guard paths.indices.contains(index - schema.entities.count) else { return nil }
        let path = paths[index - schema.entities.count]
        return (path.entity, path.prefix + "." + member)
    }

    private func kind(of path: Path) -> Int32 {
        if let known = kinds[path] { return known }
        paths.append(path)
        let kind = Int32(clamping: schema.entities.count + paths.count - 1)
        kinds[path] = kind
        return kind
    }

    private func plan(of entity: Int) -> ColumnPlan {
        ColumnPlan(entity: schema.entities[entity], schema: schema, options: options)
    }
}
