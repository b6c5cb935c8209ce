import Foundation
import Testing

@testable import granary_swiftdata

@Suite struct ListingWriterTests {
    @Test(arguments: [
        [], [""],
        ["struct A { var x = \"a\\n\\\"/é\" }\nclass B: C {}", "let x =", "#if A\nenum A { case a(Int) }\n#endif"],
    ])
    func theOutputIsThatOfTheEncoder(texts: [String]) throws {
        let files = texts.map { Snippet.file($0) }
        var output = Data()
        var writer = ListingWriter { output += $0 }
        for file in files { try writer.add(FileEncoder().encode(file)) }
        try writer.finish()
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(output == (try encoder.encode(SourceListing(files: files))) + Data("\n".utf8))
        let decoded = try JSONDecoder().decode(SourceListing.self, from: output)
        #expect(decoded.files.map(\.declarations.count) == files.map(\.declarations.count))
    }

    @Test func theDeepestValuesCanBeDecoded() throws {
        let calls = String(repeating: "[f(a: ", count: 60) + "A<[B]>()" + String(repeating: ")]", count: 60)
        let text = String(repeating: "struct A {", count: 64) + "var x = \(calls)" + String(repeating: "}", count: 64)
        let file = LargeStack.run { Snippet.file(text) }
        let decoded = try JSONDecoder().decode(SourceFile.self, from: FileEncoder().encode(file))
        #expect(decoded.declarations.map(\.name) == ["A"])
    }
}
