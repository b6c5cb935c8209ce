import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords

extension ExportSidecar {
    /// Describes an export.
    ///
    /// - Parameter file: the name of the only file; nil for a folder with a file for each table.
    init(_ plan: ExportPlan, _ options: ExportOptions, _ format: DataFormat, file: String?) {
        let keys = options.sortDescriptors.map { $0.keyPath + ($0.isAscending ? "" : " descending") }
        self.init(
            format: format.rawValue, model: plan.schema.checksum,
            order: (keys + ["primary key"]).joined(separator: ", "))
        if format.isDelimited {
            null = options.nullText ?? ""
            isForSpreadsheets = options.isForSpreadsheets
        }
        if format != .plist { (dates, binary) = (options.dates, options.binary) }
        nonFinite = options.nonFinite
        form = options.form
        if options.blobs == .files {
            blobs = file.map { $0 + Self.blobSuffix } ?? Self.blobFolder
        }
        for table in plan.tables {
            let entity = plan.schema.entities[table.entity]
            let described = Table(
                entity: entity.name, hash: plan.schema.versionHashes[entity.name]?.base64EncodedString() ?? "",
                columns: table.columns.map { Column($0, plan.schema) })
            files[file ?? "\(entity.name).\(format.rawValue)", default: []].append(described)
        }
    }
}
