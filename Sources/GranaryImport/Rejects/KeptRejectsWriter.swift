import GranaryBase

/// A writer of records that were kept while they were read.
protocol KeptRejectsWriter: RejectsWriter {
    func append(_ raw: [UInt8]) throws(GranaryError)
}
