import GranaryBase
import GranaryModel
import Testing

@testable import GranaryModelFiles

/// Wrong models, and the exact line and column of what is wrong.
struct ModelXMLProblemsTests {
    private static func problems(_ xml: String) -> [String] {
        ModelSamples.refusal { _ = try ModelSamples.read(xml) } ?? []
    }

    @Test(arguments: [
        ("attributeType=\"Integer 8\"", 30, "attributeType \"Integer 8\" is not an attribute type"),
        ("optional=\"yes\"", 30, "optional \"yes\" is not YES or NO"),
        ("usesScalarValueType=\"\"", 30, "usesScalarValueType \"\" is not YES or NO"),
        ("attributeType=\"Integer 16\" defaultValueString=\"x\"", 57, "defaultValueString \"x\" is not an Integer 16"),
        ("attributeType=\"Integer 16\" minValueString=\"1.5\"", 57, "minValueString \"1.5\" is not an Integer 16"),
        (
            "attributeType=\"Integer 64\"  maxValueString='9223372036854775808'", 58,
            "maxValueString \"9223372036854775808\" is not an Integer 64"
        ),
        ("attributeType=\"Double\" defaultValueString=\"nan\"", 53, "defaultValueString \"nan\" is not a Double"),
        ("attributeType=\"Float\" defaultValueString=\"1e39\"", 52, "defaultValueString \"1e39\" is not a Float"),
        ("attributeType=\"Decimal\" defaultValueString=\"1,5\"", 54, "defaultValueString \"1,5\" is not a Decimal"),
        ("attributeType=\"Boolean\" defaultValueString=\"2\"", 54, "defaultValueString \"2\" is not a Boolean"),
        ("attributeType=\"UUID\" defaultValueString=\"2\"", 51, "defaultValueString \"2\" is not a UUID"),
        ("attributeType=\"URI\" defaultValueString=\"a b\"", 50, "defaultValueString \"a b\" is not a URI"),
        (
            "attributeType=\"Date\" defaultDateTimeInterval=\"today\"", 51,
            "defaultDateTimeInterval \"today\" is not a number of seconds since 2001"
        ),
        (
            "attributeType=\"String\" minValueString=\"-1\"", 53,
            "minValueString \"-1\" is not between 0 and 9223372036854775807"
        ),
        ("attributeType=\"String\" maxValueString=\"many\"", 53, "maxValueString \"many\" is not an integer"),
        ("derived=\"YES\"", 10, "<attribute> has no attribute \"derivationExpression\""),
    ])
    func attributes(_ text: String, _ column: Int, _ message: String) {
        let xml = "<model>\n    <entity name=\"E\">\n         <attribute name=\"a\" \(text)/>\n</entity></model>"
        #expect(Self.problems(xml) == ["contents:3:\(column): error: E.a: \(message) [model.syntax]"])
    }

    @Test(arguments: [
        ("<entity/>", "1:8: error: <entity> has no attribute \"name\""),
        ("<entity name='E' isAbstract='maybe'/>", "1:25: error: E: isAbstract \"maybe\" is not YES or NO"),
        ("<entity name='E'><attribute/></entity>", "1:25: error: E: <attribute> has no attribute \"name\""),
        (
            "<entity name='E'><relationship name='r'/></entity>",
            "1:25: error: E.r: <relationship> has no attribute \"destinationEntity\""
        ),
        (
            "<entity name='E'><relationship name='r' destinationEntity='E' deletionRule='Delete'/></entity>",
            "1:70: error: E.r: deletionRule \"Delete\" is not Nullify, Cascade, Deny or No Action"
        ),
        (
            "<entity name='E'><relationship name='r' destinationEntity='E' maxCount='-2'/></entity>",
            "1:70: error: E.r: maxCount \"-2\" is not between -1 and 2147483647"
        ),
        (
            "<entity name='E'><relationship name='r' destinationEntity='E' minCount='1.0'/></entity>",
            "1:70: error: E.r: minCount \"1.0\" is not an integer"
        ),
        (
            "<entity name='E'><fetchedProperty name='f'/></entity>",
            "1:25: error: E.f: <fetchedProperty> has 0 fetch requests instead of one"
        ),
        (
            "<entity name='E'><fetchIndex name='i'><fetchIndexElement/></fetchIndex></entity>",
            "1:46: error: E: <fetchIndexElement> has neither a \"property\" nor an \"expression\""
        ),
        (
            "<entity name='E'><fetchIndex name='i'><fetchIndexElement property='p' order='up'/></fetchIndex></entity>",
            "1:78: error: E: order \"up\" is not ascending or descending"
        ),
        (
            "<entity name='E'><fetchIndex name='i'><fetchIndexElement property='p' type='Hash'/></fetchIndex></entity>",
            "1:78: error: E: type \"Hash\" is not Binary or RTree"
        ),
        (
            "<entity name='E'><userInfo><entry key='k'/></userInfo></entity>",
            "1:35: error: E: <entry> has no attribute \"value\""
        ),
        (
            "<entity name='E'><userInfo><entry key='k' value='1'/><entry value='2' key='k'/></userInfo></entity>",
            "1:78: error: E: the key occurs twice in one <userInfo>"
        ),
        ("<entity name='E'><userInfo/><userInfo/></entity>", "1:36: error: E: <userInfo> occurs twice in one entity"),
        (
            "<entity name='E'><uniquenessConstraints><uniquenessConstraint><constraint/></uniquenessConstraint></uniquenessConstraints></entity>",
            "1:70: error: E: <constraint> has no attribute \"value\""
        ),
        ("<entity name='E'>text</entity>", "1:8: error: E: <entity> contains text, which has no meaning in a model"),
        ("<fetchRequest name='f' entity='E' resultType='3'/>", "1:42: error: resultType \"3\" is not 0, 1, 2 or 4"),
        (
            "<fetchRequest name='f' entity='E' fetchLimit='-1'/>",
            "1:42: error: fetchLimit \"-1\" is not between 0 and 9223372036854775807"
        ),
        ("<configuration/>", "1:8: error: <configuration> has no attribute \"name\""),
    ])
    func elements(_ xml: String, _ message: String) {
        #expect(Self.problems("<model>\(xml)</model>") == ["contents:\(message) [model.syntax]"])
    }

    @Test func areAllToldAtOnceInOrder() {
        let problems = Self.problems(
            """
            <model>
                <!-- <entity name="no"> "' -->
                <entity name="E" syncable="1">
                    <attribute name="é" optional="2"
                        transient="3"/>
                    <attribute name='b' customClassName="transient=" transient="4"/>
                </entity>
            </model>
            """)
        #expect(
            problems == [
                "contents:3:22: error: E: syncable \"1\" is not YES or NO [model.syntax]",
                "contents:4:30: error: E.é: optional \"2\" is not YES or NO [model.syntax]",
                "contents:5:13: error: E.é: transient \"3\" is not YES or NO [model.syntax]",
                "contents:6:58: error: E.b: transient \"4\" is not YES or NO [model.syntax]",
            ])
    }

    @Test func otherRootIsNoModel() {
        #expect(
            Self.problems("<?xml version=\"1.0\"?>\n<html/>") == [
                "contents:2:1: error: the root element is <html>, not <model>: this is not a Core Data model [model.syntax]"
            ])
    }

    @Test func refusalCountsThem() throws {
        let xml = "<model><entity/><entity/></model>"
        let error = try #require(throws: GranaryError.self) { try ModelSamples.read(xml) }
        #expect(error.code == .refused)
        #expect(error.message == "contents: the model has 2 problems")
    }
}
