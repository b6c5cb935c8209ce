import GranaryBase
import GranaryModel
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryDiagrams

/// What is in the files of each format.
struct DiagramWritingTests {
    static let clinic = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury",
            [
                .attribute("name", .string, .required),
                .toMany("patients", "Patient", inverse: "injury", .deleteRule(.deny)),
            ]),
        EntityDescription(
            "Patient",
            [
                .attribute("age", .integer16), .toOne("injury", "Injury", inverse: "patients", .required),
                .toOne("friend", "Patient", inverse: nil),
            ]),
        EntityDescription("Child", [.attribute("weight", .double)], superentity: "Patient"),
    ])

    @Test func aPairOfInversesIsOneLink() throws {
        let diagram = Diagram(Self.clinic)
        #expect(diagram.boxes.map(\.name) == ["Child", "Injury", "Patient"])
        #expect(diagram.links.map(\.isInheritance) == [true, false, false])
        let pair = diagram.links[1]
        #expect(pair.from.box == 1 && pair.to.box == 2)
        #expect(pair.from.cardinality == .one && pair.to.cardinality == .zeroOrMore)
        let alone = diagram.links[2]
        #expect(alone.from.cardinality == nil && alone.to.cardinality == .zeroOrOne && alone.to.row == nil)
        #expect(diagram.boxes[1].rows.map(\.detail) == ["String", "Patient 0..*, deny"])
        #expect(diagram.boxes[2].rows.map(\.detail) == ["Integer 16?", "Injury 1, nullify", "Patient 0..1, nullify"])
    }

    @Test func theFragmentForAPageHasLinksAndNoStyle() {
        let svg = SVGDiagram(Diagram(Self.clinic)).fragment(title: "<clinic>") { name in
            name == "Child" ? nil : "/entity?a=1&entity=\(name)\""
        }
        #expect(svg.hasPrefix("<svg class=\"diagram\" role=\"group\"") && svg.hasSuffix("</svg>\n"))
        #expect(svg.contains("<title>&lt;clinic&gt;</title>") && !svg.contains("<style") && !svg.contains("xmlns"))
        #expect(svg.contains("<a href=\"/entity?a=1&amp;entity=Injury&quot;\"><g") && svg.contains("</g></a>"))
        // One box of three has no address.
        #expect(svg.split(separator: "<a href=").count == 3 && svg.split(separator: "</a>").count == 3)
    }

    @Test func theFormatsHaveEntitiesAndLinks() {
        let diagram = Diagram(Self.clinic)
        let mermaid = MermaidDiagram.text(diagram)
        for line in [
            "class E1[\"Injury\"] {", "  String name", "E2 <|-- E0", "E1 \"1\" -- \"0..*\" E2 : patients / injury",
            "E2 --> \"0..1\" E2 : friend",
        ] {
            #expect(mermaid.contains(line + "\n"), "\(mermaid)")
        }
        let dot = DotDiagram.text(diagram)
        #expect(dot.contains("e1:r1 -> e2:r1 [arrowtail=teetee, arrowhead=crowodot"), "\(dot)")
        #expect(dot.contains("e2:h -> e0:h [arrowtail=empty"))
        let dbml = DBMLDiagram.text(diagram)
        for line in [
            "Table \"Injury\" {", "  \"name\" \"String\" [not null]", "  \"age\" \"Integer 16\"",
            "Ref: \"Injury\".\"patients\" < \"Patient\".\"injury\"",
            "Ref: \"Patient\".\"friend\" > \"Patient\".\"$id\"",
        ] {
            #expect(dbml.contains(line + "\n"), "\(dbml)")
        }
        let svg = SVGDiagram(diagram).text(title: "clinic")
        #expect(svg.contains("<title>Injury.patients 0..* – Patient.injury 1</title>"), "\(svg)")
        #expect(svg.contains("<title>Child inherits from Patient</title>"))
    }

    /// Names are those of a model that somebody else wrote.
    @Test(arguments: [
        "<script>alert(1)</script>", "a\"b'c", "&amp;", "\u{202E}x", "a\u{0}\u{1}b", "]]>", "E\n\"]", "界界",
    ])
    func hostileNamesStayText(_ name: String) throws {
        var entity = EntityDescription(name: name)
        entity.attributes = [AttributeDescription(name: name, type: .string)]
        var model = ManagedObjectModel(entities: [entity])
        model.configurations = [
            ConfigurationDescription(name: name, entityNames: [name]),
            ConfigurationDescription(name: "b", entityNames: []),
        ]
        let diagram = Diagram(model)
        let svg = SVGDiagram(diagram).text(title: name)
        let tree = try XMLElementTree(Array(svg.utf8), source: "a.svg", syntax: .modelSyntax)
        #expect(!tree.elements.contains { $0.name == "script" })
        for text in [svg, MermaidDiagram.text(diagram), DotDiagram.text(diagram), DBMLDiagram.text(diagram)] {
            #expect(!text.unicodeScalars.contains { $0 == "\u{202E}" || $0 == "\u{0}" || $0 == "\u{1}" })
        }
        #expect(MermaidDiagram.text(diagram).split(separator: "\n").count == 5)
    }

    @Test func onlyNeighboursAreAround() throws {
        let diagram = Diagram(DiagramWritingTests.clinic)
        #expect(diagram.around("Injury", depth: 0)?.boxes.map(\.name) == ["Injury"])
        #expect(diagram.around("Injury", depth: 1)?.boxes.map(\.name) == ["Injury", "Patient"])
        #expect(diagram.around("Injury", depth: 1)?.links.count == 2)
        #expect(diagram.around("Injury", depth: 9)?.boxes.count == 3)
        #expect(diagram.around("Nobody", depth: 1) == nil)
    }

    @Test func changesAreMarked() throws {
        var newer = Self.clinic
        newer.entities[0].attributes[0].isOptional = true
        newer.entities[1].attributes.append(AttributeDescription(name: "born", type: .date))
        newer.entities[1].relationships.removeLast()
        newer.entities[2] = EntityDescription("Ward", [.attribute("name", .string)])
        let diagram = Diagram(Self.clinic, newer, verdict: "possible")
        #expect(diagram.boxes.map(\.change) == [.removed, .changed, .changed, .added])
        let injury = diagram.boxes[1].rows[0]
        #expect(injury.change == .changed && injury.note == "isOptional: false → true", "\(injury)")
        let patient = diagram.boxes[2]
        #expect(patient.rows.map(\.name) == ["age", "born", "injury", "friend"])
        #expect(patient.rows.map(\.change) == [.none, .added, .none, .removed])
        #expect(diagram.links.map(\.change) == [.removed, .none, .removed])
        let svg = SVGDiagram(diagram).text(title: "")
        #expect(svg.contains("class=\"removed\"") && svg.contains(">isOptional: false → true</text>"))
        #expect(svg.contains(">possible</text>"))
    }
}
