#if canImport(CoreData)
    import Granary

    /// Models with one feature each. No real file, or few of them, show the form of that feature in a store or a
    /// version hash; docs/core-data-compatibility.md describes the form that Granary writes. Those without "guess" in
    /// their names have the form that real files show.
    extension TestedModel {
        static let guesses: [TestedModel] = [
            manyToManyWithinEntity, symmetricManyToMany, symmetricOneToOne, manyToManyWithSuperentity,
            equalJoinColumns, entityNames, derivedText, derivedCountOverJoinTable, preservedExternalData,
            constraintAndModifier,
        ]

        private static let manyToManyWithinEntity = TestedModel(
            "guess: many-to-many within one entity",
            entities: [
                EntityDescription(
                    "Client",
                    [
                        .attribute("name", .string), .toMany("trusted", "Client", inverse: "trusters"),
                        .toMany("trusters", "Client", inverse: "trusted"),
                    ])
            ])

        private static let symmetricManyToMany = TestedModel(
            "many-to-many that is its own inverse",
            entities: [
                EntityDescription(
                    "Person", [.attribute("name", .string), .toMany("friends", "Person", inverse: "friends")])
            ])

        private static let symmetricOneToOne = TestedModel(
            "guess: one-to-one that is its own inverse",
            entities: [
                EntityDescription(
                    "Person", [.attribute("name", .string), .toOne("spouse", "Person", inverse: "spouse")])
            ])

        private static let manyToManyWithSuperentity = TestedModel(
            "guess: many-to-many with the superentity, both with one smallest name",
            entities: [
                EntityDescription(
                    "Item", [.attribute("name", .string), .toMany("boxes", "Box", inverse: "items")]),
                EntityDescription("Box", [.toMany("items", "Item", inverse: "boxes")], superentity: "Item"),
            ])

        private static let equalJoinColumns = TestedModel(
            "two join tables with one column name",
            entities: [
                EntityDescription("Reaction", [.toMany("users", "User", inverse: "reactions")]),
                EntityDescription("Message", [.toMany("users", "User", inverse: "messages")]),
                EntityDescription(
                    "User",
                    [
                        .attribute("name", .string), .toMany("reactions", "Reaction", inverse: "users"),
                        .toMany("messages", "Message", inverse: "users"),
                    ]),
            ])

        private static let entityNames = TestedModel(
            "guess: entity names with digits and underscores",
            entities: ["A_b", "AB", "Aa", "A1", "A10", "A2", "a_c"].map { name in
                EntityDescription(name, [.attribute("name", .string)])
            })

        private static let derivedText = TestedModel(
            "guess: derived text",
            entities: [
                EntityDescription(
                    "Article",
                    [
                        .attribute("title", .string), .attribute("sameTitle", .string, .derived("title")),
                        .attribute("folded", .string, .derived("canonical:(title)")),
                        .attribute("upper", .string, .derived("uppercase:(title)")),
                        .attribute("lower", .string, .derived("lowercase:(title)")),
                    ])
            ])

        private static let derivedCountOverJoinTable = TestedModel(
            "guess: derived count over a join table",
            entities: [
                EntityDescription(
                    "Post",
                    [
                        .toMany("tags", "Tag", inverse: "posts"),
                        .attribute("tagCount", .integer32, .derived("tags.@count")),
                    ]),
                EntityDescription("Tag", [.attribute("name", .string), .toMany("posts", "Post", inverse: "tags")]),
            ])

        private static let preservedExternalData: TestedModel = {
            var image = AttributeDescription(name: "image", type: .binary)
            image.isOptional = true
            image.allowsExternalBinaryDataStorage = true
            image.preservesValueInHistoryOnDeletion = true
            return TestedModel(
                "guess: external storage that the history preserves",
                entities: [EntityDescription("Photo", [.attribute(image)])])
        }()

        private static let constraintAndModifier: TestedModel = {
            var account = EntityDescription("Account", [.attribute("email", .string, .required)], unique: [["email"]])
            account.versionHashModifier = "2"
            return TestedModel("a uniqueness constraint and a hash modifier", entities: [account])
        }()
    }
#endif
