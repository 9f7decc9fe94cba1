//! Tests, courses and modules in the formats of other systems: QTI, Common Cartridge, standalone HTML.
//!
//! A pure library: bytes in, bytes out. It must never touch a store, a network or a clock.
