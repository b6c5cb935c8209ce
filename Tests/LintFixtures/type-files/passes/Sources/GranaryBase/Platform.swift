#if os(Linux)
    struct Platform {}
#endif
