import GranaryBase

/// Diagnostics as one SARIF 2.1.0 document (OASIS), which code hosts and editors display.
///
/// SARIF counts the columns of a region in characters, Granary in bytes; they differ after text that is not ASCII.
/// `byteOffset` is exact.
struct SARIFLog: Encodable {
    struct Message: Encodable {
        let text: String
    }

    struct Rule: Encodable {
        let id: String
    }

    struct Driver: Encodable {
        let name = "granary"
        let version: String
        let rules: [Rule]
    }

    struct Tool: Encodable {
        let driver: Driver
    }

    struct Notification: Encodable {
        let level = "error"
        let message: Message
    }

    struct Invocation: Encodable {
        let executionSuccessful: Bool
        let exitCode: Int32
        let toolExecutionNotifications: [Notification]?
    }

    struct Properties: Encodable {
        /// The total number of diagnostics; the results are the first of them.
        let diagnosticCount: Int
    }

    struct Run: Encodable {
        let tool: Tool
        let columnKind = "unicodeCodePoints"
        let invocations: [Invocation]
        let results: [SARIFResult]
        let properties: Properties
    }

    let schema = "https://json.schemastore.org/sarif-2.1.0.json"
    let version = "2.1.0"
    let runs: [Run]

    private enum CodingKeys: String, CodingKey {
        case schema = "$schema"
        case version, runs
    }

    /// - Parameters:
    ///   - count: the total number of diagnostics.
    ///   - failure: the error that ended the command; nil if it ran to its end.
    init(_ diagnostics: [Diagnostic], count: Int, toolVersion: String, exitCode: Int32, failure: String? = nil) {
        var rules: [Diagnostic.Code] = []
        var indexes: [Diagnostic.Code: Int] = [:]
        var results: [SARIFResult] = []
        for diagnostic in diagnostics {
            let index = indexes[diagnostic.code] ?? rules.count
            if index == rules.count {
                rules.append(diagnostic.code)
                indexes[diagnostic.code] = index
            }
            results.append(SARIFResult(diagnostic, ruleIndex: index))
        }
        let driver = Driver(version: toolVersion, rules: rules.map { Rule(id: $0.rawValue) })
        let invocation = Invocation(
            executionSuccessful: failure == nil, exitCode: exitCode,
            toolExecutionNotifications: failure.map { [Notification(message: Message(text: $0))] })
        runs = [
            Run(
                tool: Tool(driver: driver), invocations: [invocation], results: results,
                properties: Properties(diagnosticCount: count))
        ]
    }
}
