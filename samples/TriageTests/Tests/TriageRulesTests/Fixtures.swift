import Foundation
import Granary
import GranaryTesting

/// The files of the sample Triage, which is beside this package.
let triage = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Triage")

let model = triage.appending(path: "Triage.xcdatamodeld")

let injuries = Seed.terms("Burn%Fracture", entity: "Injury", attribute: "name", ordinal: "key")

let twoPatients = Seed.text(
    """
    name,isConscious,priority,injury
    Ann,false,4,Burn
    Bob,true,2,
    """, format: .csv, entity: "Patient")
