public import Foundation
public import GranaryBase
import GranaryCoordination
public import GranaryCoreDataStore
public import GranaryModel
import GranarySQLite

/// The findings of a store check: SQLite's own check, the layout against the model, and every object.
///
/// ```swift
/// let check = try StoreCheckReport(checking: URL(filePath: "Seed.sqlite"))
/// for finding in check.findings { print(finding.described) }
/// ```
public struct StoreCheckReport: Sendable {
    /// The source of the model that the store was checked with; nil if there was none.
    public let model: StoreModelSource?
    /// The first findings, at most 10,000.
    public var findings: [StoreFinding] { collected.findings }
    /// The number of findings, including those past the limit.
    public var count: Int { collected.count }
    /// The number of findings that are errors.
    public var errorCount: Int { collected.errorCount }
    /// The number of findings that are warnings.
    public var warningCount: Int { collected.warningCount }
    let collected: StoreFindings

    /// Checks a store file, which is not changed. Damage becomes findings, as far as the file can be read.
    ///
    /// - Parameter model: the expected model; nil for the model that the store contains, or one inferred from its
    ///   tables.
    /// - Throws: ``GranaryError``: `unreadable` if there is no such file, `refused` if it is not a Core Data store or
    ///   the model has problems, `busy` if another process locks it.
    public init(checking url: URL, model: ManagedObjectModel? = nil) throws(GranaryError) {
        self = try StoreChecker.check(path: url.path(percentEncoded: false), given: model)
    }

    init(model: StoreModelSource?, findings: StoreFindings) {
        self.model = model
        collected = findings
    }
}

extension StoreCheckReport: CustomStringConvertible {
    /// `2 errors, 1 warning`, then a line for each kept finding; `no findings` if there are none.
    public var description: String {
        guard count > 0 else { return "no findings" }
        let counts = "\(CountText.count(errorCount, "error")), \(CountText.count(warningCount, "warning"))"
        return ([counts] + findings.map(\.described.description)).joined(separator: "\n")
    }
}
