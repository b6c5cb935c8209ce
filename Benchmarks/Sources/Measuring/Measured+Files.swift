import Foundation

extension Measured {
    /// Runs a command to its end; what it prints goes to files.
    ///
    /// The command takes the place of the shell that opens the files, so that time and memory are those of the command.
    ///
    /// - Parameters:
    ///   - output: the file for what the command prints on standard output. What it prints on standard error goes to a file
    ///     beside it, with the extension `errors`.
    ///   - missing: the status that says that the command is not there.
    /// - Returns: nil if the command ends with the status `missing`.
    /// - Throws: ``BenchmarkFailure`` with what the command printed, if it ends with another status than expected.
    package static func run(
        _ arguments: [String], output: String, expecting expected: Int32 = 0, missing: Int32 = 69
    ) throws -> Measured? {
        let script = "output=$1; shift; exec \"$@\" >\"$output\" 2>\"$output.errors\""
        let (measured, status) = try execute(["/bin/sh", "-c", script, "sh", output] + arguments)
        if status == expected << 8 { return measured }
        if status == missing << 8 { return nil }
        let printed = (try? String(contentsOfFile: output + ".errors", encoding: .utf8)) ?? ""
        let command = arguments.joined(separator: " ")
        throw BenchmarkFailure(
            "\(command) ended with status \(status >> 8), signal \(status & 0x7F): \(printed.suffix(2_000))")
    }
}
