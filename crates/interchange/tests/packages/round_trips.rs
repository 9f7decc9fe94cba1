//! What is exported is imported again as it was, format by format.

use interchange::{TestFormat, export_course, export_module, export_test, import};
use proptest::prelude::*;

use crate::contents;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_test_survives_qti(test in contents::test(1..=5), is_new in any::<bool>()) {
        let format = if is_new { TestFormat::Qti30 } else { TestFormat::Qti21 };
        let package = export_test(&test, format);
        prop_assert!(package.report.is_empty(), "{:?}", package.report);
        let imported = import(&package.bytes).unwrap();
        prop_assert!(imported.report.is_empty(), "{:?}", imported.report);
        prop_assert_eq!(&imported.tests, &[test]);
    }

    #[test]
    fn a_course_survives_a_cartridge(course in contents::course()) {
        let package = export_course(&course);
        let imported = import(&package.bytes).unwrap();
        prop_assert!(imported.report.is_empty(), "{:?}", imported.report);
        prop_assert_eq!(&imported.courses, &[course]);
        prop_assert!(imported.tests.is_empty() && imported.modules.is_empty() && imported.links.is_empty());
    }

    #[test]
    fn a_module_survives_a_page(module in contents::module()) {
        let package = export_module(&module);
        prop_assert!(package.report.is_empty(), "{:?}", package.report);
        let imported = import(&package.bytes).unwrap();
        prop_assert!(imported.report.is_empty(), "{:?}", imported.report);
        prop_assert_eq!(&imported.modules, &[module]);
    }

    #[test]
    fn the_same_content_gives_the_same_bytes(course in contents::course(), test in contents::test(0..=2)) {
        prop_assert_eq!(export_course(&course), export_course(&course));
        prop_assert_eq!(export_test(&test, TestFormat::Qti30), export_test(&test, TestFormat::Qti30));
    }
}
