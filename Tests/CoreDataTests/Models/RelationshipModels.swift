#if canImport(CoreData)
    import Granary

    /// Models with relationships of one cardinality each.
    extension TestedModel {
        static let relationships: [TestedModel] = [
            pair(
                "one-to-one", .toOne("second", "Second", inverse: "first"),
                .toOne("first", "First", inverse: "second")),
            pair(
                "one-to-many", .toMany("seconds", "Second", inverse: "first"),
                .toOne("first", "First", inverse: "seconds")),
            pair(
                "one-to-many with a required owner that cascades",
                .toMany("seconds", "Second", inverse: "first", .deleteRule(.cascade)),
                .toOne("first", "First", inverse: "seconds", .required)),
            pair(
                "one-to-many with minimum and maximum counts",
                .toMany("seconds", "Second", inverse: "first", .required, .count(1, 20)),
                .toOne("first", "First", inverse: "seconds")),
            pair(
                "ordered one-to-many", .toMany("seconds", "Second", inverse: "first", .ordered),
                .toOne("first", "First", inverse: "seconds")),
            pair(
                "many-to-many", .toMany("seconds", "Second", inverse: "firsts"),
                .toMany("firsts", "First", inverse: "seconds")),
            pair(
                "many-to-many with one order", .toMany("seconds", "Second", inverse: "firsts", .ordered),
                .toMany("firsts", "First", inverse: "seconds")),
            pair(
                "many-to-many with two orders", .toMany("seconds", "Second", inverse: "firsts", .ordered),
                .toMany("firsts", "First", inverse: "seconds", .ordered)),
            chain, tree, hierarchy,
        ]

        private static let chain = TestedModel(
            "feature: one-to-one within one entity",
            entities: [
                EntityDescription(
                    "Step",
                    [
                        .attribute("name", .string), .toOne("next", "Step", inverse: "previous"),
                        .toOne("previous", "Step", inverse: "next"),
                    ])
            ])

        private static let tree = TestedModel(
            "feature: one-to-many within one entity",
            entities: [
                EntityDescription(
                    "Node",
                    [
                        .attribute("name", .string), .toOne("parent", "Node", inverse: "children"),
                        .toMany("children", "Node", inverse: "parent", .ordered),
                    ])
            ])

        private static let hierarchy = TestedModel(
            "feature: relationships to entities with subentities",
            entities: [
                EntityDescription(
                    "Shape",
                    [
                        .attribute("name", .string), .toOne("layer", "Layer", inverse: "shapes"),
                        .toMany("groups", "Group", inverse: "shapes"), .toOne("mark", "Mark", inverse: "shape"),
                    ]),
                EntityDescription("Circle", [.attribute("radius", .double)], superentity: "Shape"),
                EntityDescription("Layer", [.toMany("shapes", "Shape", inverse: "layer", .ordered)]),
                EntityDescription("Group", [.toMany("shapes", "Shape", inverse: "groups", .ordered)]),
                EntityDescription("Mark", [.toOne("shape", "Shape", inverse: "mark")]),
            ])

        private static func pair(
            _ name: String, _ first: PropertyDescription, _ second: PropertyDescription
        ) -> TestedModel {
            TestedModel(
                "feature: \(name)",
                entities: [
                    EntityDescription("First", [.attribute("name", .string), first]),
                    EntityDescription("Second", [.attribute("name", .string), second]),
                ])
        }
    }
#endif
