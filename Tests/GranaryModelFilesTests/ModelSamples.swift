import Foundation
import GranaryBase
import GranaryModel
import TestSupport

@testable import GranaryModelFiles

/// The public models beside the checkout, and short ways to read and write for tests.
enum ModelSamples {
    /// Paths below `../shared/coredata/models` of all `.xcdatamodel` folders; empty where that folder is not there.
    static let names: [String] = {
        guard let files = try? SharedFiles.files(below: "coredata/models"), let root = SharedFiles.root else {
            return []
        }
        let start = root.appending(path: "coredata/models").path.count + 1
        return files.filter { $0.lastPathComponent == "contents" }
            .map { String($0.deletingLastPathComponent().path.dropFirst(start)) }
    }()

    static func url(_ name: String) throws -> URL { try SharedFiles.url("coredata/models/" + name) }

    static func contents(_ name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: try url(name).appending(path: "contents")))
    }

    /// Reads model XML from text; the file is called `contents` in messages.
    static func read(_ xml: String) throws -> (model: ManagedObjectModel, diagnostics: [Diagnostic]) {
        var diagnostics = DiagnosticCollector()
        let model = try ModelXMLReader.read(Array(xml.utf8), source: "contents", diagnostics: &diagnostics)
        return (model, diagnostics.diagnostics)
    }

    static func text(_ model: ManagedObjectModel) throws -> String {
        String(decoding: try ModelXMLWriter.write(model, target: "contents"), as: UTF8.self)
    }

    /// What a refusal says, one line a diagnostic; the message alone where there are none; nil when nothing is thrown.
    static func refusal(_ body: () throws -> Void) -> [String]? {
        do {
            try body()
            return nil
        } catch let error as GranaryError {
            return error.diagnostics.isEmpty ? [error.message] : error.diagnostics.map(\.description)
        } catch {
            return ["\(error)"]
        }
    }
}
