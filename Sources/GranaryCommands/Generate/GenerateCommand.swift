import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryGeneration
import GranaryImport
import GranaryModel
import GranaryModelFiles
import GranaryPages
import GranaryPostgreSQL
import GranarySeedPlans

/// `granary generate`: adds made-up objects to a store.
struct GenerateCommand: InterruptibleCommand, SwiftDataCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "generate",
        abstract: "Generates objects that satisfy the model.",
        discussion: HelpText.paragraphs(
            """
            Values satisfy types, lengths, ranges, regular expressions, validation predicates and uniqueness
            constraints; relationships satisfy their counts. The same model, counts, options and seed number give the
            same objects. If the model cannot be satisfied, nothing is written, and the message names the entity, the
            rule and the largest count.

            Generated objects are added to the stored ones. They are linked to each other, and to stored objects where
            no objects of the destination are generated.

            The values of an attribute are chosen by its name, or by the key granary.generator of its user info in the
            model, or by --generator: name, firstName, lastName, username, email, phone, city, country, street,
            postcode, company, color, word, title, sentence, url, code, uuid, date 2010..2020, number 1..10,
            number 1.00..9.99, number 0..10 step 0.25, one of A, B, one of A 70%, B 30%, pattern [A-Z]{3}, ipv4, ipv6,
            region, latitude, longitude, timeZone, currency, iban, cardNumber, hexColor, paragraph, uuidLower,
            uuidPlain, text 3..12, formula price * count, or after startDate within 1..90 days. Numbers, dates and
            lengths can have several ranges with frequencies: number 1..5:70, 6..10:30. --links gives the numbers of
            linked objects: 3, 0..5, 0..5 zipf, or 0:50, 1..2:30, 3:20. City, country, region, postcode,
            time zone and coordinates of an object fit together, and an e-mail address belongs to its names.

            --preview prints the first objects of each entity and stores nothing. --like makes objects like those of a
            store: as many, with as many NULLs, and with the same distributions of numbers, dates, lengths and links, but
            without its texts. With --save-plan this becomes a seed plan, and nothing is generated.

            Examples:
              granary generate --model Triage.xcdatamodeld --store Test.sqlite \\
                --count Patient=1000 --count Responder=40 --random-seed 7
              granary generate --store Test.sqlite --count Patient=10 \\
                --generator 'Patient.name=one of Ann, Bob'
              granary generate --model App.xcdatamodeld --version 'App 2' \\
                --store Fixtures/App-2.sqlite --count Patient=20
              granary generate --model Triage.xcdatamodeld --preview 5
              granary generate --like Seed.sqlite --model Triage.xcdatamodeld --save-plan like.yaml
            """))

    @Option(
        help: ArgumentHelp(
            "The model of the store; repeatable to merge several. Needed for a new store.", valueName: "model"),
        completion: .file())
    var model: [String] = []

    @Option(
        help: ArgumentHelp(
            "The version of MODEL, a folder of versions (default: the current one); for stores of released versions.",
            valueName: "name"))
    var version: String?

    @OptionGroup var target: OptionalStoreInput
    private var store: String { target.path }

    @Option(
        help: ArgumentHelp(
            "The number of objects of an entity, without its subentities; repeatable.", valueName: "entity=n"))
    var count: [String] = []

    @Option(help: ArgumentHelp("The seed for repeatable values.", valueName: "n"))
    var randomSeed: UInt64 = 0

    @Option(help: "The language of names, places and words.")
    var locale = GenerationOptions.Locale.english

    @Option(
        help: ArgumentHelp(
            "The percentage of NULL in optional attributes and to-one relationships.", valueName: "n"))
    var nullPercent = 10

    @Option(
        help: ArgumentHelp(
            "The generator of an attribute; repeatable. It overrides the model's user info.",
            valueName: "entity.attribute=generator"))
    var generator: [String] = []

    @Option(
        help: ArgumentHelp(
            "The numbers of objects of a to-many relationship, such as 0..5; repeatable.",
            valueName: "entity.relationship=counts"))
    var links: [String] = []

    @Flag(help: "Generate values at the edges of the model's rules: empty, longest, extreme.")
    var edgeCases = false

    @Flag(help: "The counts include the stored objects: generate only the missing ones.")
    var fillUp = false

    @Flag(help: "Generate the objects, then roll them back.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Print the first objects of each entity, and store nothing. Without --count, there are as many of each.",
            valueName: "n"))
    var preview: Int?

    @Option(help: "The format of a preview.")
    var format: ReportFormat?

    @Option(
        help: ArgumentHelp(
            "Generate objects like those of this store, without its texts. --count overrides its counts.",
            valueName: "store"),
        completion: .file())
    var like: String?

    @Option(
        help: ArgumentHelp("With --like: write a seed plan, and generate nothing.", valueName: "file"),
        completion: .file())
    var savePlan: String?

    @Flag(help: "With --like: keep the smallest and the largest numbers and dates, which can be those of one object.")
    var keepBounds = false

    @OptionGroup var page: PageOptions

    @Flag(help: "Replace a page or plan that exists.")
    var force = false

    @OptionGroup var writing: StoreWritingOptions
    @OptionGroup var shipping: ShippingOptions

    @Flag(help: "Print errors and the last line only.")
    var quiet = false

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup(title: SwiftDataArguments.title, visibility: HelpText.detail) var swiftData: SwiftDataArguments
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if try counts().isEmpty, preview == nil, like == nil {
            throw ValidationError("--count is missing, such as --count Patient=100.")
        }
        if store.isEmpty, preview == nil, savePlan == nil {
            throw ValidationError("the store is missing; write it after the command.")
        }
        try validatePreview()
        if !(0...100).contains(nullPercent) { throw ValidationError("--null-percent must be from 0 to 100.") }
        if version != nil, model.count != 1 { throw ValidationError("--version needs one --model with versions.") }
        _ = try generators()
        var protected = ProtectedFiles()
        protected.add(StoreArgument.files(store), as: "the store's")
        protected.add(model, as: "the model")
        if let like { protected.add(StoreArgument.files(like), as: "the store of --like") }
        try OutputArgument.check([("--html", page.html), ("--save-plan", savePlan)], against: protected)
    }

    private func validatePreview() throws {
        if let preview, !(1...100_000).contains(preview) {
            throw ValidationError("--preview must be between 1 and 100000.")
        }
        if preview != nil, page.html != nil || shipping.ship || dryRun || savePlan != nil {
            throw ValidationError("--preview stores nothing, so it excludes --html, --ship, --dry-run and --save-plan.")
        }
        if preview == nil, format != nil { throw ValidationError("--format is the format of --preview.") }
        if like == nil, savePlan != nil || keepBounds {
            throw ValidationError("--save-plan and --keep-bounds need --like.")
        }
        if savePlan != nil {
            if model.count > 1 { throw ValidationError("--save-plan needs one --model.") }
            if let like, model.isEmpty, ConnectionText.isConnection(like) {
                throw ValidationError("--save-plan of a PostgreSQL store needs --model.")
            }
        }
        _ = try Dictionary(ImportColumnOptions.pairs(links, "--links")) { first, _ in first }
    }

    /// The paths of the models: of the chosen version, if there is one.
    private func modelPaths() throws -> [String] {
        guard let version, let folder = model.first else { return model }
        let versions = try ManagedObjectModel.versions(in: URL(filePath: folder))
        guard let found = versions.first(where: { $0.name == version }) else {
            let names = versions.map(\.name)
            throw GranaryError(
                .usage,
                "\(folder): there is no version \"\(Diagnostic.shortened(version))\""
                    + "\(NearestText.hint(for: version, in: names)); it has \(names.joined(separator: ", "))")
        }
        return [found.path]
    }

    private func counts() throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for (entity, text) in try ImportColumnOptions.pairs(count, "--count") {
            guard let number = Int(text), number >= 0 else {
                throw ValidationError("--count \(entity)=\(text): a number of objects is required.")
            }
            counts[entity] = number
        }
        return counts
    }

    private func generators() throws -> [String: String] {
        Dictionary(try ImportColumnOptions.pairs(generator, "--generator")) { first, _ in first }
    }

    func run() throws {
        var request = try request()
        if let like {
            let source = GenerateLike(
                source: like, models: try modelPaths(), storeOptions: storeOptions, keepsBounds: keepBounds)
            request = try source.request(request, limit: diagnosticOptions.maxDiagnostics)
            if let savePlan {
                return try source.save(
                    request, to: savePlan, store: store.isEmpty ? nil : store, replacing: force)
            }
        }
        if let preview { return try show(request, rows: preview) }
        let report = try generate(request)
        if !quiet {
            CommandOutput.log(report.storeWarnings, limit: diagnosticOptions.maxDiagnostics)
            if dryRun { CommandOutput.log("granary: dry run: nothing was stored") }
            report.shipping?.log(store)
        }
        CommandOutput.log(report.ledger)
    }

    /// The paths of the models; the store of `--like` has one too.
    private func modelsOrSource() throws -> [String] {
        model.isEmpty ? [like].compactMap { $0 } : try modelPaths()
    }

    /// Prints the first objects that would be added.
    private func show(_ request: GenerationRequest, rows: Int) throws {
        let preview = GeneratePreview(request: request, rows: rows, format: format ?? .text)
        if ConnectionText.isConnection(store) || FileManager.default.fileExists(atPath: store) {
            let target = try StoreArgument.openForReading(store, models: try modelPaths(), storeOptions)
            return try preview.run(schema: target.schema, addedTo: target)
        }
        let models = try modelsOrSource()
        guard !models.isEmpty else {
            throw GranaryError(.usage, "a preview needs a model or a store", help: "--model MODEL")
        }
        try preview.run(schema: try ModelArgument.load(models), addedTo: nil)
    }

    /// What the options ask for.
    private func request() throws -> GenerationRequest {
        var options = GenerationOptions()
        options.randomSeed = randomSeed
        options.locale = locale
        options.nullPercent = nullPercent
        options.generators = try generators()
        options.fillsUp = fillUp
        options.edgeCases = edgeCases
        options.linkCounts = Dictionary(try ImportColumnOptions.pairs(links, "--links")) { first, _ in first }
        return GenerationRequest(counts: try counts(), options: options)
    }

    private func generate(_ request: GenerationRequest) throws -> GenerationReport {
        let output = try page.output(replacing: force, store: store)
        var run = ImportRunOptions()
        run.keepsLedger = !writing.noLedger
        run.isDryRun = dryRun
        run.loader = writing.loader
        run.cancellation = Cancellation.current
        run.generation = request
        var item = StoreImport(path: store, jobs: [], run: run)
        item.models = try modelsOrSource()
        item.ships = shipping.ship
        item.inlinesExternalData = shipping.external == .inline
        item.identifier = shipping.identifier
        item.busyTimeout = storeOptions.busyTimeout
        var warnings: [Diagnostic] = []
        defer { CommandOutput.log(warnings, limit: DiagnosticOptions.defaultLimit) }
        let targets = try StoreTarget.checked([item], plan: nil, warnings: &warnings)
        for target in targets {
            try target.open()
            try shipping.check(target, path: store)
        }
        let (reports, failure) = try StoreRun(targets).run()
        if let failure {
            throw GranaryError(failure.code, "\(failure.message); the objects are stored", underlying: failure)
        }
        let title = "Objects generated in " + ConnectionText.displayName(of: store)
        do { try output?.write(ImportPage.html(reports, title: title)) } catch let error as GranaryError where !dryRun {
            throw GranaryError(error.code, "\(error.message); the objects are stored", underlying: error)
        }
        guard var report = reports.first else {
            throw GranaryError(.internalDefect, "the generation ended without a report")
        }
        for target in targets where target.isNew && !dryRun {
            report.storeWarnings += StoreImport.creationWarnings(target)
        }
        return GenerationReport(report)
    }
}
