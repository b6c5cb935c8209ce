import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection

/// What `store check --format json` prints.
struct StoreCheckListing: Encodable {
    let store: String
    let report: StoreCheckReport

    private enum CodingKeys: String, CodingKey {
        case store, model, errors, warnings, findingCount, findings
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(store, forKey: .store)
        try container.encode(report.model, forKey: .model)
        try container.encode(report.findings.errorCount, forKey: .errors)
        try container.encode(report.findings.warningCount, forKey: .warnings)
        try container.encode(report.findings.count, forKey: .findingCount)
        try container.encode(report.findings.findings, forKey: .findings)
    }
}
