import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranarySwiftData

/// What the types of properties become, and which are questions.
@Suite(.enabled(if: SwiftDataSupport.isToolThere, "\(SwiftDataSupport.absence)"))
struct SwiftDataTypeTests {
    /// One run of the tool for all cases: each is a class of its own, beside shared types.
    private static let shared = """
        struct Place: Codable { var name: String; var height: Double?; static let origin = Place(name: "") ; var text: String { name } }
        struct Outer: Codable { var place: Place; var kind: Kind? }
        enum Kind: String, Codable { case near, far = "f" }
        enum Level: Int, Codable { case low = 2, high }
        enum Shape: Codable { case round, square }
        enum Payload: Codable { case text(String), none }
        struct Coded: Codable { var a: Int; var b: Int; enum CodingKeys: String, CodingKey { case a } }
        struct Same: Codable { var a: Int; enum CodingKeys: String, CodingKey { case a } }
        struct Own: Codable { var a: Int; func encode(to encoder: Encoder) throws {} }
        struct Options: OptionSet, Codable { let rawValue: Int }
        struct Box<T: Codable>: Codable { var value: T }
        extension Kind { struct Inner: Codable { var depth: Int16 } }
        enum Written { case a(Int) }
        extension Written: RawRepresentable, Codable { var rawValue: String { "" }; init?(rawValue: String) { nil } }
        class Plain {}
        typealias Name = String
        typealias Names = [Name]
        typealias Date = Foundation.Date
        typealias Ring = Loop
        #if FAST
        typealias Speed = Float
        #else
        typealias Speed = Double
        #endif
        typealias Loop = Ring
        """

