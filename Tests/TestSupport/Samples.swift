public import Foundation

/// The project's own samples.
public enum Samples {
    public static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "samples")

    public static func url(_ path: String) -> URL { root.appending(path: path) }
}
