import ArgumentParser
import Foundation
import GranaryBase

/// How commands print JSON: for people and programs, the same each time.
enum CommandJSON {
    static func text(_ value: some Encodable) throws(GranaryError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
        } catch {
            throw GranaryError(.internalDefect, "the answer cannot be written as JSON: \(error)", underlying: error)
        }
    }

    /// One line, for a stream of objects.
    static func line(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// How a command that tells something tells it.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json
}
