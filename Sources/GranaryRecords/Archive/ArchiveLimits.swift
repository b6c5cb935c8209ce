import GranaryBase
import GranaryFormats

/// Limits on the values of an archive, relative to the file's length.
///
/// Every saved archive must open, so there are no absolute limits. But in a binary list a few bytes can refer to one
/// long text many times. Granary's own files share only keys and texts of up to 64 bytes, which is 16 times a
/// reference.
struct ArchiveLimits {
    private static let growth = 32
    private static let least = 64 << 20

    private let fileBytes: Int

    init(fileBytes: Int64) { self.fileBytes = Int(clamping: fileBytes) }

    /// The maximum number of bytes of all values together.
    var valueBytes: Int {
        let (grown, isTooMany) = max(0, fileBytes).multipliedReportingOverflow(by: Self.growth)
        return isTooMany ? .max : max(Self.least, grown)
    }

    var readerOptions: PropertyListReader.Options {
        var options = PropertyListReader.Options()
        options.allowsNUL = true
        options.inflatesGzip = false
        options.maximumRecordBytes = min(valueBytes, Int(Int32.max))
        options.maximumFieldBytes = min(valueBytes, 1 << 30)
        options.maximumFields = min(max(options.maximumFields, fileBytes), Int(Int32.max))
        options.maximumMetadataValues = max(options.maximumMetadataValues, fileBytes)
        options.maximumBinaryBytes = max(options.maximumBinaryBytes, fileBytes)
        return options
    }

    func exceeded(_ path: String) -> GranaryError {
        GranaryError(
            Diagnostic(
                .limitExceeded,
                "\(path): its values take more than \(valueBytes) bytes, the limit for a file of that length"))
    }
}
