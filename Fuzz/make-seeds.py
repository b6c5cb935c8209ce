#!/usr/bin/env python3
"""Writes Fuzz/Seeds and the first of Fuzz/Regressions. Nothing in them comes from a real file.

Run it again after a change: the same inputs give the same bytes."""

import pathlib
import plistlib
import zlib

ROOT = pathlib.Path(__file__).resolve().parent
UID = plistlib.UID


class Archiver:
    """Keyed archives: every object gets a number, equal texts one."""

    def __init__(self):
        self.objects = ["$null"]
        self.texts = {}
        self.types = {}

    def reserve(self):
        self.objects.append(None)
        return UID(len(self.objects) - 1)

    def plain(self, value):
        if value is None:
            return UID(0)
        if isinstance(value, str) and value in self.texts:
            return self.texts[value]
        self.objects.append(value)
        uid = UID(len(self.objects) - 1)
        if isinstance(value, str):
            self.texts[value] = uid
        return uid

    def type(self, names):
        key = tuple(names)
        if key not in self.types:
            self.types[key] = self.plain({"$classname": names[0], "$classes": list(names)})
        return self.types[key]

    def object(self, names, fields, at=None):
        at = at or self.reserve()
        self.objects[at.data] = dict(fields, **{"$class": self.type(names)})
        return at

    def array(self, items, name="NSArray"):
        names = ["NSMutableArray", "NSArray", "NSObject"] if name == "NSMutableArray" else [name, "NSObject"]
        return self.object(names, {"NS.objects": list(items)})

    def dictionary(self, pairs):
        keys, values = zip(*pairs) if pairs else ((), ())
        return self.object(
            ["NSMutableDictionary", "NSDictionary", "NSObject"],
            {"NS.keys": [self.plain(key) for key in keys], "NS.objects": list(values)})

    def bytes(self, root):
        return plistlib.dumps(
            {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root}, "$objects": self.objects},
            fmt=plistlib.FMT_BINARY, sort_keys=False)


PROPERTY = ["NSPropertyDescription", "NSObject"]


