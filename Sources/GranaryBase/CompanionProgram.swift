import Foundation

/// A program that is installed together with `granary`, in a package of its own: `granary-swiftdata`, `granary-browse`.
package struct CompanionProgram: Sendable {
    /// The name of its file.
    package let name: String
    /// The variable of the environment with its path.
    private let variable: String
    /// What it does, for the message that it is missing: `reads Swift sources`.
    private let purpose: String
    /// The target of the Makefile that builds it.
    private let target: String

    package init(name: String, variable: String, purpose: String, target: String) {
        self.name = name
        self.variable = variable
        self.purpose = purpose
        self.target = target
    }

    #if os(macOS) || os(Linux)
        /// The path of the program: that of the environment, else beside this program, else in `PATH`.
        ///
        /// - Throws: ``GranaryError`` with code `unreadable` if there is none.
        package func path() throws(GranaryError) -> String {
            let environment = ProcessInfo.processInfo.environment
            if let given = environment[variable], !given.isEmpty {
                guard FileManager.default.isExecutableFile(atPath: given) else {
                    throw GranaryError(.unreadable, "\(given): is not a program (\(variable) names it)")
                }
                return given
            }
            var folders: [String] = []
            if let program = Bundle.main.executableURL?.resolvingSymlinksInPath() {
                folders.append(program.deletingLastPathComponent().path(percentEncoded: false))
            }
            folders += (environment["PATH"] ?? "").split(separator: ":").map(String.init)
            for folder in folders {
                let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
                if FileKind(path) == .file, FileManager.default.isExecutableFile(atPath: path) { return path }
            }
            throw GranaryError(
                .unreadable,
                "\(name) is not installed: it \(purpose), and is neither beside granary nor in PATH; "
                    + "install the package of granary, or run `make \(target)` in its repository")
        }
    #endif
}
