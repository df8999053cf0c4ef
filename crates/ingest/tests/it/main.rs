//! Files in, graphs out: goldens for both formats, and what a load promises around them.

mod dump;
mod films_real;
mod generated;
mod goldens;
mod loads;
