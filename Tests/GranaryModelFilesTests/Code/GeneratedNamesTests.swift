import Foundation
import GranaryBase
import GranaryModel
import Testing

@testable import GranaryModelFiles

/// Names of a model that Swift, or the class of managed objects, does not allow.
@Suite("Names in generated classes") struct GeneratedNamesTests {
    @Test(
        "Names become identifiers",
        arguments: [
            ("name", "name"), ("2Fast", "_2Fast"), ("My Data-Model/Class", "My_Data_Model_Class"), ("Größe", "Größe"),
            ("名前", "名前"), ("", "_"), ("a\u{200B}b", "a_b"), ("a\u{202E}b", "a_b"), ("\u{301}e", "_\u{301}e"),
            ("a\nb", "a_b"), ("x😀", "x😀"), ("a·b", "a·b"), ("a\u{D7}b", "a_b"),
        ])
    func identifiers(_ name: String, _ expected: String) {
        #expect(SwiftIdentifier.valid(name).unicodeScalars.elementsEqual(expected.unicodeScalars))
    }

    @Test(
        "Texts become literals",
        arguments: [
            ("name", #""name""#), (#"a"b\c"#, #""a\"b\\c""#), ("a\nb", #""a\u{a}b""#), (#"\(x)"#, #""\\(x)""#),
        ])
    func literals(_ text: String, _ expected: String) {
        #expect(SwiftIdentifier.literal(text) == expected)
    }

    private func model(_ property: String, class className: String = "E") -> ManagedObjectModel {
        var entity = EntityDescription("E", [.attribute(property, .string)])
        entity.managedObjectClassName = className
        return ManagedObjectModel(entities: [entity])
    }

    @Test(
        "Keywords are written in backticks, and names that objects have are changed",
        arguments: [
            ("func", "`func`", nil), ("default", "`default`", nil), ("value", "value", nil), ("values", "values", nil),
            ("version", "version", nil), ("date", "date", nil), ("Type", "Type_", "Type_"),
            ("hashValue", "hashValue_", "hashValue_"), ("typedValue", "typedValue_", "typedValue_"),
            ("String", "String_", "String_"), ("fetchRequest", "fetchRequest_", "fetchRequest_"), ("E", "E_", "E_"),
            ("predicateExpression", "predicateExpression_", "predicateExpression_"), ("any", "any", nil),
            ("some", "some", nil), ("borrowing", "borrowing", nil),
        ] as [(String, String, String?)])
    func properties(_ name: String, _ expected: String, _ renamed: String?) throws {
        let generator = ClassGenerator(try model(name).resolved(), modelName: "M")
        let text = try #require(generator.files().first).text
        #expect(
            text.contains("    var \(expected): String? {\n        get { typedValue(forKey: \"\(name)\") }\n"),
            "\(text)")
        if let renamed {
            #expect(generator.notes == ["E: the property \(name) is named \(renamed) in Swift"])
            #expect(text.contains("/// - Note: the property \(name) is named \(renamed) in Swift.\n"))
        } else {
            #expect(generator.notes.isEmpty)
        }
    }

    @Test(
        "Class names lose their module, and those that Swift does not allow are changed",
        arguments: [
            ("Customer", "Customer", "Customer"), (".Customer", "Customer", "Customer"),
            ("App.Customer", "Customer", "Customer"), ("App.2Fast", "_2Fast", "2Fast"), ("class", "`class`", "class"),
            ("Type", "Type_", "Type"), ("Swift", "Swift_", "Swift"), ("MClasses", "MClasses_", "MClasses"),
            ("Set", "Set", "Set"),
        ])
    func classes(_ name: String, _ expected: String, _ registered: String) throws {
        let generator = ClassGenerator(try model("x", class: name).resolved(), modelName: "M")
        let list = try #require(generator.files().first { $0.name == "M+Classes.swift" }).text
        #expect(list.contains("            \"\(registered)\": \(expected).self\n"), "\(list)")
    }

