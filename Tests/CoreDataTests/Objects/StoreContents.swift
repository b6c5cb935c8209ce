#if canImport(CoreData)
    import Granary

    /// The contents of a store, as one framework reads them or as a plan defines them.
    ///
    /// The path of an ID, such as `/Book/p3`, identifies an object. It is the same in both frameworks.
    struct StoreContents: Sendable {
        struct Object: Sendable {
            /// The values of all stored attributes, derived ones included; NULL is absent.
            var values: [String: AttributeValue] = [:]
            /// For each relationship the paths of its objects, sorted if the relationship has no order.
            var links: [String: [String]] = [:]
        }

        var objects: [String: Object] = [:]

        init() {}

        /// Creates the contents that a plan defines.
        ///
        /// - Parameter paths: the paths of the objects by their numbers in the plan.
        init(_ plan: ObjectPlan, paths: [Int: String]) {
            for number in plan.numbers {
                guard let path = paths[number], let planned = plan.objects[number],
                    let entity = plan.schema.entity(named: planned.entity)
                else { continue }
                var object = Object(values: planned.values)
                for attribute in entity.derivedAttributes {
                    object.values[attribute.name] = plan.derivedValue(of: attribute, in: number)
                }
                for relationship in entity.linkedRelationships {
                    let members = plan.linked(number, relationship).compactMap { paths[$0] }
                    object.links[relationship.name] = Self.ordered(members, relationship)
                }
                objects[path] = object
            }
        }

        /// Returns the paths of a relationship's objects, sorted if the relationship has no order.
        static func ordered(_ paths: [String], _ relationship: Schema.Relationship) -> [String] {
            relationship.description.isOrdered ? paths : paths.sorted()
        }

        /// Returns a line for each object, value and relationship that differs from the expected contents.
        func differences(from expected: StoreContents) -> [String] {
            var lines: [String] = []
            for path in Set(objects.keys).union(expected.objects.keys).sorted() {
                guard let found = objects[path] else {
                    lines.append("\(path): missing")
                    continue
                }
                guard let wanted = expected.objects[path] else {
                    lines.append("\(path): not expected")
                    continue
                }
                for name in Set(found.values.keys).union(wanted.values.keys).sorted()
                where found.values[name] != wanted.values[name] {
                    let values = (Self.text(found.values[name]), Self.text(wanted.values[name]))
                    lines.append("\(path).\(name): \(values.0), expected \(values.1)")
                }
                for name in Set(found.links.keys).union(wanted.links.keys).sorted()
                where found.links[name] != wanted.links[name] {
                    lines.append("\(path).\(name): \(found.links[name] ?? []), expected \(wanted.links[name] ?? [])")
                }
            }
            return lines
        }

        private static func text(_ value: AttributeValue?) -> String {
            guard let value else { return "NULL" }
            guard case .string(let text) = value else { return "\(value)" }
            // Composed and decomposed letters look the same if they are not escaped.
            let start = text.unicodeScalars.prefix(80).map { $0.escaped(asASCII: true) }.joined()
            return "\"\(start)\" (\(text.utf8.count) bytes)"
        }
    }
#endif