    /// A declaration, and the attribute as text; with `?` at the start the question.
    private static let cases: [(declaration: String, meaning: String)] = [
        ("var p: String", "String"), ("var p: String?", "String optional"),
        ("var p: Optional<String>", "String optional"),
        ("var p: String!", "String optional"), ("let p: Bool", "Boolean"), ("private var p: Int", "Integer 64"),
        ("var p: UInt64", "Integer 64"), ("var p: UInt32", "Integer 32"), ("var p: UInt8", "Integer 16"),
        ("var p: TimeInterval", "Double"), ("var p: CGFloat", "Float"), ("var p: Foundation.Date", "Date"),
        ("var p: Data", "Binary"), ("var p: UUID", "UUID"), ("var p: Decimal", "Decimal"), ("var p: URL", "URI"),
        ("var p: Name", "String"), ("var p: Date?", "Date optional"), ("var p: Names", "Transformable Array<String>"),
        ("var p: [Bool]?", "Transformable optional Array<Bool>"), ("var p: [Int]", "Transformable Array<Int>"),
        ("var p: [Place]", "Binary"), ("var p: [Kind]", "Binary"), ("var p: [String: Double]", "Binary"),
        ("var p: [String: Place]", "Binary"), ("var p: [String: String]", "Binary"),
        ("var p: Place", "Composite name String, height Double optional"),
        ("var p: Place?", "Composite optional name String optional, height Double optional"),
        ("var p: Outer", "Composite name String, height Double optional, kind String optional"),
        ("var p: Kind", "Composite p String optional"), ("var p: Kind?", "Composite optional p String optional"),
        ("var p: Level", "Composite p Integer 64 optional"), ("var p: Written", "Composite p String optional"),
        ("var p: Shape", "Composite round String optional, square String optional"),
        ("var p: Kind.Inner", "Composite depth Integer 16"), ("var p: Same", "Composite a Integer 64"),
        ("var p: Color.Resolved", "Composite linearRed Float, linearGreen Float, linearBlue Float, opacity Float"),
        ("var p = \"x\"", "String"), ("var p = 1", "Integer 64"), ("var p = 1.5", "Double"),
        ("var p = -2", "Integer 64"),
        ("var p = true", "Boolean"), ("var p = UUID()", "UUID"), ("var p = Date()", "Date"),
        ("var p = Date.now", "Date"),
        ("var p = [String]()", "Transformable Array<String>"), ("var p = Kind.near", "Composite p String optional"),
        ("var p = Place.origin", "Composite name String, height Double optional"), ("var p = 60 * 60", "Integer 64"),
        ("var p = 60 * 1.5", "Double"), ("var p: Int { didSet {} }", "Integer 64"),
        ("@Attribute(.externalStorage) var p: Data?", "Binary optional external"),
        (
            "@Attribute(.transformable(by: ColorTransformer.self)) var p: NSColor?",
            "Transformable optional NSColor by ColorTransformer"
        ),
        ("@Attribute(originalName: \"q\") var p: Int", "Integer 64 was q"),
        ("@Attribute(.ephemeral) var p: Int", "Integer 64 transient"),
        ("@Transient var p: Int = 0", "none"), ("static var p: Int = 0", "none"), ("var p: Int { 0 }", "none"),
        ("var p: Int { get { 0 } set {} }", "none"), ("class var p: Int { 0 }", "none"),
        ("lazy var p: Int = 0", "none"),
        ("#if os(Linux)\n var p: Int\n#endif", "none"), ("#if canImport(SwiftData)\n var p: Int\n#endif", "Integer 64"),
        ("#if !os(Linux) && swift(>=5.9)\n var p: Int\n#endif", "Integer 64"),
        ("#if DEBUG\n var p: Int\n#endif", "?#if decides whether the property exists: -D 'DEBUG', or -D 'DEBUG=0'"),
        ("var p: [UUID]", "?no known store tells how SwiftData stores [UUID]"),
        ("var p: Set<String>", "?no known store tells how SwiftData stores Set<String>"),
        ("var p: [[String]]", "?no known store tells how SwiftData stores [[String]]"),
        ("var p: [String?]", "?no known store tells how SwiftData stores [String?]"),
        ("var p: [Int: String]", "?no known store tells how SwiftData stores a dictionary with keys of type Int"),
        ("var p: Int8", "?no known store tells how SwiftData stores Int8"),
        (
            "var p: Payload",
            "?the enum Payload: no known store tells how SwiftData stores an enum with associated values"
        ),
        ("var p: CLLocationCoordinate2D", "?the type CLLocationCoordinate2D is not declared in the given sources"),
        ("var p: (Int, Int)", "?the rules do not tell how SwiftData stores (Int, Int)"),
        ("var p: String??", "?the rules do not tell how SwiftData stores an optional of an optional"),
        ("var p = make()", "?the type cannot be told from the initial value; write it in the source"),
        ("var p: Box<Int>", "?the generic type Box<Int> is not known"),
        ("var p: Ring", "?the typealias Ring means itself"),
        ("var p: Speed", "?#if decides which type Speed is: Shared.swift:21, Shared.swift:23"),
        (
            "#if DEBUG\n @Attribute(.transformable(by: T.self)) var p: C?\n#endif",
            "?#if decides whether the property exists: -D 'DEBUG', or -D 'DEBUG=0'"
        ),
        ("var p: Plain", "?Plain is a class without @Model; the rules do not tell how SwiftData stores it"),
        (
            "var p: Coded",
            "?Coded has CodingKeys that differ from its properties, and no known store tells which of them count"
        ),
        ("var p: Own", "?Own encodes itself, and no known store tells which elements it then has"),
        ("var p: Options", "?no known store tells how SwiftData stores the struct Options with a raw value"),
        ("@Lowercased var p: String", "?the source does not show what @Lowercased makes of the property"),
        ("@Attribute(.unknown) var p: String", "?the option of @Attribute is not known"),
    ]