    @Test(
        "A class cannot have a word as its name that has a meaning where types are written",
        arguments: [
            "any", "some", "each", "borrowing", "consuming", "sending", "isolated", "nonisolated", "Type", "Self",
            "Protocol",
        ])
    func wordsOfTypes(_ name: String) throws {
        var other = EntityDescription("Other", [.toOne("link", "E", inverse: "others")])
        other.managedObjectClassName = "Other"
        var entity = EntityDescription("E", [.toMany("others", "Other", inverse: "link")])
        entity.managedObjectClassName = name
        let schema = try ManagedObjectModel(entities: [entity, other]).resolved()
        let generator = ClassGenerator(schema, modelName: "M", form: .single)
        let text = try #require(generator.files().first).text
        #expect(text.contains("class \(name)_: ManagedObject {"), "\(text)")
        #expect(text.contains("    var link: \(name)_? {"))
        #expect(generator.notes == ["E: the class \(name) is named \(name)_ in Swift"])
    }

    @Test("The structure of a composite does not have the name of a property, whichever comes first")
    func structures() throws {
        var place = AttributeDescription(name: "place", type: .composite)
        place.compositeName = "Place"
        var sample = self.model("x")
        sample.composites = [
            CompositeDescription(name: "Place", elements: [AttributeDescription(name: "x", type: .double)])
        ]
        for names in [["PlaceElements", "place"], ["place", "PlaceElements"]] {
            sample.entities[0].attributes = names.map { name in
                name == "place" ? place : AttributeDescription(name: name, type: .string)
            }
            let generator = ClassGenerator(try sample.resolved(), modelName: "M")
            let text = try #require(generator.files().first).text
            #expect(text.contains("    var PlaceElements: String"), "\(text)")
            #expect(text.contains("    var place: PlaceElements_ { PlaceElements_(managedObject: self) }"))
            #expect(text.contains("    struct PlaceElements_: CompositeElements {"))
        }
    }

