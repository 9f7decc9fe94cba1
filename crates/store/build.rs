//! Rebuilds the crate when a migration is added: the macro that embeds them sees only changed files.

fn main() {
    println!("cargo::rerun-if-changed=migrations");
}
