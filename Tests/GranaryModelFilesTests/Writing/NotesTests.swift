import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryModelFiles

/// What Granary does not know is kept and written again; what is out of date is not.
struct NotesTests {
    private static let foreign = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22522" systemVersion="23D60" minimumToolsVersion="Automatic" new="1">
            <entity name="E" coreSpotlightDisplayNameExpression="x">
                <attribute name="a" attributeType="Double" defaultValueString="0" readOnly="YES" z="&quot;&lt;&amp;&#10;&#9;é">
                    <userInfo color="red">
                        <entry key="a" value="1" tint="blue"/>
                        <entry key="b" value="2">
                            <deep x="1"/>
                        </entry>
                        <other/>
                    </userInfo>
                    <newChild a="1"><b/>text</newChild>
                    <newChild/>
                </attribute>
                <relationship name="r" destinationEntity="E" new="3" inverseName="r" inverseEntity="Parent" maxCount="1" deletionRule="Nullify"/>
                <fetchIndex name="i" new="4">
                    <fetchIndexElement property="a" type="Binary" order="ascending" new="5"/>
                </fetchIndex>
                <uniquenessConstraints new="6">
                    <uniquenessConstraint new="7">
                        <constraint value="a" new="8"/>
                        <more/>
                    </uniquenessConstraint>
                </uniquenessConstraints>
                <newList/>
            </entity>
            <configuration name="C" new="9">
                <memberEntity name="E" new="10"/>
            </configuration>
        </model>
        """

    @Test func everythingForeignIsWrittenAgain() throws {
        let (model, diagnostics) = try ModelSamples.read(Self.foreign)
        let text = try ModelSamples.text(model)
        #expect(TagCensus(Array(text.utf8)).counts == TagCensus(Array(Self.foreign.utf8)).counts)
        #expect(text.contains("<newChild a=\"1\"><b/>text</newChild>"))
        #expect(try ModelSamples.read(text).model == model)
        #expect(diagnostics.allSatisfy { $0.severity == .warning && $0.code == .modelUnknown })
        // Every element and every attribute that is new.
        #expect(
            diagnostics.count { $0.field == nil } == 6
                && diagnostics.count { $0.field == "new" } == Self.foreign.split(separator: " new=").count - 1)
        #expect(
            diagnostics.first { $0.field == nil }?.description
                == "contents:8:21: warning: E.a: <deep> in <entry> is not known; it is kept as it is [model.unknown]")
        #expect(model.entities.first?.attributes.first?.notes["/userInfo/entry[1]/@tint"] == "blue")
        #expect(model.entities.first?.relationships.first?.notes == ["new": "3", "inverseEntity": "Parent"])
    }

    @Test func aNoteOfASpellingIsDroppedWhenTheValueChanges() throws {
        var (model, _) = try ModelSamples.read(Self.foreign)
        #expect(model.entities[0].attributes[0].notes["defaultValueString"] == "0")
        model.entities[0].attributes[0].defaultValue = .double(7)
        let text = try ModelSamples.text(model)
        #expect(text.contains("defaultValueString=\"7.0\""))
        #expect(text.contains("readOnly=\"YES\""))
        // One that stood for nothing gives way to a value.
        model.entities[0].attributes[0].notes = ["defaultValueString": ""]
        #expect(try ModelSamples.text(model).contains("defaultValueString=\"7.0\""))
        model.entities[0].attributes[0].defaultValue = nil
        #expect(try ModelSamples.text(model).contains("defaultValueString=\"\""))
    }

    @Test(arguments: ["/@name", "/userInfo/entry[1]/@key"])
    func notesCannotRepeatAnAttribute(_ key: String) throws {
        var model = ManagedObjectModel(entities: [EntityDescription(name: "E")])
        model.entities[0].userInfo = ["k": "v"]
        model.entities[0].notes = [key: "x"]
        let lines = ModelSamples.refusal { _ = try ModelSamples.text(model) }
        #expect(lines?.first?.contains("repeats an attribute") == true)
    }

    @Test func notesCannotForgeXML() throws {
        var model = ManagedObjectModel(entities: [EntityDescription(name: "E")])
        for (key, text) in [
            ("/x[1]", "</entity><entity name=\"F\"/>"), ("/x[1]", "<x>"), ("/x[1]", "text"), ("/x[1]", "<x/><y/>"),
            ("/x[1]", "<!-- <x/>"), ("/@a b", "1"), ("a=\"1\" b", "1"), ("", "1"),
        ] {
            model.entities[0].notes = [key: text]
            let lines = ModelSamples.refusal { _ = try ModelSamples.text(model) }
            if key == "/@a b" || key == "a=\"1\" b" || key == "" {
                #expect(lines?.first?.contains("is not a valid name of an XML attribute") == true, "\(key)")
            } else {
                #expect(lines?.first?.contains("is not one XML element") == true, "\(text)")
            }
        }
    }
}
