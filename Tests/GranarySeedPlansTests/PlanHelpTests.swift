import GranarySeedPlans
import Testing

/// The help of an import, as keys of a plan.
struct PlanHelpTests {
    @Test(arguments: [
        ("--date-format dd.MM.yyyy --time-zone UTC", #"date-format: "dd.MM.yyyy", time-zone: "UTC""#),
        ("--null '' --null N/A", #"null: ["", "N/A"]"#), ("--null=--", #"null: "--""#),
        ("--trim", "trim: true"), ("--trim --empty-is-null", "trim: true, empty-is-null: true"),
        ("--map 'tw'\\''o=two'", #"map: {"tw'o": "two"}"#), ("--ignore ''", #"ignore: [""]"#),
        ("--ignore=-x", #"ignore: ["-x"]"#), ("--on-missing rel=create", #"on-missing: {"rel": "create"}"#),
        ("--on-missing create", #"on-missing: "create""#),
        ("--dst earlier or --dst later", #"dst: "earlier" or dst: "later""#),
        ("--quote \"'\"", #"quote: "'""#), ("--delimiter '|'", #"delimiter: "|""#),
        // Not options of an import.
        ("granary model diff a b", "granary model diff a b"), ("--store S", "--store S"),
        ("--null", "--null"), ("--ignore \"$(printf 'a')\"", "--ignore \"$(printf 'a')\""), ("'", "'"), ("", ""),
    ])
    func keys(_ help: String, _ expected: String) { #expect(PlanHelp.keys(help) == expected) }
}
