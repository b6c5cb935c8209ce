package import GranaryBase
package import GranaryModel

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
