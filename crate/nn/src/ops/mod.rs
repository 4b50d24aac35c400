//! Operations on tensors.

pub(crate) mod cpu;
