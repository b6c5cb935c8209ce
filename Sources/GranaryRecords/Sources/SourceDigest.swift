package import GranaryBase
import GranaryModel

/// Computes the digest of a source's bytes while they are read.
package final class SourceDigest {
    private var digest = ContentDigest()
    private let source: ByteSource?

    package init(_ source: ByteSource?) {
        self.source = source
        // A source whose reading ends with an error must not keep itself.
        source?.tap = { [weak self] in self?.digest.update($0) }
    }

    /// Ends the computation. Returns the digest in hexadecimal; empty for a source without bytes.
    package func finish() -> String {
        guard let source else { return "" }
        source.tap = nil
        return digest.hexadecimal
    }
}
