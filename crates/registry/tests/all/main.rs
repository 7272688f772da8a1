//! One program for nearly all tests: every test program that names all games takes long to link.
//! Only the one that counts allocations has its own allocator, which would slow the others down.

mod brute_force;
mod documents;
mod every_size;
mod go;
mod learn;
#[cfg(feature = "networks")]
mod networks;
mod oracle;
mod own_rules;
mod papers;
mod proof;
mod rules;
mod text;
