import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryModelFiles

/// The structures of values in generated classes, and the functions that read them.
@Suite("Generated values") struct GeneratedValuesTests {
    private static func entity(
        _ name: String, _ properties: [PropertyDescription], class className: String? = nil,
        superentity: String? = nil
    ) -> EntityDescription {
        var entity = EntityDescription(name, properties, superentity: superentity)
        entity.managedObjectClassName = className ?? name
        return entity
    }

    private static func text(
        _ entities: [EntityDescription], composites: [CompositeDescription] = [], access: GeneratedAccess = .internal,
        _ name: String? = nil
    ) throws -> String {
        var model = ManagedObjectModel(entities: entities)
        model.composites = composites
        let form: ClassGenerator.Form = name == nil ? .single : .twoFiles
        let generator = ClassGenerator(try model.resolved(), modelName: "Library", access: access, form: form)
        let file = generator.files().first { name == nil || $0.name == name }
        return try #require(file).text
    }

    /// The structure in a file, without the indentation of its class.
    private static func structure(_ text: String) throws -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.contains("struct Values: ") })
        let end = try #require(lines[start...].firstIndex { $0 == "    }" })
        return lines[start...end].map { $0.hasPrefix("    ") ? String($0.dropFirst(4)) : String($0) }
            .joined(separator: "\n")
    }

    @Test("Every kind of property, also inherited ones, or a remark why it is left out")
    func properties() throws {
        var made = AttributeDescription(name: "made", type: .date)
        made.usesScalarValueType = true
        var length = AttributeDescription(name: "length", type: .integer64)
        length.derivationExpression = "title.length"
        length.isOptional = true
        var place = AttributeDescription(name: "place", type: .composite)
        place.compositeName = "Place"
        // An absent composite is NULL in every element.
        place.isOptional = true
        let entities = [
            Self.entity("Item", [.attribute("title", .string, .required)]),
            Self.entity(
                "Book",
                [.attribute(made), .attribute(length), .attribute(place)] + [
                    .attribute("pages", .integer16), .attribute("tags", .transformable),
                    .attribute("open", .boolean, .transient), .attribute("func", .uri),
                    .toOne("author", "Author", inverse: "books"),
                ], superentity: "Item"),
            Self.entity("Author", [.toMany("books", "Book", inverse: "author")]),
        ]
        let composites = [
            CompositeDescription(
                name: "Place",
                elements: [
                    AttributeDescription(name: "x", type: .double),
                    AttributeDescription(name: "y", type: .transformable),
                ])
        ]
        let found = try Self.structure(Self.text(entities, composites: composites, "_Book.swift"))
        #expect(
            found == """
                struct Values: ManagedObjectValues {
                    static let entityName: String = "Book"
                    static let properties: [ValueProperty] = [
                        .required("title", .string),
                        .required("made", .date),
                        .optional("length", .integer64),
                        .optional("place.x", .double),
                        .optional("pages", .integer16),
                        .optional("func", .uri),
                        .toOne("author"),
                    ]

                    let objectID: ManagedObjectID
                    var id: ManagedObjectID { objectID }
                    var title: String
                    var made: TimeInterval
                    var length: Int64?
                    var place: PlaceElements

                    /// The elements of `place`.
                    struct PlaceElements: Hashable, Sendable {
                        var x: Double?
                        // Without `place.y`: its type cannot be encoded.
                    }

                    var pages: Int16?
                    // Without `tags`: its type cannot be encoded.
                    // Without `open`: stores do not keep it.
                    var `func`: URL?
                    var author: ManagedObjectID?

                    init(_ source: some ValueSource) throws {
                        self.objectID = try source.objectID()
                        self.title = try source.string(0) ?? .emptyValue
                        self.made = try source.date(1)?.timeIntervalSinceReferenceDate ?? 0
                        self.length = try source.int64(2)
                        self.place = try PlaceElements(x: source.double(3))
                        self.pages = try source.int16(4)
                        self.`func` = try source.url(5)
                        self.author = try source.reference(6)
                    }

                    func write(to encoder: inout ValueEncoder) throws {
                        try encoder.write(self.title, 0)
                        try encoder.write(Date(timeIntervalSinceReferenceDate: self.made), 1)
                        try encoder.write(self.length, 2)
                        try encoder.write(self.place.x, 3)
                        try encoder.write(self.pages, 4)
                        try encoder.write(self.`func`, 5)
                        try encoder.write(self.author, 6)
                    }
                }
                """, "\(found)")
    }

    @Test("A composite in a composite is a structure in its structure")
    func nestedComposites() throws {
        var place = AttributeDescription(name: "place", type: .composite)
        place.compositeName = "Place"
        var area = AttributeDescription(name: "area", type: .composite)
        area.compositeName = "Area"
        let x = AttributeDescription(name: "x", type: .double)
        let text = try Self.text(
            [Self.entity("Book", [.attribute(place)])],
            composites: [
                CompositeDescription(name: "Place", elements: [area, x]),
                CompositeDescription(name: "Area", elements: [x]),
            ])
        for part in [
            "        struct PlaceElements: Hashable, Sendable {\n            var area: AreaElements\n",
            "            struct AreaElements: Hashable, Sendable {\n                var x: Double\n",
            "try PlaceElements(area: PlaceElements.AreaElements(x: source.double(0) ?? .emptyValue), x: source.double(1) ?? ",
            "encoder.write(self.place.area.x, 0)",
        ] {
            #expect(text.contains(part), "\(part): \(text)")
        }
    }

    @Test("An attribute id identifies the values; the names of the generated types give way to none of the model")
    func names() throws {
        let text = try Self.text([
            Self.entity("Book", [.attribute("id", .uuid, .required)]),
            Self.entity("Values", [.attribute("Values", .string)]),
            Self.entity("ManagedObjectID", []), Self.entity("LibraryModel", []),
        ])
        #expect(text.contains("        let objectID: Granary.ManagedObjectID\n        var id: UUID\n"), "\(text)")
        #expect(
            text.contains("class Values_: ManagedObject {") && text.contains("    var Values_2: String? {"), "\(text)")
        #expect(
            text.contains("enum LibraryModel_: GeneratedModel {") && text.contains("class LibraryModel: "), "\(text)")
    }

    @Test("A class that several entities share has no values; all others have a function for each reader")
    func functions() throws {
        let text = try Self.text(
            [
                Self.entity("A", [.attribute("a", .string)], class: "Shared"),
                Self.entity("B", [.attribute("b", .string)], class: "Shared"), Self.entity("Book", []),
            ], access: .public)
        let functions = text.split(separator: "\n").filter { $0.contains("of type: ") }
        #expect(
            functions.map { $0.prefix { $0 != "," } } == ["        of type: Book.Type", "        of type: Book.Type"])
        #expect(
            text.hasSuffix(
                """
                extension ManagedObjectContext {
                    /// Returns the values of the stored objects of the entity Book, without making objects.
                    public func values(
                        of type: Book.Type, where predicate: ObjectPredicate? = nil,
                        sort: [ObjectSortDescriptor] = [], limit: Int = 0, offset: Int = 0
                    ) throws -> [Book.Values] {
                        try values(Book.Values.self, where: predicate, sort: sort, limit: limit, offset: offset)
                    }

                    /// Returns the values of the stored objects that a request finds, without making objects.
                    public func values(of request: FetchRequest<Book>) throws -> [Book.Values] {
                        try values(Book.Values.self, of: request)
                    }
                }

                """), "\(text)")
    }
}

