import Foundation
import Granary
import TestSupport
import Testing

/// Deletes itself, or another object, when it is saved.
private final class Vanishing: ManagedObject {
    override func willSave() {
        guard !isDeleted, let context = managedObjectContext, case .string(let name)? = self["name"] else { return }
        if name.hasPrefix("self") { try? context.delete(self) }
        guard name.hasPrefix("kill ") else { return }
        let victim = try? context.fetchAll("Coffee").first { $0["name"] == .string(String(name.dropFirst(5))) }
        if let victim { try? context.delete(victim) }
    }
}

/// Uses another context of the container, which the import forbids.
private final class Straying: ManagedObject {
    nonisolated(unsafe) static var container: PersistentContainer?

    override func validateForInsert() throws {
        try super.validateForInsert()
        guard let context = Self.container?.makeContext() else { return }
        if self["name"] == "save" {
            try context.insert(into: "Tag")
            try context.save()
        } else {
            _ = try context.fetchAll("Coffee")
        }
    }
}

/// Saves the import's own context, and keeps itself.
private final class Saving: ManagedObject {
    nonisolated(unsafe) static var kept: ManagedObject?
    nonisolated(unsafe) static var error: (any Error)?

    override func willSave() {
        Self.kept = self
        do { try managedObjectContext?.save() } catch { Self.error = error }
    }
}

/// Misuse inside the methods that an import through objects calls.
@Suite(.serialized) struct ImportMisuseTests {
    private let folder: TemporaryFolder

    enum Kind: String, CaseIterable, Sendable { case sqlite, inMemory, archive }

    init() throws { folder = try TemporaryFolder() }

    private func container(_ kind: Kind, _ type: ManagedObject.Type) throws -> PersistentContainer {
        var coffee = EntityDescription(
            "Coffee", [.attribute("name", .string, .required), .attribute("roast", .string)])
        coffee.managedObjectClassName = "Coffee"
        coffee.uniquenessConstraints = [["name"]]
        let location: StoreLocation =
            switch kind {
            case .sqlite: .sqlite(folder.url.appending(path: "A.sqlite"))
            case .inMemory: .inMemory
            case .archive: .archive(folder.url.appending(path: "A.plist"))
            }
        return try PersistentContainer(
            model: ManagedObjectModel(entities: [coffee, EntityDescription("Tag", [.attribute("text", .string)])]),
            store: location, classes: ["Coffee": type])
    }

    private func run(
        _ text: String, into container: PersistentContainer, keepsGood: Bool = false, updates: Bool = false
    ) async throws -> ImportReport {
        var run = ImportRunOptions()
        if keepsGood { run.mode = .keepGood }
        var options = ImportOptions()
        if updates { options.onConflict = .update }
        return try await Importer(
            entity: "Coffee", from: .text(text, format: .csv, name: "in.csv"), options: options, run: run
        ).run(into: container)
    }

    private func names(_ container: PersistentContainer) async throws -> [String] {
        try await container.perform { context in
            try context.fetchAll("Coffee").compactMap { try $0.string(forKey: "name") }.sorted()
        }
    }

    /// The rows, the lines of the rejected records, and the objects of a keep-good import.
    static let deletions: [(text: String, lines: [Int], names: [String])] = [
        (text: "name\nself 1\nJava\n", lines: [2], names: ["Java"]),
        (text: "name\nJava\nself 1\nself 2\n", lines: [3, 4], names: ["Java"]),
        // Another row of the import, before and after.
        (text: "name\nJava\nkill Java\n", lines: [2], names: ["kill Java"]),
        (text: "name\nkill Java\nJava\n", lines: [3], names: ["kill Java"]),
        // In an earlier or a later batch.
        (text: "name\nJava\n" + (0..<600).map { "N\($0)\n" }.joined() + "kill Java\n", lines: [2], names: []),
        (text: "name\nkill Java\n" + (0..<600).map { "N\($0)\n" }.joined() + "Java\n", lines: [603], names: []),
    ]

    @Test(
        "A record whose object is deleted is rejected, and not counted as created", arguments: [Kind.sqlite],
        deletions.indices)
    func deleted(_ kind: Kind, _ index: Int) async throws {
        let (text, lines, names) = Self.deletions[index]
        let container = try container(kind, Vanishing.self)
        let error = try await #require(throws: GranaryError.self) { try await run(text, into: container) }
        #expect(error.diagnostics.map { $0.position?.line } == lines)
        #expect(error.diagnostics.allSatisfy { $0.message.contains("deletes this object") && $0.entity == "Coffee" })
        #expect(try await self.names(container).isEmpty)

        let report = try await run(text, into: container, keepsGood: true)
        #expect(report.rejected == lines.count && report.created == report.read - lines.count)
        let stored = try await self.names(container)
        #expect(stored.count == report.created)
        if !names.isEmpty { #expect(stored == names) }
    }

    @Test(
        "So is a row that updates an object; objects that the import did not write may be deleted",
        arguments: Kind.allCases)
    func deletedExisting(_ kind: Kind) async throws {
        let container = try container(kind, Vanishing.self)
        _ = try await run("name\nJava\nBali\n", into: container)
        let report = try await run("name\nkill Java\n", into: container)
        #expect(report.created == 1)
        #expect(try await names(container) == ["Bali", "kill Java"])
        let error = try await #require(throws: GranaryError.self) {
            try await run("name,roast\nBali,dark\nkill Bali,\n", into: container, updates: true)
        }
        #expect(error.diagnostics.map { $0.position?.line } == [2])
        #expect(try await names(container) == ["Bali", "kill Java"])
    }

    @Test("Another context of the container is an error", arguments: Kind.allCases, ["fetch", "save"])
    func anotherContext(_ kind: Kind, _ use: String) async throws {
        let container = try container(kind, Straying.self)
        Straying.container = container
        defer { Straying.container = nil }
        let error = try await #require(throws: GranaryError.self) { try await run("name\n\(use)\n", into: container) }
        #expect(error.diagnostics.first?.message.contains("is in use by the call") == true, "\(error)")
        #expect(try await names(container).isEmpty)
    }

    @Test(
        "Saving the import's context is an error; an object that is kept cannot use the import's store",
        arguments: Kind.allCases)
    func savingInside(_ kind: Kind) async throws {
        let container = try container(kind, Saving.self)
        defer { (Saving.kept, Saving.error) = (nil, nil) }
        let report = try await run("name\nJava\n", into: container)
        #expect(report.created == 1)
        #expect((Saving.error as? GranaryError)?.message.contains("save() was called inside willSave()") == true)
        let kept = try #require(Saving.kept)
        #expect(throws: GranaryError.self) {
            try kept.setValue("x", forKey: "name")
            try kept.managedObjectContext?.save()
        }
        #expect(try await names(container) == ["Java"])
    }
}
