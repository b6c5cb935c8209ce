import Foundation
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryComparison

@Suite("Differences of stores as text") struct DescriptionTests {
    private typealias Value = ObjectDifference.Value
    private static let ann = ObjectDifference.Object(entity: "Patient", id: "Patient/p1", key: ["Ann"])
    private static let unnamed = ObjectDifference.Object(entity: "Patient", id: "Patient/p2", key: [])

    @Test(
        "A value is in the words of store diff",
        arguments: [
            (Value.null, "NULL"), (.value(5), "5"), (.value("a"), "\"a\""), (.value(true), "true"),
            (.value("Multi \"line\" \\n"), #""Multi \"line\" \\n""#),
            (.value(.date(Date(timeIntervalSinceReferenceDate: 0))), "2001-01-01T00:00:00Z"),
            (.value(.binary(Data([1, 2, 3, 4, 5]))), "<01020304 05>"),
            (.data(count: 5_000, digest: "0123456789abcdef"), "5,000 bytes (SHA-256 0123456789ab…)"),
            (.object(ann), "Patient \"Ann\""), (.object(unnamed), "Patient/p2"),
            (.objects([ann], count: 2_000), "[Patient \"Ann\", … 1,999 more]"),
            (.invalid("a text"), "invalid (a text)"),
        ])
    func value(_ value: ObjectDifference.Value, _ text: String) { #expect("\(value)" == text) }

    private static func property(_ a: Value, _ b: Value) -> ObjectDifference.Property {
        ObjectDifference.Property(name: "p", isOrdered: false, a: a, b: b)
    }

    @Test("An object is one line")
    func objects() {
        #expect("\(ObjectDifference(.onlyInA, Self.ann))" == "only in A: Patient \"Ann\"")
        #expect("\(ObjectDifference(.onlyInB, Self.unnamed))" == "only in B: Patient/p2")
        let properties = [
            Self.property(.value(1), .null), Self.property(.value("é"), .value("é")),
            Self.property(.objects([Self.ann], count: 1), .objects([Self.unnamed], count: 1)),
        ]
        #expect(
            "\(ObjectDifference(.changed, Self.ann, properties: properties))"
                == "Patient \"Ann\": p: 1 -> NULL, p: \"é\" -> \"é\" (different bytes), "
                + "p: - Patient \"Ann\" + Patient/p2")
    }

    @Test("A summary has the verdict, then each entity and part of the models that differs")
    func summary() {
        var summary = StoreDiffSummary()
        #expect("\(summary)" == "equal")
        var (patient, injury) = (StoreDiffSummary.Entity("Patient"), StoreDiffSummary.Entity("Injury"))
        (patient.same, patient.changed, patient.onlyInA) = (2_000, 1, 2)
        injury.same = 8
        summary.entities = [patient, injury]
        summary.schema = [
            .init(.onlyInB, "Room"), .init(.different, "Patient", property: "age", a: "Integer 16", b: "String"),
        ]
        summary.links = [.init(entity: "Patient", property: "injuries", a: 1, b: 0)]
        let text = """
            different: 3 objects, links of missing objects in 1 relationship, 2 differences of the models
            model: only in B: Room
            model: Patient.age: Integer 16 -> String (not compared)
            Patient.injuries: different links of objects that do not exist: 1 in A, 0 in B
            Patient: 2,000 same, 1 changed, 2 only in A, 0 only in B
            """
        #expect("\(summary)" == text)
    }
}
