//! What the elements of HTML and of QTI's bodies mean for plain text.

/// Elements whose text stands on lines of its own.
const BLOCKS: &str = "p div pre h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table caption thead tbody tfoot tr blockquote address hr \
    section article aside header footer nav main figure figcaption details summary body html form fieldset legend prompt \
    contentBody templateBlock feedbackBlock";

/// Elements that plain text can't hold.
const FORMATTING: &str = "b strong i em u s strike del ins mark small big sub sup code kbd samp var tt font ul ol dl blockquote hr \
    h1 h2 h3 h4 h5 h6 ruby";

/// Elements whose content a reader never sees as text.
const NO_TEXT: &str =
    "script style head title template annotation annotation-xml rp iframe svg canvas stylesheet catalogInfo";

pub(super) fn is_block(name: &str) -> bool {
    is_one_of(BLOCKS, name)
}

pub(super) fn is_formatting(name: &str) -> bool {
    is_one_of(FORMATTING, name)
}

pub(super) fn is_no_text(name: &str) -> bool {
    is_one_of(NO_TEXT, name)
}

fn is_one_of(names: &str, name: &str) -> bool {
    names.split_ascii_whitespace().any(|known| known == name)
}
