import Foundation
import GranaryBase

/// `granary-browse`, the HTTP side of `granary browse` (docs/decisions/0053-browse.md).
enum BrowseProgram {
    static let name = "granary-browse"
    /// The variable of the environment with its path.
    private static let variable = "GRANARY_BROWSE"

    /// The path of the program.
    ///
    /// - Throws: ``GranaryError`` with code `unreadable` if it is not installed.
    static func path() throws(GranaryError) -> String {
        #if os(macOS) || os(Linux)
            return try CompanionProgram(
                name: name, variable: variable, purpose: "serves the pages of granary browse", target: "browse"
            ).path()
        #else
            throw GranaryError(.unreadable, "this platform cannot run \(name)")
        #endif
    }

    /// Starts the program, and waits until it listens.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for a free one.
    ///   - pages: the path of the socket on which this process answers requests.
    /// - Throws: ``GranaryError``: `uncreatable` if the port is taken; `refused` if the program is of another release.
    static func start(_ path: String, port: Int, pages: String) throws(GranaryError) -> BrowseProcess {
        try BrowseProcess(path, arguments: ["--port", "\(port)", "--pages", pages])
    }
}
