import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryYAML

/// JSON as a tree with positions.
struct JSONTreeTests {
    private static func read(_ bytes: [UInt8]) throws -> PlacedTree {
        try PlacedTree.readJSON(try PlacedText(bytes, file: "f", kind: .model))
    }

    private static func place(_ text: String) -> String? {
        do {
            _ = try read(Array(text.utf8))
            return nil
        } catch let error as GranaryError {
            return error.diagnostics.first?.description
        } catch {
            return "\(error)"
        }
    }

    /// The tree as a value of Foundation's parser.
    private static func value(_ tree: PlacedTree, _ node: Int) -> NSObject {
        switch tree.content(node) {
        case .text(let text, isPlain: false): text as NSString
        case .text("true", _): true as NSNumber
        case .text("false", _): false as NSNumber
        case .text("null", _): NSNull()
        case .text(let text, _): (Double(text) ?? .nan) as NSNumber
        case .list(let list): list.map { value(tree, $0) } as NSArray
        case .mapping(let members):
            Dictionary(members.map { (tree.name($0.key), value(tree, $0.value)) }) { first, _ in first } as NSDictionary
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func theSuiteIsAcceptedAndRefused() throws {
        // A model has no name twice, and a parser is free to refuse what has no meaning.
        let twice = ["y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json"]
        for file in try SharedFiles.files(below: "corpora/jsontestsuite/test_parsing") {
            let name = file.lastPathComponent
            let bytes = Array(try Data(contentsOf: file))
            if name.hasPrefix("y_"), !twice.contains(name) {
                let tree = try Self.read(bytes)
                // Foundation's parser rounds -1e-78 to a neighbour.
                if name == "y_number_double_close_to_zero.json" { continue }
                let other = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
                #expect(Self.value(tree, PlacedTree.root) == other as? NSObject, "\(name)")
            } else if name.hasPrefix("n_") {
                #expect(throws: GranaryError.self, "\(name)") { _ = try Self.read(bytes) }
            } else {
                _ = try? Self.read(bytes)
            }
        }
    }

    @Test(arguments: [
        ("{\"a\": 1,\r\n \"é\": x}", "f:2:8: error: this is not JSON: \"x\" needs double quotes [model.syntax]"),
        ("{\"a\": 1, \"a\": 2}", "f:1:10: error: the key \"a\" occurs twice in this mapping [model.syntax]"),
        ("{\"a\" 1}", "f:1:6: error: this is not JSON: expected a colon [model.syntax]"),
        ("[1 2]", "f:1:4: error: this is not JSON: expected a comma or the end of the array [model.syntax]"),
        ("[\"a", "f:1:2: error: this is not JSON: the text has no closing double quote [model.syntax]"),
        ("[1,]", "f:1:4: error: this is not JSON: a value is missing here [model.syntax]"),
        (" ", "f:1:2: error: the model is empty [model.syntax]"),
        ("{} {}", "f:1:4: error: this is not JSON: expected the end of the file [model.syntax]"),
        ("[\"\\ud800x\"]", "f:1:9: error: this is not JSON: expected a Unicode character [model.syntax]"),
    ])
    func aMistakeHasItsPlace(text: String, expected: String) {
        #expect(Self.place(text) == expected)
    }

    @Test func positionsAreInBytes() throws {
        let tree = try Self.read(Array("{\"é\": [\"ü\", {\"k\": null}]}".utf8))
        let places = tree.nodes.indices.map { tree.position($0).column }
        #expect(places == [1, 2, 8, 9, 15, 16, 21])
    }

    @Test func nestingIsLimited() {
        let text = String(repeating: "[", count: 1_001)
        #expect(Self.place(text)?.contains("nest deeper than 1000 levels") == true)
    }
}
