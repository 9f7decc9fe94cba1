//! Whole packages, from the outside: they keep the specifications' rules, come back as they were, and can do no
//! harm.

#[cfg(test)]
mod archives;
#[cfg(test)]
mod checker;
#[cfg(test)]
mod checker_bites;
#[cfg(test)]
mod contents;
#[cfg(test)]
mod foreign;
#[cfg(test)]
mod hostile;
#[cfg(test)]
mod losses;
#[cfg(test)]
mod pages;
#[cfg(test)]
mod round_trips;
#[cfg(test)]
mod validity;
