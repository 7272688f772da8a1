//! One program for all tests: every test program that names all games takes long to link.

mod allocations;
mod brute_force;
mod every_size;
mod go;
mod learn;
mod oracle;
mod papers;
mod proof;
mod text;
