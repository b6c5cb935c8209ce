/// A format of images that is shown.
///
/// The first bytes decide, as nothing else says what binary data is. SVG is not among the formats, because it can contain
/// scripts.
enum ImageKind: CaseIterable {
    case png, jpeg, gif, webp

    /// The number of bytes that ``init(_:)`` needs.
    static let signatureLength = 12

    /// Returns nil for anything else.
    init?(_ start: some Collection<UInt8>) {
        let start = Array(start.prefix(Self.signatureLength))
        func begins(_ bytes: [UInt8]) -> Bool { start.starts(with: bytes) }
        if begins([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if begins([0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if begins(Array("GIF87a".utf8)) || begins(Array("GIF89a".utf8)) {
            self = .gif
        } else if start.count >= 12, begins(Array("RIFF".utf8)), start[8..<12].elementsEqual("WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    var contentType: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .webp: "image/webp"
        }
    }

    var name: String {
        switch self {
        case .png: "PNG image"
        case .jpeg: "JPEG image"
        case .gif: "GIF image"
        case .webp: "WebP image"
        }
    }
}
