import ArgumentParser
import GranaryBase
import GranarySwiftData

/// The options on Swift sources as a model.
struct SwiftDataArguments: ParsableArguments {
    static let title = "Swift sources as the model"

    @Option(
        help: ArgumentHelp(
            "The VersionedSchema of Swift sources, such as App.SchemaV2 (default: the last of the migration plan, or the "
                + "only one, or all @Model classes); for model diff once for each model.", valueName: "name"))
    var schema: [String] = []

    @Option(help: ArgumentHelp("A @Model class of the schema, in place of a list; repeatable.", valueName: "class"))
    var modelClass: [String] = []

    @Option(
        help: ArgumentHelp(
            "How SwiftData stores a type that the sources do not declare, or a property (Trip.place): Codable, none, an "
                + "attribute type, 'enum String' or 'struct{latitude: Double}'; repeatable.", valueName: "name=type"))
    var type: [String] = []

    @Option(
        name: .customShort("D", allowingJoined: true),
        help: ArgumentHelp(
            "A flag or a test of #if that holds, such as DEBUG or 'os(iOS)'; with =0 one that does not; repeatable.",
            valueName: "name"))
    var define: [String] = []

    @Option(
        help: ArgumentHelp(
            "The inverse of a relationship: Trip.guests=Person.trips, or Trip.guests=none; repeatable.",
            valueName: "relationship=inverse"))
    var inverse: [String] = []

    @Option(
        help: ArgumentHelp(
            "A store that SwiftData made, a lock of model freeze or the JSON of model hash: its hashes settle what the "
                + "sources do not tell.", valueName: "store"),
        completion: .file())
    var expect: String?

    func validate() throws {
        _ = try withoutHashes()
        if !schema.isEmpty, !modelClass.isEmpty {
            throw ValidationError("--schema and --model-class exclude each other: both choose the classes.")
        }
    }

    /// - Throws: `ValidationError` for a text of no known form; ``GranaryError`` for an unreadable store.
    func options() throws -> SwiftDataOptions {
        var options = try withoutHashes()
        if let expect { options.expectedHashes = try ExpectedHashes.read(expect, schema: options.schema) }
        return options
    }

    private func withoutHashes() throws -> SwiftDataOptions {
        var options = SwiftDataOptions()
        options.schema = schema.first
        options.modelClasses = modelClass
        for (name, text) in try ImportColumnOptions.pairs(type, "--type") {
            guard DecidedType(text) != nil else {
                throw ValidationError("--type \(name)=\(text): after \"=\" comes \(DecidedType.forms).")
            }
            options.types[name] = text
        }
        for text in define {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard let name = parts.first, !name.isEmpty, parts.count == 1 || ["0", "1"].contains(parts[1]) else {
                throw ValidationError("-D \(text): write -D NAME, -D NAME=1 or -D NAME=0.")
            }
            options.defines[name] = parts.count == 1 || parts[1] == "1"
        }
        for (name, text) in try ImportColumnOptions.pairs(inverse, "--inverse") { options.inverses[name] = text }
        return options
    }
}