    @Test("Names that differ only in their first letter: methods for validation and for to-many relationships")
    func firstLetters() throws {
        var entity = EntityDescription(
            "E",
            [
                .attribute("name", .string), .attribute("Name", .string), .toMany("items", "Item", inverse: "first"),
                .toMany("Items", "Item", inverse: "second"),
            ])
        entity.managedObjectClassName = "E"
        var item = EntityDescription(
            "Item", [.toOne("first", "E", inverse: "items"), .toOne("second", "E", inverse: "Items")])
        item.managedObjectClassName = "Item"
        let schema = try ManagedObjectModel(entities: [entity, item]).resolved()
        let generator = ClassGenerator(schema, modelName: "M", hasValidation: true)
        let human = try #require(generator.files().first { $0.name == "E.swift" }).text
        for method in ["validateName", "validateName_"] {
            #expect(human.components(separatedBy: "func \(method)(_").count == 2, "\(human)")
        }
        #expect(human.contains("        case \"Name\": try validateName_(typedValue(of: value))\n"))
        #expect(
            generator.notes == [
                "E: the methods of the relationship Items are named addToItems_ and removeFromItems_ in Swift"
            ])
        let machine = try #require(generator.files().first { $0.name == "_E.swift" }).text
        #expect(machine.contains("    func addToItems_(_ value: Item) { addTyped(value, forKey: \"Items\") }"))
    }

    @Test("A type that the model has as a class, too, is written with its module")
    func shadowedTypes() throws {
        var set = EntityDescription("Group", [.toMany("tags", "Tag", inverse: "groups"), .attribute("born", .date)])
        set.managedObjectClassName = "Set"
        var tag = EntityDescription("Tag", [.toMany("groups", "Group", inverse: "tags")])
        tag.managedObjectClassName = "Date"
        let schema = try ManagedObjectModel(entities: [set, tag]).resolved()
        let text = try #require(ClassGenerator(schema, modelName: "M").files().first).text
        #expect(text.contains("class _Set: ManagedObject {"))
        #expect(text.contains("var tags: Swift.Set<Date> {"))
        #expect(text.contains("var born: Foundation.Date? {"))
    }

    @Test("Entities without a class, and entities of one class")
    func sharedClasses() throws {
        var root = EntityDescription("Root", [.attribute("a", .string)])
        var middle = EntityDescription("Middle", [.attribute("b", .string)], superentity: "Root")
        var leaf = EntityDescription("Leaf", [.attribute("c", .string)], superentity: "Middle")
        leaf.managedObjectClassName = "Leaf"
        // The properties of superentities without a class are in the class itself.
        var generator = ClassGenerator(
            try ManagedObjectModel(entities: [root, middle, leaf]).resolved(), modelName: "M")
        var text = try #require(generator.files().first { $0.name == "_Leaf.swift" }).text
        #expect(text.contains("class _Leaf: ManagedObject {"))
        for name in ["a", "b", "c"] { #expect(text.contains("    var \(name): String? {")) }
        #expect(
            generator.notes == [
                "Root: the model names no class; its objects are of the class ManagedObject",
                "Middle: the model names no class; its objects are of the class ManagedObject",
            ])
        // A subentity of the same class adds no properties to it, but to classes below.
        root.managedObjectClassName = "Node"
        middle.managedObjectClassName = "Node"
        let schema = try ManagedObjectModel(entities: [root, middle, leaf]).resolved()
        generator = ClassGenerator(schema, modelName: "M")
        text = try #require(generator.files().first { $0.name == "_Leaf.swift" }).text
        #expect(text.contains("class _Leaf: Node {"))
        #expect(!text.contains("\n    var a:") && text.contains("var b:") && text.contains("var c:"))
        #expect(generator.notes == ["Middle: its class Node has only the properties of Root"])
    }

    @Test("A class of unrelated entities has no properties; the classes below declare all of theirs")
    func unrelatedEntities() throws {
        var root = EntityDescription("Root", [.attribute("a", .string)])
        root.managedObjectClassName = "Node"
        let middle = EntityDescription("Middle", [.attribute("b", .string)], superentity: "Root")
        var leaf = EntityDescription("Leaf", [.attribute("c", .string)], superentity: "Middle")
        leaf.managedObjectClassName = "Leaf"
        var top = EntityDescription("Top", [.attribute("d", .string)])
        top.managedObjectClassName = "Top"
        var other = EntityDescription("Other", [.attribute("a", .integer16)], superentity: "Top")
        other.managedObjectClassName = "App.Node"
        let schema = try ManagedObjectModel(entities: [root, middle, leaf, top, other]).resolved()
        let generator = ClassGenerator(schema, modelName: "M")
        let texts = Dictionary(uniqueKeysWithValues: generator.files().map { ($0.name, $0.text) })
        let node = try #require(texts["_Node.swift"])
        #expect(node.contains("class _Node: ManagedObject {\n}\n"), "\(node)")
        #expect(
            node.contains(
                "/// - Note: several entities that do not inherit from each other have this class, so it has no properties."
            ))
        let below = try #require(texts["_Leaf.swift"])
        #expect(below.contains("class _Leaf: Node {"))
        for name in ["a", "b", "c"] { #expect(below.contains("    var \(name): String? {"), "\(below)") }
        #expect(
            generator.notes == [
                "Middle: the model names no class; its objects are of the class Node",
                "Other: its class Node is also that of Root, so the class has no properties",
            ])
    }

    @Test("A class of unrelated entities has the superclass that all of them have")
    func commonSuperclass() throws {
        var entities = [
            EntityDescription("Animal", [.attribute("a", .string)]),
            EntityDescription("Cat", [.attribute("b", .string)], superentity: "Animal"),
            EntityDescription("Dog", [.attribute("b", .string)], superentity: "Animal"),
        ]
        for (index, name) in ["Animal", "Pet", "Pet"].enumerated() { entities[index].managedObjectClassName = name }
        let generator = ClassGenerator(try ManagedObjectModel(entities: entities).resolved(), modelName: "M")
        let text = try #require(generator.files().first { $0.name == "_Pet.swift" }).text
        #expect(text.contains("class _Pet: Animal {\n}\n"), "\(text)")
        #expect(generator.notes == ["Dog: its class Pet is also that of Cat, so the class has no properties"])
    }

    @Test("Classes that differ only in case get files of different names")
    func caseOfFiles() throws {
        var first = EntityDescription("A", [.attribute("x", .string)])
        first.managedObjectClassName = "Item"
        var second = EntityDescription("B", [.attribute("x", .string)])
        second.managedObjectClassName = "ITEM"
        let generator = ClassGenerator(
            try ManagedObjectModel(entities: [first, second]).resolved(), modelName: "M")
        let names = generator.files().map { $0.name.lowercased() }
        #expect(Set(names).count == names.count, "\(names)")
        #expect(generator.notes == ["B: the class ITEM is named ITEM_ in Swift"])
    }
}
