import Foundation
import Testing

@testable import GranaryModelFiles

/// The list of reserved names, against the members of managed objects in the sources.
@Suite("Reserved names") struct ReservedNamesTests {
    private struct Member: Hashable {
        var name: String
        /// Whether a property of the same name hides or redeclares it.
        var isReserved: Bool
    }

    private static let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    /// The public members in the blocks of managed objects of one file.
    ///
    /// Properties, types and methods without arguments are reserved, and the methods that generated code calls, which
    /// are in the files named `ManagedObject+Generated…`.
    private static func members(_ url: URL) throws -> [Member] {
        let isForGeneratedCode = url.lastPathComponent.hasPrefix("ManagedObject+Generated")
        var result: [Member] = []
        var isInside = false
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            if line == "}" { isInside = false }
            let starts = ["open class ManagedObject", "extension ManagedObject", "extension ManagedObjectClass"]
            if starts.contains(where: { line.hasPrefix("\($0) ") || line.hasPrefix("\($0):") }) { isInside = true }
            guard isInside, line.hasPrefix("    "), !line.hasPrefix("     ") else { continue }
            let words = line.split(separator: " ", maxSplits: 8)
            guard let place = words.firstIndex(where: { ["var", "let", "func", "struct", "enum"].contains($0) }),
                words.indices.contains(place + 1), words[..<place].contains(where: { ["public", "open"].contains($0) })
            else { continue }
            let declaration = words[(place + 1)...].joined(separator: " ")
            let name = declaration.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            // An operator.
            guard !name.isEmpty else { continue }
            let isCalledWithout = declaration.dropFirst(name.count).hasPrefix("()")
            let isMethod = words[place] == "func"
            result.append(
                Member(name: String(name), isReserved: !isMethod || isCalledWithout || isForGeneratedCode))
        }
        return result
    }

    @Test("Every property and method without arguments, and every method that generated code calls, is in the list")
    func sources() throws {
        let files = try #require(FileManager.default.enumerator(at: Self.sources, includingPropertiesForKeys: nil))
        var members: Set<Member> = []
        for case let url as URL in files where url.pathExtension == "swift" {
            members.formUnion(try Self.members(url))
        }
        let reserved = Set(members.filter(\.isReserved).map(\.name))
        #expect(reserved.count > 40)
        for name in ["predicateExpression", "objectID", "awakeFromInsert", "typedSet", "fetchRequest", "description"] {
            #expect(reserved.contains(name), "\(name) is not found in the sources")
        }
        #expect(reserved.subtracting(ReservedNames.managedObject) == [])
        // A method with arguments can have the name of a property.
        #expect(members.contains(Member(name: "setValue", isReserved: false)))
    }
}
