struct Model {
    let kind: GranaryBase.Kind
}
