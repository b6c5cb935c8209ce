/// The files of a starting project.
struct ProjectTemplate {
    /// The address in Package.swift if none is known.
    static let unknownAddress = "ADDRESS"
    static let plan = "Seed/seed.yaml"
    static let store = "Seed/Seed.sqlite"
    private static let model = "Seed/Model.granary.yaml"

    let name: String
    /// The address or the folder of the package Granary.
    let package: String

    var files: [(path: String, text: String)] {
        [
            ("README.md", readme), (Self.model, Self.modelText), ("Seed/authors.csv", Self.authors),
            ("Seed/books.csv", Self.books), (Self.plan, Self.planText), ("Package.swift", manifest),
            ("Tests/SeedTests/SeedTests.swift", Self.test), (".github/workflows/seed.yml", Self.workflow),
            (".gitignore", "/.build/\n/Seed/*.sqlite*\n"),
        ]
    }

    private var readme: String {
        """
        # \(name)

        | file | content |
        |---|---|
        | \(Self.model) | the model; `granary model convert` writes it for Xcode |
        | Seed/authors.csv, Seed/books.csv | the data: the header names the properties, the model determines the types |
        | \(Self.plan) | the seed plan: which file fills which entity |
        | Tests/SeedTests | a test, which gets a store with the seed |
        | .github/workflows/seed.yml | seeds, checks and compares in each pull request |

        ```
        granary seed \(Self.plan)
        granary store check \(Self.store)
        granary query \(Self.store) 'Book WHERE price < 10' --columns title,author.name,price
        granary model convert \(Self.model) --output \(swiftName).xcdatamodeld
        swift test
        ```

        """
    }

    private static let modelText = """
        # A model as text. `granary model check Seed/Model.granary.yaml` finds mistakes.
        entities:
          Author:
            attributes:
              name: string! unique
              born: date
            relationships:
              books: "[Book] deny"
          Book:
            attributes:
              isbn: string(13...13)! unique
              title: string!
              published: date
              pages: integer32 1...
              price: decimal 0...
              isAvailable: boolean! = true
            relationships:
              author: Author! <-> books

        """

    private static let authors = """
        name,born
        Ada Example,1815-12-10
        Bo Beispiel,
        Chloé Exemple,1970-01-31

        """

    private static let books = """
        isbn,title,published,pages,price,isAvailable,author
        9780000000019,"Notes, Annotated",1843-09-01,66,12.50,true,Ada Example
        9780000000026,Seeds and Stores,2024-02-29,208,29.90,true,Bo Beispiel
        9780000000033,Le dépôt,2025-06-15,144,9.95,false,Chloé Exemple
        9780000000040,A Draft,,,,false,Bo Beispiel

        """

    /// The order of the imports does not matter.
    private static let planText = """
        # granary seed Seed/seed.yaml
        model: Model.granary.yaml
        store: Seed.sqlite
        # One file with reproducible bytes, to ship in an app.
        ship: true

        defaults:
          # A second run changes only what has changed in the files.
          on-conflict: update
          # The dates have no time.
          time-zone: UTC

        imports:
          - entity: Book
            file: books.csv
          - entity: Author
            file: authors.csv

        """

    private static let test = """
        import Foundation
        import Granary
        import GranaryTesting
        import Testing

        /// The folder of the model and the data.
        private let seed = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Seed")

        /// Each test has a store of its own with the objects of the seed plan.
        @Suite(
            .seeded(
                model: seed.appending(path: "Model.granary.yaml"),
                .plan(seed.appending(path: "seed.yaml"))))
        struct SeedTests {
            @Test func everyBookWithoutAPriceIsADraft() async throws {
                let count = try await SeededContainer.current.perform {
                    try $0.count("Book", where: "price == nil AND isAvailable == YES")
                }
                #expect(count == 0)
            }

            @Test func everyAuthorHasABook() async throws {
                let count = try await SeededContainer.current.perform { try $0.count("Author", where: "books.@count == 0") }
                #expect(count == 0)
            }
        }

        """

    private static let workflow = """
        # Seeds, checks and compares. Replace OWNER and the version: docs/installing.md of Granary describes the action.
        name: Seed

        on:
          push:
            branches: [main]
          pull_request:

        permissions:
          contents: read

        jobs:
          seed:
            runs-on: ubuntu-latest
            steps:
              - uses: actions/checkout@v5
                with:
                  fetch-depth: 0
              - name: Seed
                uses: OWNER/granary@v0.1.0
                with:
                  plan: Seed/seed.yaml
              - name: Check the store
                run: granary store check Seed/Seed.sqlite --model Seed/Model.granary.yaml
              - name: Compare the model with that of the target branch
                if: github.event_name == 'pull_request'
                # 1 means that the models differ; the summary shows how, and whether Core Data can migrate.
                run: |
                  git show "origin/$GITHUB_BASE_REF:Seed/Model.granary.yaml" >"$RUNNER_TEMP/Before.granary.yaml"
                  granary model diff "$RUNNER_TEMP/Before.granary.yaml" Seed/Model.granary.yaml >>"$GITHUB_STEP_SUMMARY" || test $? -eq 1
              - uses: actions/upload-artifact@v4
                with:
                  name: Seed.sqlite
                  path: Seed/Seed.sqlite

        """

    private var manifest: String {
        let isAddress = package.contains("://") || package.contains("@") || package == Self.unknownAddress
        let dependency =
            isAddress
            ? ".package(url: \(literal(package)), branch: \"main\")"
            : ".package(name: \"Granary\", path: \(literal(package)))"
        return """
            // swift-tools-version: 6.2
            import PackageDescription

            let package = Package(
                name: \(literal(name)),
                platforms: [.macOS(.v15)],
                dependencies: [\(dependency)],
                targets: [
                    .testTarget(
                        name: "SeedTests",
                        dependencies: [
                            .product(name: "Granary", package: "Granary"),
                            .product(name: "GranaryTesting", package: "Granary"),
                        ])
                ]
            )

            """
    }

    /// The name for a file of Xcode.
    private var swiftName: String { name.split { !$0.isLetter && !$0.isNumber }.joined() }

    /// A text as a literal of Swift.
    private func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\u{0}"..<" ": result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
