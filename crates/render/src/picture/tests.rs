use super::*;
use crate::storyboard::{Resolution, Scene};

fn board(language: &str, text: &str, aspect_ratio: (u32, u32), burns_captions: bool) -> Storyboard {
    let scene = |text: &str| Scene { script: String::new(), display_text: text.to_owned(), seconds: 1.0, title: None };
    Storyboard {
        title: "Photosynthesis".to_owned(),
        language: language.to_owned(),
        aspect_ratio,
        resolution: Resolution::Hd,
        burns_captions,
        scenes: vec![scene("Start"), scene(text)],
    }
}

const TEXTS: [&str; 12] = [
    "Plants make their own food",
    "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz",
    "Light\nWater\nAir",
    "One · Two · Three · Four · Five · Six · Seven · Eight · Nine · Ten · Eleven · Twelve · Thirteen · Fourteen",
    "37 %",
    "25,937 ₹ a month for each household of the country",
    "“I think, therefore I am.” — René Descartes",
    "| Metal | Sign | Melts at |\n|---|---|---|\n| Iron | Fe | 1538 °C |\n| Gold | Au | 1064 °C |",
    r"$x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}$",
    r"$a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+q+r+s+t+u+v+w+x+y+z$",
    "Mass: the amount of matter in an object",
    "النباتات تصنع غذاءها بنفسها",
];

#[test]
fn nothing_leaves_the_safe_area() {
    let long: Vec<String> = TEXTS.iter().map(|text| format!("{text} ").repeat(9)).collect();
    for text in TEXTS.into_iter().chain(long.iter().map(String::as_str)) {
        for (language, ratio, burns) in
            [("en", (16, 9), false), ("ar", (16, 9), true), ("ja", (9, 16), false), ("hi", (1, 1), true)]
        {
            let board = board(language, text, ratio, burns);
            let card = Card::of(&board, 1);
            let Some(bounds) = card.bounds() else { panic!("{text} is not drawn") };
            let content = card.stage.content;
            let slack = 14.0;
            assert!(bounds.left() >= content.x - slack, "{language} {text}: {bounds:?} {content:?}");
            assert!(
                bounds.right() <= card.stage.width - content.x + slack,
                "{language} {text}: {bounds:?} {content:?}"
            );
            assert!(bounds.top() >= content.y - slack, "{language} {text}: {bounds:?} {content:?}");
            assert!(bounds.bottom() <= content.y + content.height + slack, "{language} {text}: {bounds:?} {content:?}");
        }
    }
}

#[test]
fn items_appear_one_after_another() {
    let card = Card::of(&board("en", "Light\nWater\nAir", (16, 9), false), 1);
    assert_eq!(card.steps(), 3);
    let first = card.picture(&|step| if step < 1 { 1.0 } else { 0.0 }, None);
    let second = card.picture(&|step| if step < 2 { 1.0 } else { 0.0 }, None);
    let half = card.picture(&|step| if step < 1 { 1.0 } else { 0.5 }, None);
    assert!(first.data() != second.data() && half.data() != second.data());
    assert!(first.data() == card.picture(&|step| if step < 1 { 1.0 } else { 0.0 }, None).data(), "the same each time");
}

#[test]
fn captions_are_drawn_below_the_content() {
    let board = board("en", "Light", (16, 9), true);
    let card = Card::of(&board, 1);
    let without = card.picture(&|_| 1.0, None);
    let with = card.picture(&|_| 1.0, Some("Plants need light,\nwater and air."));
    let rows = |pixmap: &Pixmap| pixmap.data().chunks(1280 * 4).map(<[u8]>::to_vec).collect::<Vec<_>>();
    let changed: Vec<usize> =
        rows(&without).iter().zip(rows(&with)).enumerate().filter(|(_, (a, b))| **a != *b).map(|(at, _)| at).collect();
    let content = card.stage.content;
    assert!(
        !changed.is_empty()
            && changed
                .iter()
                .all(|row| f64::from(u32::try_from(*row).unwrap()) > f64::from(content.y + content.height))
    );
    assert!(without.data() == card.picture(&|_| 1.0, Some("\u{0} ")).data());
}

#[test]
fn lines_from_the_right_begin_at_the_right() {
    let left = Card::of(&board("en", "Light", (16, 9), false), 1).bounds().unwrap();
    let right = Card::of(&board("ar", "ضوء", (16, 9), false), 1).bounds().unwrap();
    assert!(left.left() < 200.0 && right.right() > 1080.0 && right.left() > 640.0);
}
