import Foundation
import GranaryBase
import GranaryFormats
import TestSupport
import Testing

/// The tokeniser against the whole grammar, by the public JSONTestSuite and by hand-made hostile text.
@Suite struct JSONSyntaxTests {
    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func `JSONTestSuite is accepted and refused as its file names say`() throws {
        var counts = (accepted: 0, refused: 0, free: 0)
        for file in try SharedFiles.files(below: "corpora/jsontestsuite/test_parsing") {
            let name = file.lastPathComponent
            let problem = JSONSyntax.firstProblem(in: [UInt8](try Data(contentsOf: file)), name: name)
            switch name.prefix(2) {
            case "y_":
                #expect(problem == nil, "\(name)")
                counts.accepted += 1
            case "n_":
                #expect(problem != nil, "\(name)")
                counts.refused += 1
            default: counts.free += 1
            }
        }
        #expect(counts.accepted == 95)
        #expect(counts.refused == 188)
        #expect(counts.free == 35)
    }

    /// Foundation's parser is the twin for every prefix and every single-byte change of a small document.
    @Test func `Small changes of a document are judged as Foundation judges them`() throws {
        let text = Array(#"{"a":[1,-2.5e+3,"é\u00e9\ud83d\ude00\n"],"b":{"c":null,"d":true},"e":false}"#.utf8)
        var documents = (0...text.count).map { Array(text[..<$0]) }
        for index in text.indices {
            for byte in Array("\"\\{}[],:0-+eEx \t\u{1}".utf8) + [0x80, 0xC3, 0xFF] {
                var changed = text
                changed[index] = byte
                documents.append(changed)
            }
        }
        for document in documents {
            let isOurs = JSONSyntax.firstProblem(in: document, name: "") == nil
            let isTheirs =
                (try? JSONSerialization.jsonObject(with: Data(document), options: .fragmentsAllowed)) != nil
            let text = String(decoding: document, as: UTF8.self)
            // Foundation takes a trailing comma, and lets half a surrogate pair through.
            if isOurs != isTheirs, isTheirs, text.contains(",]") || text.contains(",}") || text.contains("\\u") {
                continue
            }
            #expect(isOurs == isTheirs, "\(text)")
        }
    }

    struct Place: CustomTestStringConvertible, Sendable {
        let text: String
        let code: Diagnostic.Code
        let line: Int
        let column: Int
        let offset: Int
        let words: String
        var testDescription: String { text }

        init(_ text: String, _ code: Diagnostic.Code, _ line: Int, _ column: Int, _ offset: Int, _ words: String) {
            (self.text, self.code, self.line, self.column, self.offset) = (text, code, line, column, offset)
            self.words = words
        }
    }

    @Test(arguments: [
        Place("", .jsonSyntax, 1, 1, 0, "ends"),
        Place("[1,\n 2,\n]", .jsonSyntax, 3, 1, 8, "a comma before ']'"),
        Place("[1,\r\n 2,\r\n]", .jsonSyntax, 3, 1, 10, "a comma before ']'"),
        Place("[1,\r 2\r x]", .jsonSyntax, 3, 2, 8, "found 'x'"),
        Place("{\"a\":1,}", .jsonSyntax, 1, 8, 7, "a comma before '}'"),
        Place("[1 // one\n]", .jsonSyntax, 1, 4, 3, "comments are not JSON"),
        Place("{a:1}", .jsonSyntax, 1, 2, 1, "double quotes"),
        Place("{\"a\" 1}", .jsonSyntax, 1, 6, 5, "expected ':'"),
        Place("[\"a\nb\"]", .jsonSyntax, 1, 4, 3, "U+000A must be escaped"),
        Place("[\"a\\x\"]", .jsonSyntax, 1, 5, 4, "'x' is not an escape"),
        Place("[\"\\u12g4\"]", .jsonSyntax, 1, 7, 6, "found 'g'"),
        Place("[\"abc", .jsonSyntax, 1, 2, 1, "no closing quote"),
        Place("[\"é\\ud800\"]", .encodingInvalid, 1, 5, 4, "surrogate"),
        Place("[\"\\udc00\\ud800\"]", .encodingInvalid, 1, 3, 2, "surrogate"),
        Place("[01]", .jsonSyntax, 1, 2, 1, "does not begin with a 0"),
        Place("[1.]", .jsonSyntax, 1, 4, 3, "expected a digit"),
        Place("[nul]", .jsonSyntax, 1, 2, 1, "true, false or null"),
        Place("[1] 2", .jsonSyntax, 1, 5, 4, "expected the end"),
        Place("[NaN]", .jsonSyntax, 1, 2, 1, "expected a value"),
    ])
    func `What is wrong is said with its place`(_ place: Place) throws {
        let problem = try #require(JSONSyntax.firstProblem(in: Array(place.text.utf8), name: "x.json"))
        #expect(problem.code == place.code)
        #expect(problem.message.contains(place.words), "\(problem.message)")
        #expect(
            problem.position
                == SourcePosition(file: "x.json", line: place.line, column: place.column, byteOffset: place.offset))
    }

    @Test(
        arguments: [
            [0x22, 0x80, 0x22], [0x22, 0xC0, 0xAF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22], [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22],
        ] as [[UInt8]])
    func `Bytes that are not UTF-8 are refused with their place`(_ text: [UInt8]) {
        let problem = JSONSyntax.firstProblem(in: text, name: "x")
        #expect(problem?.code == .encodingInvalid)
        #expect(problem?.position?.byteOffset == 1)
    }

    @Test(arguments: ["[", "{\"a\":", "[{\"a\":"])
    func `Depth is limited, not the stack`(_ opening: String) throws {
        let deep = Array(String(repeating: opening, count: 100_000).utf8)
        let problem = try #require(JSONSyntax.firstProblem(in: deep, name: "x"))
        #expect(problem.code == .limitExceeded)
        #expect(problem.message.contains("128"))
        // Without the limit, the depth costs memory for flags only.
        #expect(JSONSyntax.firstProblem(in: deep, name: "x", maximumDepth: 1_000_000)?.code == .jsonSyntax)
    }

    @Test(
        arguments: [
            [0xFE, 0xFF, 0, 0x5B, 0, 0x5D], [0xFF, 0xFE, 0x5B, 0, 0x5D, 0], [0, 0x5B, 0, 0x5D], [0x5B, 0, 0x5D, 0],
        ] as [[UInt8]])
    func `UTF-16 is named`(_ text: [UInt8]) throws {
        let problem = try #require(JSONSyntax.firstProblem(in: text, name: "x"))
        #expect(problem.code == .encodingInvalid)
        #expect(problem.message.contains("UTF-16"))
    }

    @Test func `A byte order mark is skipped and counted`() {
        #expect(JSONSyntax.firstProblem(in: Array("\u{FEFF}[1]".utf8), name: "x") == nil)
        let position = JSONSyntax.firstProblem(in: Array("\u{FEFF}[x]".utf8), name: "x")?.position
        #expect(position?.byteOffset == 4)
        #expect(position?.column == 5)
    }
}
