enum Mode {}
