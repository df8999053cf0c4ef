//! `math(…)`: expressions over the values of variables, of numbers and of vectors.

mod numbers;
mod vectors;
