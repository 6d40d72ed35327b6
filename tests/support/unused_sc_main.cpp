// SystemC's library wants one; tests of plain C++ that link it never call it.
extern "C" int sc_main(int, char**) { return 0; }
