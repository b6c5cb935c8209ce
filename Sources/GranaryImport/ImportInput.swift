import GranaryBase
import GranaryFormats
import GranaryRecords

/// One source of an import. It is opened when the sources before it are read.
struct ImportInput {
    let job: ResolvedJob
    /// Whether records can contain objects.
    let nests: Bool
    /// The entities whose objects its records can create.
    let entities: Set<Int>
    /// The sidecar beside the source.
    var sidecar: ImportSidecar?
    let open: () throws(GranaryError) -> any RecordReader
}
