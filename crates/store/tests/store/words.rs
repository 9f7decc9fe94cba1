//! Enums that are stored as a word.

use store::{Column, FromColumn as _, Parameter, ToColumn as _, Words};

#[derive(Clone, Copy, Debug, PartialEq, Words)]
enum Door {
    Open,
    #[word("SHUT")]
    Shut,
}

#[test]
fn every_word_is_written_and_read_and_nothing_else_is() {
    assert_eq!(Door::WORDS, [("open", Door::Open), ("SHUT", Door::Shut)]);
    assert_eq!(Door::ALL, [Door::Open, Door::Shut]);
    for (word, door) in Door::WORDS {
        assert_eq!((door.to_column(), door.as_str()), (Parameter::Text(word), *word));
        assert_eq!(Door::from_column(Column::Text(word)).unwrap(), *door);
    }
    for unknown in [Column::Text(""), Column::Text("shut"), Column::Text("open "), Column::Integer(0), Column::Null] {
        assert!(Door::from_column(unknown).is_err());
    }
}
