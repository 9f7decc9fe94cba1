//! Packages keep the rules of the specifications, whatever is in them.

use interchange::{TestFormat, export_course, export_test};
use proptest::prelude::*;

use crate::{checker, contents};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_qti_21_package_is_valid(test in contents::test(0..=5)) {
        checker::qti::check(&export_test(&test, TestFormat::Qti21).bytes, &checker::qti::V21);
    }

    #[test]
    fn a_qti_30_package_is_valid(test in contents::test(0..=5)) {
        checker::qti::check(&export_test(&test, TestFormat::Qti30).bytes, &checker::qti::V30);
    }

    #[test]
    fn a_cartridge_is_valid(course in contents::course()) {
        checker::cartridge::check(&export_course(&course).bytes);
    }
}
