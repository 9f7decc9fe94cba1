//! What axe-core finds in a page: texts without contrast, fields without labels, and the like (WCAG 2.2 and good practice).

use crate::{Browser, variable};

const RULES: &str = "LECTERN_TEST_AXE";

/// Judges the page. What is in a frame belongs to its own page: customers' HTML is shown in frames that run no script, which
/// axe-core would wait for.
const JUDGE: &str = "const done = arguments[arguments.length - 1];
    axe.run(document, { iframes: false, resultTypes: ['violations'] }).then(
        (found) => done(found.violations.flatMap((rule) => rule.nodes.map((node) =>
            `${rule.id}: ${node.target.join(' ')}: ${node.failureSummary.replace(/\\s+/g, ' ')}`))),
        (error) => done([String(error)]));";

impl Browser {
    /// The faults of the page that is open, by rule and element; none where everybody can use it.
    ///
    /// # Panics
    /// Where the rules can't be read or run.
    pub async fn barriers(&self) -> Vec<String> {
        let read = async || std::fs::read_to_string(variable(RULES, "scripts/axe", "path")).unwrap();
        let rules = self.rules.get_or_init(read).await;
        self.driver.execute(rules.as_str(), vec![]).await.unwrap();
        let found = self.driver.execute_async(JUDGE, vec![]).await.unwrap();
        found.convert().unwrap()
    }
}
