import Foundation
import GranaryFormats

/// `--trim name,url`: the flag with an optional value, which the argument parser does not have.
enum TrimArgument {
    static let option = "trim-columns"

    /// The arguments with the columns of `--trim` under a name of their own.
    ///
    /// The argument after `--trim` names columns, unless it is an option, a file, or named like one.
    static func rewritten(_ arguments: [String]) -> [String] {
        guard arguments.first == "import", arguments.contains(where: { $0.hasPrefix("--trim") }) else {
            return arguments
        }
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument == "--" { return result + [argument] + rest }
            if argument.hasPrefix("--trim=") {
                result.append("--\(option)=" + argument.dropFirst("--trim=".count))
            } else if argument == "--trim", let next = rest.first, areColumns(next) {
                result.append("--\(option)=" + next)
                rest.removeFirst()
            } else {
                result.append(argument)
            }
        }
        return result
    }

    private static func areColumns(_ text: String) -> Bool {
        !text.hasPrefix("-") && !text.contains { "*?[/".contains($0) } && DataFormat(fileName: text) == nil
            && !FileManager.default.fileExists(atPath: text)
    }
}
