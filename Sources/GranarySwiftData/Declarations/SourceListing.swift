/// What `granary-swiftdata` found in Swift sources: the declarations that can matter to a SwiftData schema, without any
/// interpretation. The tool prints it as JSON, and Granary reads it; both compile this file.
package struct SourceListing: Codable, Sendable {
    /// Grows with every change of the JSON, because the tool and Granary can be of different releases.
    package static let currentFormat = 1

    package var format = SourceListing.currentFormat
    /// The files in the order of the arguments.
    package var files: [SourceFile]

    package init(files: [SourceFile]) { self.files = files }
}
