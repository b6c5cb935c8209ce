import GranaryBase
package import GranaryModel
import GranaryPropertyLists

extension AttributeTransformers {
    /// The problem of a Transformable attribute's bytes that the transformer in the model cannot read; nil if it can,
    /// and for transformers that do not read keyed archives, or are not known.
    ///
    /// Bytes of an attribute without a named transformer are not checked: the program that wrote them decided how.
    /// Only the form of the archive is checked: an object of a class that the transformer does not allow stays as it
    /// is.
    package func problem(of bytes: UnsafeBufferPointer<UInt8>, _ attribute: Schema.Attribute) -> Violation? {
        guard attribute.type == .transformable, let name = attribute.description.valueTransformerName,
            self[name]?.readsKeyedArchives == true
        else { return nil }
        do throws(GranaryError) {
            let archive = try KeyedArchive(
                Array(bytes), source: "keyed archive",
                limits: PropertyListBudget.listLimits(archiveBytes: bytes.count))
            guard try archive.topKeys().contains("root") else {
                return Self.violation(name, "it has no object \"root\"")
            }
            return nil
        } catch {
            let reasons = error.diagnostics.isEmpty ? [error.message] : error.diagnostics.map(\.message)
            // An archive that is larger than a limit may be valid.
            guard error.diagnostics.allSatisfy({ $0.code == .plistSyntax }) else { return nil }
            return Self.violation(name, reasons.joined(separator: "; "))
        }
    }

    private static func violation(_ name: String, _ reason: String) -> Violation {
        Violation(
            .valueSyntax,
            "the transformer \(Diagnostic.shortened(name)) cannot read the bytes, which are not a keyed archive: "
                + reason)
    }
}
