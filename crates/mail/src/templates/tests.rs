use std::collections::BTreeSet;

use kernel::ambient::Ambient;
use kernel::time::Timestamp;
use proptest::prelude::*;

use super::*;

fn to() -> Address {
    "Jane <jane@example.com>".parse().unwrap()
}

fn invitation(organization: &str) -> Template {
    let (organization, inviter) = (organization.to_owned(), "ann@example.com".to_owned());
    let link = "https://lectern.example/?a=1&b=2".to_owned();
    Template::Invitation { organization, inviter, link, expires: Timestamp::from_millis(1_800_000_000_000) }
}

fn folder(files: &[(&str, &[u8])]) -> (tempfile::TempDir, Result<Templates, TemplatesError>) {
    let folder = tempfile::tempdir().unwrap();
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).unwrap());
    let loaded = Templates::load(Some(folder.path()), "en");
    (folder, loaded)
}

fn faults(files: &[(&str, &[u8])]) -> Vec<String> {
    match folder(files).1 {
        Err(TemplatesError::Files(faults)) => faults.iter().map(ToString::to_string).collect(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_template_renders_in_every_language() {
    let templates = Templates::default();
    let mut subjects = BTreeSet::new();
    let from = "lectern@school.example".parse().unwrap();
    let ambient = Ambient::fixed(Timestamp::from_millis(1_800_000_000_000), 1).0;
    for language in language::all() {
        for template in Template::samples() {
            let message = templates.render(&template, language.tag, to());
            let html = message.html.as_deref().unwrap();
            let is_in = language.email.map_or("en", |_| language.tag);
            assert!(html.contains(&format!("<html lang=\"{is_in}\" dir=\"{}\">", direction(is_in))), "{html}");
            for (name, value) in template.values(language::email(language.tag).1) {
                let place = format!("{} of {} in {}", name, template.name(), language.tag);
                assert!(message.text.contains(&value), "{place}: {}", message.text);
                assert!(html.contains(&escape(&value)), "{place}: {html}");
            }
            let whole = format!("{}{}{html}", message.subject, message.text);
            assert!(!whole.contains(['{', '}']) && !message.subject.contains('\n'), "{whole}");
            assert!(message.written(&from, &ambient).is_ok());
            subjects.insert(message.subject);
        }
    }
    assert_eq!(subjects.len(), Template::samples().len() * 20, "each language has its own words");
}

#[test]
fn the_samples_are_all_templates_once() {
    let names: BTreeSet<_> = Template::samples().iter().map(Template::name).collect();
    assert_eq!(names.len(), Template::samples().len());
}

#[test]
fn a_language_is_found_by_its_tag_and_english_stands_in() {
    let subject = |language| Templates::default().render(&invitation("X"), language, to()).subject;
    assert_eq!(subject("de-CH"), "Einladung zu X");
    assert_eq!((subject("sv"), subject("?")), ("Invitation to X".to_owned(), "Invitation to X".to_owned()));
}

#[test]
fn a_file_replaces_its_part_in_its_language() {
    let (_folder, templates) = folder(&[
        ("invitation.de.txt", b"Subject: {organization} ruft\r\n\r\n{inviter}: {link} ({language})\n"),
        ("invitation.ar.html", b"<p dir={direction} style=\"{color:red}\">{organization} <a href=\"{link}\">x</a>"),
        (".invitation.xx.txt.swp", b"{nothing}"),
        ("README.md", b"{nothing}"),
    ]);
    let templates = templates.unwrap();
    let german = templates.render(&invitation("A{link}"), "de-AT", to());
    assert_eq!(
        (&*german.subject, &*german.text),
        ("A{link} ruft", "ann@example.com: https://lectern.example/?a=1&b=2 (de)\n")
    );
    assert!(german.html.unwrap().contains("lädt Sie in die Organisation"));
    let arabic = templates.render(&invitation("<b>"), "ar", to());
    let page = "<p dir=rtl style=\"{color:red}\">&lt;b&gt; <a href=\"https://lectern.example/?a=1&amp;b=2\">x</a>";
    assert_eq!(arabic.html.as_deref(), Some(page));
    assert!(arabic.text.contains("يدعوك"));
    assert_eq!(templates.render(&invitation("X"), "fr", to()).subject, "Invitation à X");
}

#[test]
fn wrong_files_are_named_with_what_is_wrong_all_at_once() {
    let large = vec![b'a'; 256 * 1024 + 1];
    let found = faults(&[
        ("invitation.de.txt", b"Subject: x\n\n{organisation}"),
        ("invitation.en.txt", b"Hello {organization}"),
        ("invitation.html", b"x"),
        ("invitation.klingon.html", b"x"),
        ("invite.en.html", b"x"),
        ("low_balance.en.html", &large),
        ("low_balance.fr.html", b"\xff"),
        ("low_balance.it.html", b"{balance} {threshold} {workspace} {direction}"),
    ]);
    assert_eq!(found.len(), 7, "{found:#?}");
    let says = [
        "invitation.de.txt: {organisation} is no value of this template; it has {organization}, {inviter}, {link}",
        "invitation.en.txt: must begin with a line such as Subject:",
        "invitation.html: must be named",
        "invitation.klingon.html: klingon is no language",
        "invite.en.html: there is no template invite; the names are address_verification,",
        "low_balance.en.html: must be at most",
        "low_balance.fr.html: must be UTF-8",
    ];
    assert!(found.iter().zip(says).all(|(found, says)| found.starts_with(says)), "{found:#?}");
}

#[test]
fn a_folder_that_is_not_there_is_an_error() {
    let gone = tempfile::tempdir().unwrap().path().join("gone");
    assert!(matches!(Templates::load(Some(&gone), "en"), Err(TemplatesError::Folder { .. })));
}

proptest! {
    #[test]
    fn no_value_becomes_markup_a_header_or_a_line(name in "[a-z<>&\"'{}\\r\\n\u{2028}\u{85}: ]{0,30}", language in "(en|ar|sv)") {
        let (_folder, templates) = folder(&[("invitation.sv.txt", b"Subject: {organization}\n{organization}"),
            ("invitation.sv.html", b"<p title=\"{organization}\">{organization}")]);
        let message = templates.unwrap().render(&invitation(&name), &language, to());
        let harmless = Templates::default().render(&invitation("x"), &language, to());
        let html = message.html.clone().unwrap();
        if language != "sv" {
            prop_assert_eq!(html.matches('<').count(), harmless.html.unwrap().matches('<').count());
            prop_assert_eq!(message.text.lines().count(), harmless.text.lines().count());
        } else {
            prop_assert_eq!((html.matches('<').count(), html.matches('"').count()), (1, 2));
        }
        prop_assert!(!message.subject.contains(char::is_control));
    }
}
