import Foundation
import GranaryBase
import GranaryFormats
import GranaryRecords
import TestSupport
@testable import GranaryImport

/// Sources with rejected records, and what is written of them.
enum RejectsSamples {
    static func csv(
        _ bytes: [UInt8], name: String = "in.csv", options: CSVReader.Options = CSVReader.Options(),
        chunkBytes: Int = 1 << 16
    ) -> ImportSource {
        ImportSource(name: name) { () throws(GranaryError) -> any RecordReader in
            try CSVReader(ByteSource(bytes: bytes, name: name), options: options, chunkBytes: chunkBytes)
        }
    }

    static func csv(_ text: String, name: String = "in.csv") -> ImportSource { csv(Array(text.utf8), name: name) }

    static func json(_ bytes: [UInt8], name: String = "in.json", lines: Bool = false) -> ImportSource {
        ImportSource(name: name) { () throws(GranaryError) -> any RecordReader in
            var options = JSONReader.Options()
            options.lines = lines
            return JSONReader(ByteSource(bytes: bytes, name: name), options: options)
        }
    }

    static func propertyList(_ bytes: [UInt8], name: String = "in.plist") -> ImportSource {
        ImportSource(name: name) { () throws(GranaryError) -> any RecordReader in
            PropertyListReader(ByteSource(bytes: bytes, name: name))
        }
    }

    static func entry(
        _ source: ImportSource, _ numbers: [Int], entity: String? = "T"
    ) -> RejectsFile.Rejected {
        var records = RejectedRecords()
        for number in numbers { records.insert(number) }
        return RejectsFile.Rejected(source: source, job: ImportJob(entity: entity, sources: [source]), records: records)
    }

    /// The one file that is written for these sources.
    static func written(
        _ entries: [RejectsFile.Rejected], name: String = "bad.csv",
        format: ImportRunOptions.RejectsFormat = .same
    ) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: name).path
        _ = try RejectsFile(path: path, format: format).finishSamples(entries)
        return [UInt8](try Data(contentsOf: folder.url.appending(path: name)))
    }

    static func text(
        _ entries: [RejectsFile.Rejected], format: ImportRunOptions.RejectsFormat = .same
    ) throws -> String {
        String(decoding: try written(entries, format: format), as: UTF8.self)
    }

    /// The bytes of all records of a source, malformed ones too.
    static func records(_ source: ImportSource) throws -> [[UInt8]] {
        let reader = try source.open()
        try reader.readHeader()
        var record = Record()
        var result: [[UInt8]] = []
        while true {
            if case .end = try reader.next(into: &record) { return result }
            result.append(record.raw)
        }
    }
}

extension RejectsFile {
    /// Keeps the records as an import does, then writes the files.
    func finishSamples(_ entries: [Rejected]) throws -> [String] {
        var all = entries
        for index in all.indices {
            let reader = try all[index].source.open()
            try reader.readHeader()
            all[index].entity = (reader as? any WrappingReader)?.entities.first
            all[index].preamble = try reader.abilities?.preamble()
            let base = RejectsFile.unwrapped(reader)
            all[index].keepsLines = base is DatabaseReader || base is CheckedReader
            guard all[index].preamble != nil || all[index].keepsLines else { continue }
            var record = Record()
            reading: while true {
                var isMalformed = false
                switch try reader.next(into: &record) {
                case .end: break reading
                case .malformed: isMalformed = true
                case .record: break
                }
                var text = record.raw
                if all[index].keepsLines {
                    text.removeAll()
                    RecordLine(base, all[index].properties).append(record, isMalformed: isMalformed, to: &text)
                }
                text.withUnsafeBufferPointer { kept.add(record.number, $0, of: Int32(index)) }
            }
        }
        let paths = try write(all)
        try publish()
        return paths
    }
}
