/// A prepared predicate. The depth of the tree is limited, so evaluation may recurse.
indirect enum PreparedPredicate: Sendable {
    case constant(Bool)
    case comparison(PreparedComparison)
    case and([PreparedPredicate])
    case or([PreparedPredicate])
    case not(PreparedPredicate)

    func holds<Subject: PredicateSubject>(on subject: Subject, _ run: inout PredicateRun) -> Bool {
        switch self {
        case .constant(let truth): return truth
        case .comparison(let comparison): return comparison.holds(on: subject, &run)
        case .and(let parts):
            for part in parts where !part.holds(on: subject, &run) { return false }
            return true
        case .or(let parts):
            for part in parts where part.holds(on: subject, &run) { return true }
            return false
        case .not(let part): return !part.holds(on: subject, &run)
        }
    }
}