class Model:
    """A model of authors and books, with what compiled models have."""

    def __init__(self, is_cache):
        self.archive = Archiver()
        self.is_cache = is_cache
        self.root = self.archive.reserve()

    def flags(self, optional):
        return 0x1 | (0x2 if optional else 0) | 0xF0

    def attribute(self, entity, name, kind, value_class, default=None, optional=True, **more):
        a = self.archive
        fields = {
            "NSPropertyName": a.plain(name), "NSRenamingIdentifier": a.plain(name), "NSEntity": entity,
            "NSAttributeType": kind, "NSAttributeValueClassName": a.plain(value_class),
            "NSDefaultValue": default or UID(0),
            "NSValueTransformerName": UID(0), "NSFlagsKey": more.pop("flags", 0), "_P": self.flags(optional), **more}
        if optional:
            fields["NSIsOptional"] = True
        return name, a.object(["NSAttributeDescription"] + PROPERTY, fields)

    def relationship(
            self, uid, entity, name, destination, destination_name, inverse, inverse_name, maximum, ordered=False):
        a = self.archive
        fields = {
            "NSPropertyName": a.plain(name), "NSRenamingIdentifier": a.plain(name), "NSEntity": entity,
            "NSDestinationEntity": destination, "_NSDestinationEntityName": a.plain(destination_name),
            "NSInverseRelationship": inverse, "_NSInverseRelationshipName": a.plain(inverse_name),
            "NSMinCount": 0, "NSMaxCount": maximum, "NSDeleteRule": 1, "NSIsOptional": True,
            "_P": self.flags(True) | (0x400 if ordered else 0)}
        if ordered:
            fields["NSIsOrdered"] = True
        return name, a.object(["NSRelationshipDescription"] + PROPERTY, fields, at=uid)

    def length_predicate(self):
        """length >= 1"""
        a = self.archive
        expression = ["NSExpression", "NSObject"]
        path = a.object(
            ["NSKeyPathSpecifierExpression"] + expression, {"NSExpressionType": 10, "NSKeyPath": a.plain("length")})
        left = a.object(
            ["NSKeyPathExpression", "NSFunctionExpression"] + expression,
            {"NSExpressionType": 3, "NSOperand": a.object(["NSSelfExpression"] + expression, {"NSExpressionType": 1}),
             "NSSelectorName": a.plain("valueForKey:"), "NSArguments": a.array([path])})
        right = a.object(
            ["NSConstantValueExpression"] + expression, {"NSExpressionType": 0, "NSConstantValue": a.plain(1)})
        operator = a.object(
            ["NSComparisonPredicateOperator", "NSPredicateOperator", "NSObject"],
            {"NSOperatorType": 3, "NSModifier": 0, "NSVariant": 5, "NSOptions": 0})
        predicate = a.object(
            ["NSComparisonPredicate", "NSPredicate", "NSObject"],
            {"NSLeftExpression": left, "NSRightExpression": right, "NSPredicateOperator": operator})
        return {"NSValidationPredicates": a.array([predicate]), "NSValidationWarnings": a.array([a.plain(1670)])}

    def entity(self, uid, name, properties, parent=None, children=(), **more):
        a = self.archive
        fields = {
            "NSEntityName": a.plain(name), "NSClassNameForEntity": a.plain(name), "NSRenamingIdentifier": a.plain(name),
            "NSManagedObjectModel": self.root, "NSSuperentity": parent or UID(0), "NSVersionHashModifier": UID(0),
            "NSUserInfo": a.dictionary([]), "NSSubentities": a.dictionary(list(children)),
            "NSProperties": a.dictionary(properties), **more}
        a.object(["NSEntityDescription", "NSObject"], fields, at=uid)
        return name, uid

    def bytes(self):
        a = self.archive
        author, book, novel = a.reserve(), a.reserve(), a.reserve()
        books, writer = a.reserve(), a.reserve()
        date = a.object(["NSDate", "NSObject"], {"NS.time": 12.5})
        unique = a.array([a.array([a.plain("name")])], "NSMutableArray")
        index = a.reserve()
        element = a.object(
            ["NSFetchIndexElementDescription", "NSObject"],
            {"NSPropertyName": a.plain("year"), "NSFetchIndexElementType": 0, "NSAscending": True,
             "NSFetchIndexDescription": index})
        a.object(
            ["NSFetchIndexDescription", "NSObject"],
            {"NSIndexName": a.plain("byYear"), "NSPartialIndexPredicate": UID(0), "NSEntity": book,
             "NSIndexElements": a.array([element])}, at=index)
        entities = [
            self.entity(author, "Author", [
                self.attribute(author, "name", 700, "NSString", optional=False, **self.length_predicate()),
                self.attribute(author, "portrait", 1000, "NSData", flags=4),
                self.relationship(books, author, "books", book, "Book", writer, "writer", 0, ordered=True),
            ], NSUniqueTuples=unique),
            self.entity(book, "Book", [
                self.attribute(book, "year", 100, "NSNumber", default=a.plain(1999)),
                self.attribute(book, "added", 900, "NSDate", default=date),
                self.attribute(book, "identifier", 1100, "NSUUID"),
                self.attribute(book, "address", 1200, "NSURL"),
                self.relationship(writer, book, "writer", author, "Author", books, "books", 1),
            ], children=[("Novel", novel)], NSFetchIndexDescriptions=a.array([index], "NSMutableArray")),
            self.entity(novel, "Novel", [
                self.attribute(novel, "price", 500, "NSNumber", default=a.plain(9.5)),
            ], parent=book),
        ]
        a.object(
            ["NSManagedObjectModel", "NSObject"],
            {"NSEntities": self.known_keys(entities) if self.is_cache else a.dictionary(entities),
             "NSFetchRequestTemplates": UID(0),
             "NSVersionIdentifiers": a.array([a.plain("")], "NSSet")}, at=self.root)
        return a.bytes(self.root)

    def known_keys(self, entities):
        a = self.archive
        token = a.plain("empty token")
        mapping = a.object(
            ["NSKnownKeysMappingStrategy1", "NSKnownKeysMappingStrategy", "NSObject"],
            {"length": len(entities), "keys": a.array([a.plain(name) for name, _ in entities]), "version": 1})
        return a.object(
            ["NSKnownKeysDictionary1", "NSKnownKeysDictionary", "NSMutableDictionary", "NSDictionary", "NSObject"],
            {"searchMapping": mapping, "values": a.array([uid for _, uid in entities]), "emptyToken": token,
             "version": 1})


def values():
    a = Archiver()
    url = a.object(["NSURL", "NSObject"], {"NS.base": UID(0), "NS.relative": a.plain("https://example.org/a?b#c")})
    uuid = a.object(["NSUUID", "NSObject"], {"NS.uuidbytes": bytes(range(16))})
    date = a.object(["NSDate", "NSObject"], {"NS.time": -1.5})
    text = a.object(["NSMutableString", "NSString", "NSObject"], {"NS.string": "caf\u00e9 \U0001F600"})
    inner = a.array([a.plain(1), a.plain(2.5), a.plain(True), a.plain("x"), a.plain(b"\x00\x01"), UID(0)])
    chosen = a.array([a.plain(7)], "NSSet")
    return a.bytes(a.dictionary([
        ("url", url), ("uuid", uuid), ("date", date), ("text", text), ("inner", inner), ("set", chosen),
        ("large", a.plain(2**63)), ("low", a.plain(-(2**63)))]))


def circle():
    """An array that holds itself."""
    a = Archiver()
    uid = a.reserve()
    return a.bytes(a.object(["NSArray", "NSObject"], {"NS.objects": [uid, uid]}, at=uid))


def doubling(levels=64):
    """Each array holds the one before twice: 2 to the 64 values."""
    a = Archiver()
    uid = a.plain("leaf")
    for _ in range(levels):
        uid = a.array([uid, uid])
    return a.bytes(uid)


def missing():
    a = Archiver()
    return a.bytes(a.array([UID(4_000_000_000), UID(1)]))


