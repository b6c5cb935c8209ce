import ArgumentParser
import Foundation
import GranaryBase
import GranaryBrowsing
import GranaryRecords

/// `granary browse`: shows a store in a web browser.
struct BrowseCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "browse",
        abstract: "Shows a store in a web browser.",
        discussion: HelpText.paragraphs(
            """
            Prints an address on this machine, and serves its pages until Ctrl-C: the entities, their objects with
            conditions, orders and links, single objects, values of columns, the diagram of the model and the imports.
            The store is only read: an SQLite store, a property list of export, or a PostgreSQL store. The address works
            once and in one browser, which then keeps a cookie; other users and pages of the web get nothing.

            Examples:
              granary browse Seed.sqlite
              granary browse Seed.sqlite --port 8080 --zone Europe/Berlin
            """))

    @OptionGroup var input: StoreInput

    @Option(
        help: ArgumentHelp(
            "The model of the store; repeatable to merge several (default: the model in the store).",
            valueName: "model"),
        completion: .file())
    var model: [String] = []

    @Option(help: ArgumentHelp("The port of the address (default: a free one).", valueName: "n"))
    var port = 0

    @Option(help: ArgumentHelp("The time zone of dates (default: that of the machine).", valueName: "zone"))
    var zone: String?

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if !(0...65_535).contains(port) { throw ValidationError("--port must be a number from 0 to 65535.") }
        if let zone, TimeZone(listed: zone) == nil {
            throw ValidationError("--zone \(zone): is no time zone; write a name such as Europe/Berlin.")
        }
    }

    func run() throws {
        let source = try BrowsedSource(input.path, models: model, storeOptions)
        // What is wrong with the store is told here, and not by the first page.
        _ = try source.open()
        let program = try BrowseProgram.path()
        let folder = try PrivateFolder(prefix: BrowseProgram.name)
        defer { folder.remove() }
        let server = try PageServer(folder: folder.path)
        defer { server.stop() }
        let process = try BrowseProgram.start(program, port: port, pages: server.path)
        defer { process.end() }
        let gate = BrowserGate(port: process.port)
        let site = BrowserSite(
            name: source.name, gate: gate, zone: zone.flatMap { TimeZone(listed: $0) } ?? TimeZone.current)
        server.start(site, threads: source.threads) { try source.open() }
        try CommandOutput.write("http://127.0.0.1:\(process.port)\(gate.entrance)\n")
        if CommandOutput.current.dataTerminal.isPresent {
            CommandOutput.log("Open the address in a browser on this machine; it works once. Ctrl-C ends the command.")
        }
        while true {
            try Cancellation.current?.check()
            try process.checkIsRunning()
            usleep(20_000)
        }
    }
}
