import Foundation
import GranaryBase

/// The JSON that commands print. Keys are sorted, so that the output is the same each time.
enum CommandJSON {
    static func text(_ value: some Encodable) throws(GranaryError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw GranaryError(.internalDefect, "the result cannot be written as JSON: \(error)", underlying: error)
        }
    }

    /// An object on one line, for JSON Lines.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
