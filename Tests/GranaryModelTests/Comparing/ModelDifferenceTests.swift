import GranaryModel
import GranaryPredicates
import Testing

/// One change at a time: what it is called, and what it asks of existing stores.
@Suite("What two versions of a model have differently") struct ModelDifferenceTests {
    /// A change of ``base``, and the lines that come of it: `entity.property what from>to migration`.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let lines: [String]
        let change: @Sendable (inout ManagedObjectModel) -> Void

        init(_ lines: String..., change: @escaping @Sendable (inout ManagedObjectModel) -> Void) {
            self.lines = lines
            testDescription = lines.first ?? "nothing"
            self.change = change
        }
    }

    /// Book, Novel (a Book), Page, Shelf; in this order.
    static let base = ManagedObjectModel(entities: [
        EntityDescription(
            "Book",
            [
                .attribute("title", .string, .required), .attribute("rating", .integer16),
                .attribute("cover", .binary), .toMany("pages", "Page", inverse: "book"),
                .toOne("shelf", "Shelf", inverse: "books"),
            ]),
        EntityDescription("Novel", [.attribute("genre", .string)], superentity: "Book"),
        EntityDescription("Page", [.attribute("number", .integer32), .toOne("book", "Book", inverse: "pages")]),
        EntityDescription("Shelf", [.toMany("books", "Book", inverse: "shelf")]),
    ])

    private static let name = CompositeDescription(
        name: "Name", elements: [AttributeDescription(name: "first", type: .string)])

    static func lines(_ differences: ModelDifferences) -> [String] {
        differences.changes.map { change in
            var words = [change.entity, change.property].compactMap { $0 }.joined(separator: ".")
            words += (words.isEmpty ? "" : " ") + change.what
            if change.from != nil || change.to != nil { words += " \(change.from ?? "-")>\(change.to ?? "-")" }
            return words + " " + change.migration.name
        }
    }

    static let hashed: [Case] = [
        Case("Book.subtitle added inferred") {
            $0.entities[0].attributes.append(AttributeDescription(name: "subtitle", type: .string, isOptional: true))
        },
        Case("Book.subtitle added inferredIfDataFits") {
            $0.entities[0].attributes.append(AttributeDescription(name: "subtitle", type: .string, isOptional: false))
        },
        Case("Book.subtitle added inferred") {
            var subtitle = AttributeDescription(name: "subtitle", type: .string, isOptional: false)
            subtitle.defaultValue = "none"
            $0.entities[0].attributes.append(subtitle)
        },
        Case("Book.rating removed inferred") { $0.entities[0].attributes.remove(at: 1) },
        Case("Book.stars renamed rating>stars inferred") {
            $0.entities[0].attributes[1].name = "stars"
            $0.entities[0].attributes[1].renamingIdentifier = "rating"
        },
        Case("Book.stars added inferred", "Book.rating removed inferred") {
            $0.entities[0].attributes[1].name = "stars"
        },
        Case("Book.rating type Integer 16>Integer 32 inferred") { $0.entities[0].attributes[1].type = .integer32 },
        Case("Book.title isOptional false>true inferred") { $0.entities[0].attributes[0].isOptional = true },
        Case("Book.rating isOptional true>false inferredIfDataFits") {
            $0.entities[0].attributes[1].isOptional = false
        },
        Case("Book.rating isOptional true>false inferred", "Book.rating defaultValue ->3 none") {
            $0.entities[0].attributes[1].isOptional = false
            $0.entities[0].attributes[1].defaultValue = 3
        },
        Case("Book.rating isTransient false>true inferred") { $0.entities[0].attributes[1].isTransient = true },
        Case("Book.cover allowsExternalBinaryDataStorage false>true unsure") {
            $0.entities[0].attributes[2].allowsExternalBinaryDataStorage = true
        },
        Case("Book.rating versionHashModifier ->2 inferred") {
            $0.entities[0].attributes[1].versionHashModifier = "2"
        },
        Case("Book.rating derivationExpression ->pages.@count unsure") {
            $0.entities[0].attributes[1].derivationExpression = "pages.@count"
        },
        Case("Page.book maxCount 1>0 inferred") { $0.entities[2].relationships[0].maxCount = 0 },
        Case("Book.pages maxCount 0>1 unsure") { $0.entities[0].relationships[0].maxCount = 1 },
        Case("Book.pages maxCount 0>9 inferredIfDataFits") { $0.entities[0].relationships[0].maxCount = 9 },
        Case("Book.pages isOrdered false>true inferred") { $0.entities[0].relationships[0].isOrdered = true },
        Case("Page.book isOptional true>false inferredIfDataFits") {
            $0.entities[2].relationships[0].isOptional = false
        },
        Case("Page.book inverse pages>- inferred", "Book.pages inverse book>- inferred") {
            $0.entities[2].relationships[0].inverseName = nil
            $0.entities[0].relationships[0].inverseName = nil
        },
        Case("Page.book destinationEntity Book>Novel inferredIfDataFits") {
            $0.entities[2].relationships[0].destinationEntityName = "Novel"
        },
        Case("Book.rating kind attribute>relationship unsure") {
            $0.entities[0].attributes.remove(at: 1)
            $0.entities[0].relationships.append(RelationshipDescription(name: "rating", destination: "Shelf"))
        },
        Case("Author added inferred") { $0.entities.append(EntityDescription("Author", [])) },
        Case("Novel removed inferred") { $0.entities.remove(at: 1) },
        Case("Story renamed Novel>Story inferred") {
            $0.entities[1].name = "Story"
            $0.entities[1].renamingIdentifier = "Novel"
        },
        Case("Novel superentity Book>- inferred") { $0.entities[1].superentityName = nil },
        Case("Book isAbstract false>true inferredIfDataFits") { $0.entities[0].isAbstract = true },
        Case("Book versionHashModifier ->2 inferred") { $0.entities[0].versionHashModifier = "2" },
        Case("Book added ->title inferredIfDataFits") { $0.entities[0].uniquenessConstraints = [["title"]] },
        // A former root below another one.
        Case("Page superentity ->Shelf inferred") { $0.entities[2].superentityName = "Shelf" },
        // Novel had a parent in common with nobody but Book.
        Case("Page superentity ->Book needsMapping", "Page.title added inferredIfDataFits") {
            $0.entities[2].superentityName = "Book"
        },
        Case(
            "Item added inferred", "Page superentity ->Item needsMapping", "Shelf superentity ->Item needsMapping"
        ) {
            $0.entities.append(EntityDescription("Item", [], isAbstract: true))
            $0.entities[2].superentityName = "Item"
            $0.entities[3].superentityName = "Item"
        },
        Case("Book superentity ->Item inferred", "Item added inferred") {
            $0.entities.append(EntityDescription("Item", [], isAbstract: true))
            $0.entities[0].superentityName = "Item"
        },
        // What a new superentity requires, the objects that are there do not have.
        Case("Book superentity ->Item inferred", "Book.code added inferredIfDataFits", "Item added inferred") {
            $0.entities.append(EntityDescription("Item", [.attribute("code", .string, .required)], isAbstract: true))
            $0.entities[0].superentityName = "Item"
        },
        // It had the property before, under its own name.
        Case(
            "Book superentity ->Item inferred", "Book.title moved Book>Item inferred", "Item added inferred"
        ) {
            let title = $0.entities[0].attributes.remove(at: 0)
            $0.entities.append(EntityDescription("Item", [], isAbstract: true))
            $0.entities[4].attributes = [title]
            $0.entities[0].superentityName = "Item"
        },
        // Up: only what was no Novel lacks it.
        Case("Book.genre added inferred", "Novel.genre moved Novel>Book inferred") {
            $0.entities[0].attributes.append(contentsOf: $0.entities[1].attributes)
            $0.entities[1].attributes = []
        },
        Case("Book.rating removed inferred", "Novel.rating moved Book>Novel inferred") {
            $0.entities[1].attributes.append($0.entities[0].attributes.remove(at: 1))
        },
        Case(
            "Volume renamed Book>Volume inferred", "Novel.kind renamed genre>kind inferred",
            "Volume.leaves renamed pages>leaves inferred"
        ) {
            $0.entities[0].name = "Volume"
            $0.entities[0].renamingIdentifier = "Book"
            $0.entities[0].relationships[0].name = "leaves"
            $0.entities[0].relationships[0].renamingIdentifier = "pages"
            $0.entities[1].superentityName = "Volume"
            $0.entities[1].attributes[0].name = "kind"
            $0.entities[1].attributes[0].renamingIdentifier = "genre"
            $0.entities[2].relationships[0].destinationEntityName = "Volume"
            $0.entities[2].relationships[0].inverseName = "leaves"
            $0.entities[3].relationships[0].destinationEntityName = "Volume"
        },
    ]

    static let unhashed: [Case] = [
        Case { _ in },
        Case { $0.entities.reverse() },
        Case { $0.entities[0].attributes.swapAt(0, 1) },
        Case { $0.entities[0].notes["x"] = "y" },
        // What compiled models spell out.
        Case { $0.entities[0].renamingIdentifier = "Book" },
        Case { $0.entities[0].attributes[0].renamingIdentifier = "title" },
        Case("Book managedObjectClassName ->Buch none") { $0.entities[0].managedObjectClassName = "Buch" },
        Case("Book codeGenerationType ->class none") { $0.entities[0].codeGenerationType = "class" },
        Case("Book isSyncable false>true none") { $0.entities[0].isSyncable = true },
        Case("Book userInfo.a ->b none") { $0.entities[0].userInfo = ["a": "b"] },
        Case("Book renamingIdentifier ->Buch none") { $0.entities[0].renamingIdentifier = "Buch" },
        Case("Book.rating defaultValue ->1 none") { $0.entities[0].attributes[1].defaultValue = 1 },
        Case("Book.title minimumLength ->1 none", "Book.title maximumLength ->9 none") {
            $0.entities[0].attributes[0].minimumLength = 1
            $0.entities[0].attributes[0].maximumLength = 9
        },
        Case("Book.rating minimumValue ->0 none", "Book.rating maximumValue ->5 none") {
            $0.entities[0].attributes[1].minimumValue = 0
            $0.entities[0].attributes[1].maximumValue = 5
        },
        Case("Book.title regularExpression ->a+ none") { $0.entities[0].attributes[0].regularExpression = "a+" },
        Case("Book.title isIndexed false>true none") { $0.entities[0].attributes[0].isIndexed = true },
        Case("Book.title usesScalarValueType ->true none") {
            $0.entities[0].attributes[0].usesScalarValueType = true
        },
        Case("Book.shown added none") {
            var shown = AttributeDescription(name: "shown", type: .undefined)
            shown.isTransient = true
            $0.entities[0].attributes.append(shown)
        },
        Case("Book.pages deleteRule Nullify>Cascade none") { $0.entities[0].relationships[0].deleteRule = .cascade },
        Case("Book.late added none") {
            let request = FetchRequestTemplate(name: "late", entityName: "Page", predicateFormat: "number > 3")
            $0.entities[0].fetchedProperties = [FetchedPropertyDescription(name: "late", fetchRequest: request)]
        },
        Case("Book.byTitle added ->title, rating descending none") {
            $0.entities[0].fetchIndexes = [
                FetchIndexDescription(
                    name: "byTitle",
                    elements: [.init(propertyName: "title"), .init(propertyName: "rating", isAscending: false)])
            ]
        },
        Case("Book added ->title, rating none") { $0.entities[0].compoundIndexes = [["title", "rating"]] },
        Case("Main added ->Book, Page none") {
            $0.configurations = [ConfigurationDescription(name: "Main", entityNames: ["Page", "Book"])]
        },
        Case(
            "all added ->Book where rating > 3, by title descending, subentities, property values, pending changes, "
                + "as faults none"
        ) {
            var template = FetchRequestTemplate(name: "all", entityName: "Book", predicateFormat: "rating > 3")
            template.sortDescriptors = [ObjectSortDescriptor("title", ascending: false)]
            $0.fetchRequestTemplates = [template]
        },
        Case("Name added none") { $0.composites = [ModelDifferenceTests.name] },
        Case("versionIdentifiers >2 none") { $0.versionIdentifiers = ["2"] },
    ]

    @Test("Changes that make another version", arguments: hashed)
    func changesHashes(_ item: Case) throws {
        let differences = try compare(item)
        #expect(differences.hashesAreEqual == false)
        var changed = Self.base
        item.change(&changed)
        #expect(!changed.differences(to: Self.base).isEqual)
        #expect(differences.changes.contains { $0.migration != .none && $0.migration != .granaryOnly })
    }

    @Test("Changes that version hashes do not know", arguments: unhashed)
    func keepsHashes(_ item: Case) throws {
        let differences = try compare(item)
        #expect(differences.hashesAreEqual == true)
        #expect(differences.isLightweight)
        #expect(differences.changes.allSatisfy { $0.migration == .none || $0.migration == .granaryOnly })
    }

    private func compare(_ item: Case) throws -> ModelDifferences {
        var changed = Self.base
        item.change(&changed)
        let differences = Self.base.differences(to: changed)
        #expect(Self.lines(differences).sorted() == item.lines.sorted())
        #expect(differences.isEqual == item.lines.isEmpty)
        #expect(differences.isLightweight == !item.lines.contains { $0.hasSuffix("needsMapping") })
        #expect(changed.differences(to: changed).isEqual)
        return differences
    }

    @Test("A renaming identifier may be of any earlier version", arguments: ["rating", "stars"])
    func renamedTwice(identifier: String) {
        let names: [(String, String?)] = [("rating", nil), ("stars", "rating"), ("points", identifier)]
        let versions = names.map { name, identifier in
            var model = Self.base
            model.entities[0].attributes[1].name = name
            model.entities[0].attributes[1].renamingIdentifier = identifier
            return model
        }
        #expect(
            Self.lines(versions[1].differences(to: versions[2])).first
                == "Book.points renamed stars>points inferred")
        #expect(versions[1].differences(to: versions[1]).isEqual)
    }

    @Test("A model with problems is compared as far as it goes")
    func unsound() {
        var changed = Self.base
        changed.entities[0].superentityName = "Novel"
        changed.entities[2].relationships[0].destinationEntityName = "Nowhere"
        let differences = Self.base.differences(to: changed)
        #expect(differences.hashesAreEqual == nil)
        #expect(
            Self.lines(differences) == [
                "Book superentity ->Novel inferred", "Page.book destinationEntity Book>Nowhere needsMapping",
            ])
    }
}

extension AttributeDescription {
    fileprivate init(name: String, type: AttributeType, isOptional: Bool) {
        self.init(name: name, type: type)
        self.isOptional = isOptional
    }
}
