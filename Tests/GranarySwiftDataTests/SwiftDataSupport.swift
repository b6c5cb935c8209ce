import Foundation
import GranaryBase
import GranaryModel
import TestSupport

@testable import GranarySwiftData

/// Sources of one test, parsed by `granary-swiftdata`.
enum SwiftDataSupport {
    /// Whether the tool is built; `make test` builds it before the tests.
    static let isToolThere: Bool = {
        let list = try? SwiftDataTool.listing(of: [#filePath])
        return list != nil || ProcessInfo.processInfo.environment["GRANARY_SWIFTDATA"] != nil
    }()

    static let absence = "granary-swiftdata is not built: make swiftdata"

    /// The model that files declare.
    static func model(
        _ files: [String: String], _ options: SwiftDataOptions = SwiftDataOptions()
    ) throws -> SwiftDataModel {
        let folder = try TemporaryFolder()
        for (name, text) in files { _ = try folder.write(text, to: name) }
        return try SwiftDataSources(paths: [folder.url.path(percentEncoded: false)]).model(options)
    }

    static func model(_ text: String, _ options: SwiftDataOptions = SwiftDataOptions()) throws -> SwiftDataModel {
        try model(["Models.swift": text], options)
    }

    /// The problems of sources that are refused, each as `Models.swift:2:7: Trip.name: message`, without the folder.
    static func problems(
        _ files: [String: String], _ options: SwiftDataOptions = SwiftDataOptions()
    ) throws -> [String] {
        do {
            _ = try model(files, options)
            return []
        } catch let error as GranaryError {
            let found = error.diagnostics.isEmpty ? [error.message] : error.diagnostics.map(text)
            return found
        }
    }

    static func text(_ diagnostic: Diagnostic) -> String {
        let file = diagnostic.position.map { "\($0.file.split(separator: "/").last ?? ""):\($0.line):\($0.column): " }
        let subject = [diagnostic.entity, diagnostic.property].compactMap { $0 }.joined(separator: ".")
        return (file ?? "") + (subject.isEmpty ? "" : subject + ": ") + diagnostic.message
    }

    /// The version hashes by entity, in Base64.
    static func hashes(_ model: SwiftDataModel) throws -> [String: String] {
        try model.model.resolved().versionHashes.mapValues { $0.base64EncodedString() }
    }
}
