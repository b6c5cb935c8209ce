import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryModelFiles

/// What each attribute and element of the XML becomes.
struct ModelXMLReaderTests {
    private static func attribute(_ xml: String) throws -> AttributeDescription {
        let (model, diagnostics) = try ModelSamples.read("<model><entity name=\"E\">\(xml)</entity></model>")
        #expect(diagnostics.isEmpty)
        return try #require(model.entities.first?.attributes.first)
    }

    @Test func everythingOfAnEntity() throws {
        let (model, _) = try ModelSamples.read(
            """
            <model userDefinedModelVersionIdentifier="v7">
              <entity name="E" representedClassName=".E" isAbstract="YES" parentEntity="P" elementID="Old" versionHashModifier="2" syncable="YES" codeGenerationType="class">
                <attribute name="a"/>
                <relationship name="r" destinationEntity="E" toMany="YES" minCount="1" ordered="YES" deletionRule="No Action" inverseName="r" inverseEntity="E"/>
                <fetchedProperty name="f" optional="YES"><fetchRequest name="q" entity="E" predicateString="a &gt; 5" resultType="2" fetchLimit="3"/></fetchedProperty>
                <fetchIndex name="i"><fetchIndexElement property="a" type="RTree" order="descending"/><fetchIndexElement expression="lower:(a)" expressionType="String"/></fetchIndex>
                <compoundIndexes><compoundIndex><index value="a"/><index value="b"/></compoundIndex></compoundIndexes>
                <uniquenessConstraints><uniquenessConstraint><constraint value="a"/></uniquenessConstraint></uniquenessConstraints>
                <userInfo><entry key="k" value="v"/></userInfo>
              </entity>
              <composite name="C"><attribute name="x" attributeType="Double"/></composite>
              <fetchRequest name="all" entity="E"/>
              <configuration name="Conf"><memberEntity name="E"/></configuration>
            </model>
            """)
        let entity = try #require(model.entities.first)
        #expect(model.versionIdentifiers == ["v7"])
        #expect(entity.managedObjectClassName == ".E")
        #expect(entity.isAbstract && entity.isSyncable)
        #expect(entity.superentityName == "P")
        #expect(entity.renamingIdentifier == "Old")
        #expect(entity.versionHashModifier == "2")
        #expect(entity.codeGenerationType == "class")
        #expect(entity.attributes.map(\.type) == [.undefined])
        let relationship = try #require(entity.relationships.first)
        #expect(relationship.maxCount == 0 && relationship.minCount == 1 && relationship.isOrdered)
        #expect(relationship.deleteRule == .noAction)
        #expect(relationship.inverseName == "r")
        #expect(relationship.notes.isEmpty)
        let request = try #require(entity.fetchedProperties.first?.fetchRequest)
        #expect(request.predicateFormat == "a > 5" && request.resultType == .dictionaries && request.fetchLimit == 3)
        let elements = try #require(entity.fetchIndexes.first?.elements)
        #expect(elements.map(\.propertyName) == ["a", nil])
        #expect(elements.map(\.kind) == [.rTree, .binary])
        #expect(elements.map(\.isAscending) == [false, true])
        #expect(elements[1].expression == "lower:(a)" && elements[1].expressionType == .string)
        #expect(entity.compoundIndexes == [["a", "b"]])
        #expect(entity.uniquenessConstraints == [["a"]])
        #expect(entity.userInfo == ["k": "v"])
        #expect(model.composites.first?.elements.first?.type == .double)
        #expect(model.fetchRequestTemplates.map(\.entityName) == ["E"])
        #expect(model.configurations.first?.entityNames == ["E"])
        #expect(try ModelSamples.read(ModelSamples.text(model)).model == model)
    }

    @Test(arguments: [
        ("Integer 16", "-7", AttributeValue.integer(-7)),
        ("Integer 64", "9223372036854775807", .integer(.max)), ("Integer 64", "-9223372036854775808", .integer(.min)),
        ("Decimal", "0", .decimal(0)),
        ("Double", "0.1", .double(0.1)), ("Double", "-0", .double(0)), ("Float", ".5", .float(0.5)),
        ("Boolean", "YES", .boolean(true)), ("Boolean", "NO", .boolean(false)), ("Boolean", "1", .boolean(true)),
        ("Boolean", "0", .boolean(false)), ("Boolean", "true", .boolean(true)), ("String", "", .string("")),
        ("String", "a&#10;b&lt;", .string("a\nb<")),
    ])
    func defaults(_ type: String, _ text: String, _ value: AttributeValue) throws {
        let xml = "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
        let attribute = try Self.attribute(xml)
        #expect(attribute.defaultValue == value)
        // However it was spelled, it is written as it was.
        let entity = EntityDescription(name: "E")
        var model = ManagedObjectModel(entities: [entity])
        model.entities[0].attributes = [attribute]
        #expect(try ModelSamples.text(model).contains("defaultValueString=\"\(text)\""))
    }

