package import GranaryBase
package import GranaryModel
import GranaryPropertyLists

/// The model embedded in a store: the content of `Z_MODELCACHE`, a compiled model as raw DEFLATE.
package enum ModelCache {
    /// The limit of the decompressed size, in bytes. The largest of 138 real ones has several hundred thousand.
    static let limit = 64 << 20

    /// - Throws: ``GranaryError`` with code `refused` if the content is invalid or too large.
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
                    "\(source): the model cache cannot be decompressed: \(error.message)"))
        }
        let archive = try KeyedArchive(bytes, source: source, limits: ModelArchive.limits)
        return try CompiledModelReader.read(archive, source: source, diagnostics: &diagnostics)
    }
}

extension ModelCache {
    /// Checks that ``write(_:)`` can compile a model, in time proportional to its own properties: a model cache repeats
    /// inherited ones.
    ///
    /// - Throws: as ``write(_:)``, each problem once.
    package static func check(_ model: ManagedObjectModel) throws(GranaryError) {
        _ = try CompiledModelWriter.bytes(of: model, form: .mom)
    }

    /// The blob of a store's one row in `Z_MODELCACHE`: the compiled model as raw DEFLATE, without header and checksum.
    ///
    /// Core Data uses it as the old model of a migration if the app names none.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for everything that cannot be compiled.
    package static func write(_ model: ManagedObjectModel) throws(GranaryError) -> [UInt8] {
        try Deflate.compress(try CompiledModelWriter.bytes(of: model, form: .modelCache))
    }
}
