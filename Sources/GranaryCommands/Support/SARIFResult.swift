import GranaryBase

/// A diagnostic as a SARIF 2.1.0 result.
struct SARIFResult: Encodable {
    struct ArtifactLocation: Encodable {
        let uri: String
    }

    struct Region: Encodable {
        let startLine: Int
        let startColumn: Int?
        let byteOffset: Int?
    }

    struct PhysicalLocation: Encodable {
        let artifactLocation: ArtifactLocation
        let region: Region?
    }

    struct Location: Encodable {
        let physicalLocation: PhysicalLocation

        init(_ position: SourcePosition) {
            // A position without a line (0) is the whole file.
            let region =
                position.line < 1
                ? nil
                : Region(
                    startLine: position.line, startColumn: position.column < 1 ? nil : position.column,
                    byteOffset: position.byteOffset)
            physicalLocation = PhysicalLocation(
                artifactLocation: ArtifactLocation(uri: SARIFResult.uri(position.file)), region: region)
        }
    }

    /// Information without a place in SARIF, under the keys of the import report.
    struct Properties: Encodable {
        let entity: String?
        let property: String?
        let field: String?
        let value: String?
        let record: Int?
        let coreDataCode: Int?
    }

    let ruleId: String
    let ruleIndex: Int
    let level: String
    let message: SARIFLog.Message
    let locations: [Location]
    let relatedLocations: [Location]?
    let properties: Properties

    init(_ diagnostic: Diagnostic, ruleIndex: Int) {
        ruleId = diagnostic.code.rawValue
        self.ruleIndex = ruleIndex
        level = diagnostic.severity.rawValue
        let subject = [diagnostic.entity, diagnostic.property].compactMap { $0 }.joined(separator: ".")
        message = SARIFLog.Message(text: subject.isEmpty ? diagnostic.message : "\(subject): \(diagnostic.message)")
        locations = diagnostic.position.map { [Location($0)] } ?? []
        relatedLocations = diagnostic.related.isEmpty ? nil : diagnostic.related.map { Location($0) }
        properties = Properties(
            entity: diagnostic.entity, property: diagnostic.property, field: diagnostic.field, value: diagnostic.value,
            record: diagnostic.position?.record, coreDataCode: diagnostic.coreDataCode)
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