/// The type for a model in generated code.
@Suite("Generated model types") struct GeneratedModelTests {
    private static func text(
        access: GeneratedAccess = .internal, isModelInModule: Bool = false
    ) throws -> String {
        var entity = EntityDescription("Book", [.attribute("title", .string)])
        entity.managedObjectClassName = "Book"
        let generator = ClassGenerator(
            try ManagedObjectModel(entities: [entity]).resolved(), modelName: "My Library", access: access,
            form: .single, isModelInModule: isModelInModule)
        return try #require(generator.files().first).text
    }

    @Test("The plugin's has the module's bundle; the other searches the model")
    func bundle() throws {
        let text = try Self.text(isModelInModule: true)
        #expect(
            text.contains(
                """
                /// The model My Library: `try PersistentContainer(My_LibraryModel.self, at: .sqlite(url))`.
                enum My_LibraryModel: GeneratedModel {
                    static var name: String { "My Library" }
                    static var bundle: Bundle? { .module }
                    static var classes: [String: ManagedObject.Type] { My_LibraryClasses.all }
                }
                """), "\(text)")
        #expect(text.contains("import Foundation"))
        #expect(try !Self.text().contains("bundle"))
    }

    @Test(
        "The access level is that of every declaration, of an open class, and of the imports",
        arguments: GeneratedAccess.allCases)
    func access(_ access: GeneratedAccess) throws {
        let text = try Self.text(access: access)
        let level = access == .internal ? "" : "\(access.rawValue) "
        for part in [
            "\n\(access == .public ? "open " : level)class Book: ManagedObject {",
            access == .public ? "    override open class var" : "    override \(level)class var",
            "    \(level)var title: String? {", "    \(level)struct Values: ", "        \(level)var title: String?",
            "        \(level)init(_ source", "\n\(level)enum My_LibraryClasses", "\n\(level)enum My_LibraryModel",
            "\n    \(level)func values(", "\n\(level)import Granary",
        ] {
            #expect(text.contains(part), "\(part): \(text)")
        }
    }
}
