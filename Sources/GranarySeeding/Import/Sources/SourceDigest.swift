import GranaryBase
import GranaryModel

/// Works out the digest of a source's bytes while they are read.
final class SourceDigest {
    private var digest = ContentDigest()
    private let source: ByteSource?

    init(_ source: ByteSource?) {
        self.source = source
        source?.tap = { [self] in digest.update($0) }
    }

    /// The digest so far, in hexadecimal; the empty text for a source without bytes of its own.
    func finish() -> String {
        guard let source else { return "" }
        source.tap = nil
        return digest.hexadecimal
    }
}