    /// What Xcode leaves behind when the type of an attribute is changed; released models have it.
    @Test(arguments: [
        ("Integer 16", "NO", AttributeValue.integer(0)), ("Integer 32", "YES", .integer(1)),
        ("Integer 64", "0.0", .integer(0)), ("Integer 64", "1.0", .integer(1)), ("Integer 16", "true", .integer(1)),
        ("Integer 64", "1200.0", .integer(1200)), ("Boolean", "0.0", .boolean(false)),
        ("Boolean", "1.0", .boolean(true)),
    ])
    func defaultsOfAnotherType(_ type: String, _ text: String, _ value: AttributeValue) throws {
        let xml = "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
        let (model, diagnostics) = try ModelSamples.read("<model><entity name=\"E\">\(xml)</entity></model>")
        #expect(model.entities.first?.attributes.first?.defaultValue == value)
        #expect(diagnostics.map(\.severity) == [.warning] && diagnostics.first?.code == .modelDefault)
        #expect(diagnostics.first?.entity == "E" && diagnostics.first?.property == "a")
        #expect(diagnostics.first?.message.contains("\"\(text)\"") == true)
        // It is written as it was.
        #expect(try ModelSamples.text(model).contains("defaultValueString=\"\(text)\""))
    }

    @Test(arguments: [
        ("Integer 16", "maybe"), ("Integer 16", "0.5"), ("Boolean", "2.0"), ("Boolean", "-"), ("Double", "NO"),
    ])
    func defaultsThatMeanNothing(_ type: String, _ text: String) throws {
        let xml = "<attribute name=\"a\" attributeType=\"\(type)\" defaultValueString=\"\(text)\"/>"
        #expect(throws: GranaryError.self) {
            try ModelSamples.read("<model><entity name=\"E\">\(xml)</entity></model>")
        }
    }

    @Test func exactDecimalDefault() throws {
        let digits = "12345678901234567890123456789012345.678"
        let attribute = try Self.attribute(
            "<attribute name=\"a\" attributeType=\"Decimal\" defaultValueString=\"\(digits)\"/>")
        #expect(attribute.defaultValue == .decimal(try #require(Decimal(string: digits))))
    }

    @Test func uuidAndURIDefaults() throws {
        let uuid = try Self.attribute(
            "<attribute name=\"a\" attributeType=\"UUID\" defaultValueString=\"6ba7b810-9dad-11d1-80b4-00c04fd430c8\"/>"
        )
        #expect(uuid.defaultValue == .uuid(try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))))
        let uri = try Self.attribute(
            "<attribute name=\"a\" attributeType=\"URI\" defaultValueString=\"https://example.com/a%20b\"/>")
        #expect(uri.defaultValue == .uri(try #require(URL(string: "https://example.com/a%20b"))))
    }

    @Test func datesInSecondsAndFreeText() throws {
        let attribute = try Self.attribute(
            """
            <attribute name="a" attributeType="Date" defaultDateTimeInterval="631123200.5" minDateTimeInterval="0" \
            maxDateTimeInterval="602395200" minValueString="2010-01-01 01:00:00" maxValueString="later"/>
            """)
        #expect(attribute.defaultValue == .date(Date(timeIntervalSinceReferenceDate: 631_123_200.5)))
        #expect(attribute.minimumValue == .date(Date(timeIntervalSinceReferenceDate: 0)))
        #expect(attribute.maximumValue == .date(Date(timeIntervalSinceReferenceDate: 602_395_200)))
        #expect(attribute.notes == ["minValueString": "2010-01-01 01:00:00", "maxValueString": "later"])
    }

    @Test func boundsByType() throws {
        let text = try Self.attribute(
            """
            <attribute name="a" attributeType="String" minValueString="1" maxValueString="20" \
            regularExpressionString="\\A[^@]+\\z"/>
            """)
        #expect(text.minimumLength == 1 && text.maximumLength == 20 && text.regularExpression == "\\A[^@]+\\z")
        #expect(text.minimumValue == nil)
        let number = try Self.attribute(
            "<attribute name=\"a\" attributeType=\"Float\" minValueString=\"-2.5\" maxValueString=\"2.5\"/>")
        #expect(number.minimumValue == .float(-2.5) && number.maximumValue == .float(2.5))
    }

    @Test func derivedAndComposite() throws {
        let derived = try Self.attribute(
            "<attribute name=\"a\" attributeType=\"Date\" derived=\"YES\" derivationExpression=\"now()\"/>")
        #expect(derived.derivationExpression == "now()" && derived.notes.isEmpty)
        let composite = try Self.attribute(
            "<attribute name=\"a\" attributeType=\"Composite\" composite=\"C\"/>")
        #expect(composite.compositeName == "C" && composite.type == .composite)
    }

    @Test(arguments: [
        ("", 1), ("maxCount=\"1\"", 1), ("toMany=\"YES\"", 0), ("toMany=\"YES\" maxCount=\"9\"", 9),
        ("toMany=\"YES\" maxCount=\"1\"", 1), ("toMany=\"NO\"", 1), ("toMany=\"YES\" maxCount=\"-1\"", -1),
    ])
    func counts(_ attributes: String, _ maxCount: Int) throws {
        let source = "<relationship name=\"r\" destinationEntity=\"E\" \(attributes)/>"
        let (model, _) = try ModelSamples.read("<model><entity name=\"E\">\(source)</entity></model>")
        #expect(model.entities.first?.relationships.first?.maxCount == maxCount)
        #expect(try ModelSamples.read(ModelSamples.text(model)).model == model)
    }

    @Test func leftoversOfOtherTypesAreNotesNotDefaults() throws {
        let attribute = try Self.attribute(
            """
            <attribute name="a" attributeType="Integer 16" optional="NO" defaultValueString="" \
            defaultDateTimeInterval="5" derived="NO" derivationExpression="x"/>
            """)
        #expect(attribute.defaultValue == nil && attribute.derivationExpression == nil)
        #expect(
            attribute.notes == [
                "optional": "NO", "defaultValueString": "", "defaultDateTimeInterval": "5", "derived": "NO",
                "derivationExpression": "x",
            ])
    }
}
