/// Follows all changes of a context, also those that observers are not told of.
protocol ContextFollower: AnyObject {
    func follow(_ changes: ObjectChanges, _ merged: ContextFollowers.Merged)
    /// Called after each save of the context.
    func followSave()
}
