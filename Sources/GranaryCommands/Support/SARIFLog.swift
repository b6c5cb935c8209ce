import GranaryBase

/// Diagnostics as one SARIF 2.1.0 document (OASIS), which code hosts and editors display.
///
/// SARIF counts the columns of a region in characters, Granary in bytes; they differ after text that is not ASCII.
/// `byteOffset` is exact.
enum SARIFLog {
    /// - Parameters:
    ///   - count: the total number of diagnostics.
    ///   - failure: the error that ended the command; nil if it ran to its end.
    static func json(
        of diagnostics: [Diagnostic], count: Int, toolVersion: String, exitCode: Int32, failure: String? = nil
    ) -> JSONObject {
        var rules: [JSONObject] = []
        var indexes: [Diagnostic.Code: Int] = [:]
        var results: [JSONObject] = []
        for diagnostic in diagnostics {
            let index = indexes[diagnostic.code] ?? rules.count
            if index == rules.count {
                rules.append(["id": diagnostic.code.rawValue])
                indexes[diagnostic.code] = index
            }
            results.append(result(diagnostic, ruleIndex: index))
        }
        let driver: JSONObject = ["name": "granary", "version": toolVersion, "rules": rules]
        let notifications = failure.map { [["level": "error", "message": message($0)] as JSONObject] }
        let invocation = JSONObject(present: [
            "executionSuccessful": failure == nil, "exitCode": exitCode, "toolExecutionNotifications": notifications,
        ])
        let run: JSONObject = [
            "tool": ["driver": driver], "columnKind": "unicodeCodePoints", "invocations": [invocation],
            "results": results, "properties": ["diagnosticCount": count],
        ]
        return ["$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]]
    }

    private static func result(_ diagnostic: Diagnostic, ruleIndex: Int) -> JSONObject {
        let subject = [diagnostic.entity, diagnostic.property].compactMap { $0 }.joined(separator: ".")
        let text = subject.isEmpty ? diagnostic.message : "\(subject): \(diagnostic.message)"
        // Information without a place in SARIF, under the keys of the import report.
        let properties = JSONObject(present: [
            "entity": diagnostic.entity, "property": diagnostic.property, "field": diagnostic.field,
            "value": diagnostic.value, "record": diagnostic.position?.record, "coreDataCode": diagnostic.coreDataCode,
        ])
        return JSONObject(present: [
            "ruleId": diagnostic.code.rawValue, "ruleIndex": ruleIndex, "level": diagnostic.severity.rawValue,
            "message": message(text), "locations": [diagnostic.position].compactMap { $0 }.map(location),
            "relatedLocations": diagnostic.related.isEmpty ? nil : diagnostic.related.map(location),
            "properties": properties,
        ])
    }

    private static func message(_ text: String) -> JSONObject { ["text": text] }

    private static func location(_ position: SourcePosition) -> JSONObject {
        // A position without a line (0) is the whole file.
        let region = JSONObject(present: [
            "startLine": position.line, "startColumn": position.column < 1 ? nil : position.column,
            "byteOffset": position.byteOffset,
        ])
        let physical = JSONObject(present: [
            "artifactLocation": ["uri": uri(position.file)], "region": position.line < 1 ? nil : region,
        ])
        return ["physicalLocation": physical]
    }

    /// A path as a URI reference (RFC 3986): a relative path as it is, an absolute one with `file://`.
    static func uri(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array((path.hasPrefix("/") ? "file://" : "").utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"), UInt8(ascii: "/"):
                bytes.append(byte)
            default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
