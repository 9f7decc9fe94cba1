//! Whole packages, from the outside: they keep the specifications' rules, come back as they were, and can do no
//! harm.

#[cfg(test)]
mod checker;
#[cfg(test)]
mod contents;
#[cfg(test)]
mod round_trips;
#[cfg(test)]
mod validity;
