/// The arguments of the tool: `--port N --pages PATH`.
struct BrowseOptions: Equatable {
    /// The port to listen on; 0 for a free one.
    var port: UInt16 = 0
    /// The path of the Unix socket on which `granary` answers requests.
    var pages = ""

    /// - Parameter arguments: the arguments without the name of the program.
    /// - Returns: nil if they have another form.
    init?(_ arguments: [String]) {
        var rest = arguments[...]
        while let name = rest.popFirst() {
            guard let value = rest.popFirst() else { return nil }
            switch name {
            case "--port":
                guard let port = UInt16(value) else { return nil }
                self.port = port
            case "--pages": pages = value
            default: return nil
            }
        }
        if pages.isEmpty { return nil }
    }
}
