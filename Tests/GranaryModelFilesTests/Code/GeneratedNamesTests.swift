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
        ] as [(String, String, String?)])
    func properties(_ name: String, _ expected: String, _ renamed: String?) throws {
        let generator = try ClassGenerator(try model(name).resolved(), modelName: "M")
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
        let generator = try ClassGenerator(try model("x", class: name).resolved(), modelName: "M")
        let list = try #require(generator.files().first { $0.name == "M+Classes.swift" }).text
        #expect(list.contains("            \"\(registered)\": \(expected).self,\n"), "\(list)")
    }

    @Test("A type that the model has as a class, too, is written with its module")
    func shadowedTypes() throws {
        var set = EntityDescription("Group", [.toMany("tags", "Tag", inverse: "groups"), .attribute("born", .date)])
        set.managedObjectClassName = "Set"
        var tag = EntityDescription("Tag", [.toMany("groups", "Group", inverse: "tags")])
        tag.managedObjectClassName = "Date"
        let schema = try ManagedObjectModel(entities: [set, tag]).resolved()
        let text = try #require(try ClassGenerator(schema, modelName: "M").files().first).text
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
        var generator = try ClassGenerator(
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
        generator = try ClassGenerator(schema, modelName: "M")
        text = try #require(generator.files().first { $0.name == "_Leaf.swift" }).text
        #expect(text.contains("class _Leaf: Node {"))
        #expect(!text.contains("var a:") && text.contains("var b:") && text.contains("var c:"))
        #expect(generator.notes == ["Middle: its class Node has only the properties of Root"])
        // Unrelated entities cannot share a class.
        var other = EntityDescription("Other", [.attribute("d", .string)])
        other.managedObjectClassName = "App.Node"
        let error = try #require(throws: GranaryError.self) {
            try ClassGenerator(
                try ManagedObjectModel(entities: [root, middle, leaf, other]).resolved(), modelName: "M")
        }
        #expect(error.code == .refused && error.message.contains("the class Node"))
    }

    @Test("Classes that differ only in case get files of different names")
    func caseOfFiles() throws {
        var first = EntityDescription("A", [.attribute("x", .string)])
        first.managedObjectClassName = "Item"
        var second = EntityDescription("B", [.attribute("x", .string)])
        second.managedObjectClassName = "ITEM"
        let generator = try ClassGenerator(
            try ManagedObjectModel(entities: [first, second]).resolved(), modelName: "M")
        let names = generator.files().map { $0.name.lowercased() }
        #expect(Set(names).count == names.count, "\(names)")
        #expect(generator.notes == ["B: the class ITEM is named ITEM_ in Swift"])
    }
}
