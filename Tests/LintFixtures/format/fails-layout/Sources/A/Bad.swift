struct Bad {
  let number : Int
}
