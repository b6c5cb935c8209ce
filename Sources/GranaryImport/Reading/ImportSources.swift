import GranaryBase
import GranaryFormats
import GranaryModel

/// The sources of an import in the order in which they are read, and their jobs.
struct ImportSources {
    let jobs: [ResolvedJob]
    /// The names of the sources.
    private(set) var files: [String] = []
    /// The number of each source's job.
    private(set) var jobOfFile: [Int] = []
    private(set) var digests: [(name: String, digest: String)] = []
    /// The data of each source for the rejects file.
    private var rejectsData: [RejectsData] = []

    /// What the rejects file needs to know about a source.
    struct RejectsData {
        var hints: ReaderHints
        var preamble: CSVPreamble?
        var keepsLines = false
        var properties: RejectedProperties
        /// The entity in the source's name.
        var entity: String?
    }

    init(jobs: [ResolvedJob]) { self.jobs = jobs }

    /// The job of a record.
    func job(of record: RecordID) -> ResolvedJob { jobs[jobOfFile[Int(record.file)]] }

    /// Adds the next source and returns its number.
    mutating func begin(_ name: String, of job: ResolvedJob) -> Int32 {
        files.append(name)
        jobOfFile.append(job.number)
        return Int32(truncatingIfNeeded: files.count - 1)
    }

    /// Adds the data of the last source for the rejects file.
    mutating func add(_ data: RejectsData) { rejectsData.append(data) }

    mutating func addDigest(_ digest: String, of name: String) { digests.append((name, digest)) }

    /// Whether the records of a source have a column for the relationship.
    func hasColumn(for relationship: Schema.Relationship, file: Int32) -> Bool {
        guard jobOfFile.indices.contains(Int(file)) else { return false }
        return jobs[jobOfFile[Int(file)]].fills(relationship)
    }

    /// The rejected records of all sources, for the rejects file.
    var rejected: [RejectsFile.Rejected] {
        var all: [RejectsFile.Rejected] = []
        for job in jobs {
            for source in job.job.sources {
                let file = all.count
                var rejected = RejectsFile.Rejected(
                    source: source, job: job.job, records: job.counts.rejected[Int32(file)] ?? RejectedRecords())
                if rejectsData.indices.contains(file) {
                    let data = rejectsData[file]
                    (rejected.hints, rejected.preamble, rejected.keepsLines) = (
                        data.hints, data.preamble, data.keepsLines
                    )
                    (rejected.properties, rejected.entity) = (data.properties, data.entity)
                }
                all.append(rejected)
            }
        }
        return all
    }

    /// The diagnostic of a row whose unique key another object has.
    ///
    /// - Parameter keyless: see ``ResolvedJob/updatingOptions(_:_:keyless:)``.
    func duplicate(
        _ keyIndex: KeyIndexes.KeyIndex, _ other: NaturalKeyIndex.Entry, _ entity: Schema.Entity, jobNumber: Int,
        keyless: [String] = []
    ) -> Diagnostic {
        let names = keyIndex.names.joined(separator: ", ")
        guard other.record != 0 else {
            return Diagnostic(
                .uniqueExists, "an object with this \(names) is in the store already", entity: entity.name,
                property: keyIndex.names.first, coreDataCode: 1551,
                help: jobs[jobNumber].updatingOptions(keyIndex, entity, keyless: keyless))
        }
        let place = RecordLocation(file: other.file, line: other.line, record: other.record)
        return Diagnostic(
            .uniqueDuplicate, "\(place.describe(files)) has the same \(names)", entity: entity.name,
            property: keyIndex.names.first, coreDataCode: 1551, related: [place.position(files: files)])
    }
}
