import ArgumentParser

/// The options of commands that can write their result as a page.
struct PageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write the result as a page of HTML.", valueName: "file"), completion: .file())
    var html: String?

    /// Creates the file under a temporary name; nil without the option.
    ///
    /// - Parameters:
    ///   - replacing: whether a file of that name may be replaced.
    ///   - store: a store whose values the page has; the page gets its permissions.
    func output(replacing: Bool, store: String) throws -> PageOutput? {
        try html.map { try PageOutput($0, replacing: replacing, store: store) }
    }
}