def as_xml(archive):
    """The same archive as an XML list, where a dictionary stands for a reference."""
    def plain(value):
        if isinstance(value, UID):
            return {"CF$UID": value.data}
        if isinstance(value, dict):
            return {key: plain(item) for key, item in value.items()}
        return [plain(item) for item in value] if isinstance(value, list) else value

    return plistlib.dumps(plain(plistlib.loads(archive)), fmt=plistlib.FMT_XML, sort_keys=False)


def deflated(data):
    compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
    return compressor.compress(data) + compressor.flush()


XML = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="1" systemVersion="1" \
minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class">
        <attribute name="name" attributeType="String" minValueString="1" maxValueString="80" \
regularExpressionString="[A-Z].*"/>
        <attribute name="portrait" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
        <attribute name="bookCount" optional="YES" attributeType="Integer 32" derived="YES" \
derivationExpression="books.@count"/>
        <relationship name="books" optional="YES" toMany="YES" deletionRule="Cascade" ordered="YES" \
destinationEntity="Book" inverseName="writer" inverseEntity="Book"/>
        <uniquenessConstraints>
            <uniquenessConstraint>
                <constraint value="name"/>
            </uniquenessConstraint>
        </uniquenessConstraints>
    </entity>
    <entity name="Book" representedClassName="Book" elementID="Volume" syncable="YES">
        <attribute name="year" optional="YES" attributeType="Integer 16" defaultValueString="1999" minValueString="0"/>
        <attribute name="added" optional="YES" attributeType="Date" defaultDateTimeInterval="12.5"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
        <relationship name="writer" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" \
inverseName="books" inverseEntity="Author"/>
        <fetchIndex name="byYear">
            <fetchIndexElement property="year" type="Binary" order="descending"/>
        </fetchIndex>
        <userInfo>
            <entry key="note" value="a &amp; b"/>
        </userInfo>
    </entity>
    <entity name="Novel" representedClassName="Novel" parentEntity="Book" isAbstract="YES" syncable="YES"/>
    <composite name="Place">
        <attribute name="shelf" optional="YES" attributeType="String"/>
        <attribute name="number" optional="YES" attributeType="Integer 64" defaultValueString="0"/>
    </composite>
    <configuration name="Shop">
        <memberEntity name="Book"/>
    </configuration>
</model>
"""

BOMB = '<!DOCTYPE model [<!ENTITY a "aaaaaaaaaa">%s]><model name="&j;"/>' % "".join(
    '<!ENTITY %s "%s">' % (chr(98 + i), ("&%s;" % chr(97 + i)) * 10) for i in range(9))

COMPARISONS = """age >= 18 AND NOT name BEGINSWITH[cd] 'Sm\\u00e9' OR (ANY children.age IN {1, 2.5e3}
&& ALL b.@count BETWEEN {-1, 0x1F}) || NONE #in.size LIKE "?*" OR SELF MATCHES[c] '\\\\d+' OR x == nil OR y <> YES"""

EXPRESSIONS = """SUBQUERY(a.b, $x, $x.c == 1 AND $y[FIRST] != a[2]).@avg.d > -e ** 2 + max(f, 3) * now()
AND TERNARY(a == TRUE, CAST("2001-01-01", "NSDate"), b UNION {3} MINUS c) =< FUNCTION(SELF, 'x:', random())
AND g == CAST("0.1", "NSDecimalNumber") AND h != CAST("AQID", "NSData") AND TRUEPREDICATE"""


def write(path, data):
    path = ROOT / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def main():
    model, cache = Model(False).bytes(), Model(True).bytes()
    write("Seeds/archive/values", values())
    write("Seeds/archive/values-xml", as_xml(values()))
    write("Seeds/cache/model-deflated", b"\x00" + deflated(model))
    write("Seeds/cache/model", b"\x01" + model)
    write("Seeds/cache/known-keys-deflated", b"\x00" + deflated(cache))
    write("Seeds/cache/known-keys", b"\x01" + cache)
    write("Seeds/predicate/comparisons", COMPARISONS)
    write("Seeds/predicate/expressions", EXPRESSIONS)
    write("Seeds/xml/books", XML)
    sample = ROOT.parent / "samples/Company/Company.xcdatamodeld/Company.xcdatamodel/contents"
    write("Seeds/xml/company", sample.read_bytes())
    write("Regressions/archive/refused-circle", circle())
    write("Regressions/archive/refused-doubling", doubling())
    write("Regressions/archive/refused-missing", missing())
    write("Regressions/archive/refused-model", model)
    write("Regressions/cache/refused-bomb", b"\x00" + deflated(bytes(8 << 20)))
    write("Regressions/cache/refused-cut-off", b"\x00" + deflated(cache)[:-9])
    write("Regressions/cache/refused-values", b"\x01" + values())
    write("Regressions/cache/refused-doubling", b"\x01" + doubling())
    write("Regressions/predicate/refused-nested", "NOT (" * 10_000)
    write("Regressions/predicate/refused-sum", "a == " + "1 - " * 10_000 + "1")
    write("Regressions/xml/refused-bomb", BOMB)
    write("Regressions/xml/refused-nested", "<model>" + "<entity name='E'>" * 3_000)


if __name__ == "__main__":
    main()
