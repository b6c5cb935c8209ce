#if canImport(CoreData)
    import Granary

    /// Models with one feature each, in forms that real stores and compiled models show.
    extension TestedModel {
        static let features: [TestedModel] = [
            everyType, requiredValues, defaultValues, externalStorage, inheritance, fetchIndexes, uniqueness,
            derivedCountAndPath, composites, hashModifiers,
        ]

        /// The attribute types that need neither a transformer nor elements.
        private static let valueTypes: [AttributeType] = [
            .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date, .binary, .uuid,
            .uri,
        ]

        /// Returns an attribute for each of ``valueTypes``, named after the type, and the properties in `others`.
        private static func attributes(
            and others: [PropertyDescription] = [], _ change: (inout AttributeDescription) -> Void
        ) -> [PropertyDescription] {
            var properties: [PropertyDescription] = others
            for type in valueTypes {
                var attribute = AttributeDescription(name: "\(type)Field", type: type)
                change(&attribute)
                properties.append(PropertyDescription.attribute(attribute))
            }
            return properties
        }

        private static let everyType = TestedModel(
            "feature: optional attributes of every type",
            entities: [
                EntityDescription(
                    "Everything",
                    attributes(and: [
                        .attribute("names", .transformable, .transformer("NSSecureUnarchiveFromData")),
                        .attribute("scratch", .string, .transient),
                    ]) { attribute in attribute.isOptional = true })
            ])

        private static let requiredValues = TestedModel(
            "feature: required attributes of every type",
            entities: [
                EntityDescription(
                    "Everything",
                    attributes(and: [
                        .attribute("names", .transformable, .required, .transformer("NSSecureUnarchiveFromData"))
                    ]) { attribute in attribute.isOptional = false })
            ])

        private static let defaultValues = TestedModel(
            "feature: default values of every type",
            entities: [
                EntityDescription(
                    "Everything",
                    attributes { attribute in
                        attribute.isOptional = true
                        attribute.defaultValue = ExtremeValues.values(of: attribute.type).last
                    })
            ])

        private static let externalStorage = TestedModel(
            "feature: external storage",
            entities: [
                EntityDescription(
                    "Photo",
                    [
                        .attribute("image", .binary, .externalStorage),
                        .attribute("original", .binary, .required, .externalStorage),
                        .attribute("thumbnail", .binary), .attribute("caption", .string),
                    ])
            ])

        private static let inheritance = TestedModel(
            "feature: inheritance",
            entities: [
                EntityDescription(
                    "Vehicle",
                    [
                        .attribute("name", .string, .required), .attribute("wheels", .integer16, .defaultValue(4)),
                        .toOne("owner", "Person", inverse: "vehicles"),
                    ], isAbstract: true),
                EntityDescription(
                    "Car",
                    [.attribute("label", .string), .toMany("fans", "Person", inverse: "favourite")],
                    superentity: "Vehicle"),
                EntityDescription("SportsCar", [.attribute("speed", .double)], superentity: "Car"),
                // The same attribute name in a sibling gets a second column.
                EntityDescription("Truck", [.attribute("label", .string)], superentity: "Vehicle"),
                EntityDescription(
                    "Person",
                    [
                        .attribute("name", .string, .required), .toMany("vehicles", "Vehicle", inverse: "owner"),
                        .toOne("favourite", "Car", inverse: "fans"),
                    ]),
            ])

        private static let fetchIndexes: TestedModel = {
            var event = EntityDescription(
                "Event", [.attribute("title", .string), .attribute("start", .date), .attribute("size", .integer32)])
            event.fetchIndexes = [
                FetchIndexDescription(
                    name: "byTitle", elements: [FetchIndexDescription.Element(propertyName: "title")]),
                FetchIndexDescription(
                    name: "byStartAndSize",
                    elements: [
                        FetchIndexDescription.Element(propertyName: "start", isAscending: false),
                        FetchIndexDescription.Element(propertyName: "size"),
                    ]),
            ]
            return TestedModel("feature: fetch indexes", entities: [event])
        }()

        private static let uniqueness = TestedModel(
            "feature: uniqueness constraints",
            entities: [
                EntityDescription(
                    "Account",
                    [
                        .attribute("email", .string, .required), .attribute("country", .string),
                        .attribute("number", .integer64), .attribute("token", .uuid),
                    ], unique: [["email"], ["country", "number"], ["token"]])
            ])

        private static let derivedCountAndPath = TestedModel(
            "feature: derived count and key path",
            entities: [
                EntityDescription(
                    "Book",
                    [
                        .attribute("title", .string), .toMany("pages", "Page", inverse: "book"),
                        .attribute("pagesCount", .integer64, .derived("pages.@count")),
                    ]),
                EntityDescription(
                    "Page",
                    [
                        .attribute("number", .integer16), .toOne("book", "Book", inverse: "pages"),
                        .attribute("bookTitle", .string, .derived("book.title")),
                    ]),
            ])

        private static let composites = TestedModel(
            "feature: composite attributes",
            entities: [
                EntityDescription(
                    "Place",
                    [
                        .attribute("name", .string), .attribute("position", .composite, .composite("Position")),
                        .attribute("address", .composite, .composite("Address")),
                    ])
            ],
            composites: [
                CompositeDescription(name: "Position", elements: [leaf("x", .double), leaf("y", .double)]),
                CompositeDescription(name: "Area", elements: [leaf("code", .integer32), leaf("since", .date)]),
                CompositeDescription(name: "Address", elements: [leaf("street", .string), area]),
            ])

        private static func leaf(_ name: String, _ type: AttributeType) -> AttributeDescription {
            var attribute = AttributeDescription(name: name, type: type)
            attribute.isOptional = true
            return attribute
        }

        private static var area: AttributeDescription {
            var attribute = leaf("area", .composite)
            attribute.compositeName = "Area"
            return attribute
        }

        private static let hashModifiers: TestedModel = {
            var title = AttributeDescription(name: "title", type: .string)
            title.versionHashModifier = "2"
            var secret = AttributeDescription(name: "secret", type: .string)
            secret.isOptional = true
            secret.preservesValueInHistoryOnDeletion = true
            secret.renamingIdentifier = "password"
            var note = EntityDescription("Note", [.attribute("text", .string), .attribute(title), .attribute(secret)])
            note.versionHashModifier = "summer"
            note.renamingIdentifier = "Memo"
            return TestedModel("feature: hash modifiers and renaming identifiers", entities: [note])
        }()
    }
#endif
