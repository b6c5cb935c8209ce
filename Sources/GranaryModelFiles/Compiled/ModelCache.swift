package import GranaryBase
package import GranaryModel
import GranaryPropertyLists

/// The model that a store keeps of itself: the content of `Z_MODELCACHE`, a compiled model as raw DEFLATE.
package enum ModelCache {
    /// The bytes that a content may stand for. The largest of 138 real ones has some hundred thousand.
    static let limit = 64 << 20

    /// - Throws: ``GranaryError`` with code `refused` for what is no such content, or stands for too much.
    package static func read(
        _ content: [UInt8], source: String, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) -> ManagedObjectModel {
        let bytes: [UInt8]
        do throws(GranaryError) {
            bytes = try Deflate.decompress(content, limit: limit)
        } catch {
            throw GranaryError(
                Diagnostic(
                    error.diagnostics.first?.code ?? .modelSyntax,
                    "\(source): the model cache cannot be unpacked: \(error.message)"))
        }
        let archive = try KeyedArchive(bytes, source: source, limits: ModelArchive.limits)
        return try CompiledModelReader.read(archive, source: source, diagnostics: &diagnostics)
    }
}

extension ModelCache {
    /// The blob of a store's one row in `Z_MODELCACHE`: the compiled model as raw DEFLATE, without header and checksum.
    ///
    /// Core Data takes the old model from there when it migrates the store and nobody names one.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and what cannot be compiled, each with entity and property.
    package static func write(_ model: ManagedObjectModel) throws(GranaryError) -> [UInt8] {
        try Deflate.compress(try CompiledModelWriter.bytes(of: model, form: .modelCache))
    }
}
