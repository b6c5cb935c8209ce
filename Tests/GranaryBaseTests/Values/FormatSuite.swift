import Foundation
import TestSupport
import Testing

/// The texts of one file of the JSON Schema test suite for formats, and whether each is valid.
func formatCases(_ name: String) throws -> [(text: String, isValid: Bool)] {
    let path = "corpora/json-schema-formats/tests/draft2020-12/optional/format/\(name).json"
    struct Group: Decodable {
        struct Case: Decodable {
            var data: Data?
            var valid: Bool

            /// Only the texts: a format says nothing about other types.
            struct Data: Decodable {
                var text: String?
                init(from decoder: any Decoder) throws {
                    text = try? decoder.singleValueContainer().decode(String.self)
                }
            }
        }

        var tests: [Case]
    }
    let groups = try JSONDecoder().decode([Group].self, from: Data(contentsOf: SharedFiles.url(path)))
    let cases = groups.flatMap(\.tests).compactMap { test in test.data?.text.map { ($0, test.valid) } }
    try #require(cases.count > 10)
    return cases
}
