import GranaryModel

enum Kind {}
let kind: Kind
