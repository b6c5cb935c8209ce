let store = "/home/anna/Seed.sqlite"
let model = "file:///Users/anna/Model.xcdatamodeld"
let scratch = "/tmp/scratch"