    @Test func eachTypeHasItsMeaning() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Self.shared, to: "Shared.swift")
        for (index, item) in Self.cases.enumerated() {
            let text = "enum C\(index) {\n@Model final class E {\n var id: UUID\n\(item.declaration)\n}\n}\n"
            _ = try folder.write(text, to: "C\(index).swift")
        }
        let sources = try SwiftDataSources(paths: [folder.url.path(percentEncoded: false)])
        for (index, item) in Self.cases.enumerated() {
            var options = SwiftDataOptions()
            options.modelClasses = ["C\(index).E"]
            let found: String
            do {
                found = Self.text(try sources.model(options).model)
            } catch {
                found = "?" + (error.diagnostics.first?.message ?? error.message)
                #expect(error.diagnostics.first?.position?.line != nil, "\(item.declaration)")
            }
            let place = folder.url.path(percentEncoded: false)
            #expect(found.replacing(place + "/", with: "") == item.meaning, "\(item.declaration)")
        }
    }

    private static func text(_ model: ManagedObjectModel) -> String {
        guard let attribute = model.entities.first?.attribute(named: "p") else { return "none" }
        func facts(_ attribute: AttributeDescription) -> String {
            var words = [attribute.type.name]
            if attribute.isOptional { words.append("optional") }
            if attribute.isTransient { words.append("transient") }
            if attribute.allowsExternalBinaryDataStorage { words.append("external") }
            if let name = attribute.valueClassName { words.append(name) }
            if let name = attribute.valueTransformerName, name != "NSSecureUnarchiveFromData" {
                words.append("by \(name)")
            }
            if let name = attribute.renamingIdentifier { words.append("was \(name)") }
            return words.joined(separator: " ")
        }
        func leaves(_ attribute: AttributeDescription) -> [String] {
            guard attribute.type == .composite else { return ["\(attribute.name) \(facts(attribute))"] }
            let composite = model.composites.first { $0.name == attribute.compositeName }
            return composite?.elements.flatMap(leaves) ?? []
        }
        guard attribute.type == .composite else { return facts(attribute) }
        return facts(attribute) + " " + leaves(attribute).joined(separator: ", ")
    }

    @Test(arguments: [
        (
            "CLLocationCoordinate2D", "struct{latitude: Double, longitude: Double}", "var p: CLLocationCoordinate2D?",
            "latitude"
        ),
        ("E.p", "Date", "var p = make()", "Date"), ("[UUID]", "Binary", "var p: [UUID]", "Binary"),
        ("Payload", "enum Int", "var p: Payload", "Composite p"), ("Payload", "none", "var p: Payload", "none"),
        ("Thing", "Codable", "var p: [Thing]", "Binary"),
    ])
    func decisionsSettleTypes(_ name: String, _ type: String, _ declaration: String, _ part: String) throws {
        var options = SwiftDataOptions()
        options.types = [name: type]
        let text = "@Model class E { var id: UUID\n\(declaration)\n}\n" + Self.shared
        #expect(Self.text(try SwiftDataSupport.model(text, options).model).contains(part))
    }

    @Test func aFlagDecidesAProperty() throws {
        let text = "@Model class E { var id: UUID\n#if DEBUG && os(iOS)\n var p: Int\n#else\n var q: Int\n#endif\n}"
        var options = SwiftDataOptions()
        options.defines = ["DEBUG": true, "os(iOS)": true]
        #expect(try SwiftDataSupport.model(text, options).model.entities.first?.attributes.map(\.name) == ["id", "p"])
        options.defines = ["DEBUG": false]
        #expect(try SwiftDataSupport.model(text, options).model.entities.first?.attributes.map(\.name) == ["id", "q"])
    }

    @Test func rawValuesAreARuleAndInitialValuesAreDefaults() throws {
        let text = """
            @Model class E { var kind = Kind.far; var level: Level = .high; var tags: [String] = []; var list: [Kind] = []; var n: Int = -3; var shape = Shape.square; var other: Shape; var maybe: Shape? }
            """
        let model = try SwiftDataSupport.model(text + "\n" + Self.shared).model
        let schema = try model.resolved()
        let entity = try #require(schema.entity(named: "E"))
        func description(_ name: String) throws -> AttributeDescription {
            try #require(entity.attributes.first { $0.name == name }).description
        }
        #expect(try description("kind").defaultValue == .string("f"))
        #expect(try description("kind").isOptional == false)
        #expect(try description("kind").validationRules.map(\.predicate.description) == [#"SELF IN {"near", "f"}"#])
        #expect(try description("level").defaultValue == .integer(3))
        #expect(try description("list").defaultValue == .binary(Data("[]".utf8)))
        #expect(try description("tags").defaultValue != nil)
        #expect(try description("n").defaultValue == .integer(-3))
        // An enum without raw values.
        #expect(try description("shape").defaultValue == .string("square"))
        #expect(try description("other").defaultValue == nil)
        #expect(try description("other").isOptional == false)
        #expect(try description("maybe").isOptional == true)
    }

    /// Each level doubles the leaves, so that an unbounded reading would never end.
    @Test func aStructOfStructsIsBounded() throws {
        var text = "@Model class E { var id: UUID; var p: S0 }\n"
        for level in 0..<40 {
            text += "struct S\(level): Codable { var a: S\(level + 1); var b: S\(level + 1); var c: S\(level + 1) }\n"
        }
        text += "struct S40: Codable { var a: Int }\nstruct Self1: Codable { var a: [Self1] }"
        #expect(try SwiftDataSupport.problems(["A.swift": text]).first?.contains("nested deeper") == true)
    }
}
