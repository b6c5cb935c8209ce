import Granary

/// The rules that the tests of this package check.
public enum Triage {
    /// The patients in the order of treatment: unconscious ones first, then by priority and admission.
    public static func queue(in context: ManagedObjectContext) throws -> [ManagedObject] {
        try context.fetch("Patient", sort: "isConscious,priority,admitted")
    }

    /// Gives unconscious patients the priority 1, and saves.
    ///
    /// - Returns: the number of changed patients.
    public static func raisePriorities(in context: ManagedObjectContext) throws -> Int {
        let patients = try context.fetch("Patient", where: "isConscious == NO AND priority > 1")
        for patient in patients { try patient.setValue(.integer(1), forKey: "priority") }
        try context.save()
        return patients.count
    }
}
