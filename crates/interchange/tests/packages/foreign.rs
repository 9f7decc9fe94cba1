//! Packages as other systems make them: what is kept, and what is reported.

use interchange::model::{Entry, Item, ItemKind, TestContent};
use interchange::{Imported, Loss, import};

use crate::archives::zip;

const MANIFEST: &str = "imsmanifest.xml";

fn read(files: &[(&str, &str)]) -> Imported {
    import(&zip(files)).unwrap_or_else(|error| panic!("{error}: {error:?}"))
}

/// A package of loose items, without a test.
fn items(kind: &str, items: &[&str]) -> Imported {
    let names: Vec<String> = (0..items.len()).map(|n| format!("items/{n}.xml")).collect();
    let resources: String = names
        .iter()
        .enumerate()
        .map(|(n, name)| {
            format!("<resource identifier='r{n}' type='{kind}' href='{name}'><file href='{name}'/></resource>")
        })
        .collect();
    let manifest = format!("<manifest identifier='m'><organizations/><resources>{resources}</resources></manifest>");
    let mut files = vec![(MANIFEST, manifest.as_str())];
    files.extend(names.iter().map(String::as_str).zip(items.iter().copied()));
    read(&files)
}

/// One item of QTI 2.1.
fn item(body: &str) -> (Item, Imported) {
    let item = format!(
        "<assessmentItem xmlns='http://www.imsglobal.org/xsd/imsqti_v2p1' identifier='q' title='Title' adaptive='false' timeDependent='false'>{body}</assessmentItem>"
    );
    let imported = items("imsqti_item_xmlv2p1", &[&item]);
    (imported.tests[0].items[0].clone(), imported)
}

/// One item of QTI 1.2 in a cartridge of version 1.1.
fn old_item(inside: &str) -> (Item, Imported) {
    let imported = assessment(&format!("<item ident='q' title='Title'>{inside}</item>"));
    (imported.tests[0].items[0].clone(), imported)
}

fn assessment(items: &str) -> Imported {
    let assessment = format!(
        "<questestinterop xmlns='http://www.imsglobal.org/xsd/ims_qtiasiv1p2'><assessment ident='a' title=' Quiz '><section ident='s'>{items}</section></assessment></questestinterop>"
    );
    let manifest = "<manifest identifier='m'><organizations/><resources><resource identifier='r' \
        type='imsqti_xmlv1p2/imscc_xmlv1p1/assessment'><file href='a.xml'/></resource></resources></manifest>";
    read(&[(MANIFEST, manifest), ("a.xml", &assessment)])
}

fn profile(name: &str) -> String {
    format!(
        "<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>cc_profile</fieldlabel><fieldentry>{name}</fieldentry>\
         </qtimetadatafield></qtimetadata></itemmetadata>"
    )
}

fn has(imported: &Imported, code: Loss) -> bool {
    imported.report.findings.iter().any(|finding| finding.code == code)
}

#[test]
fn a_choice_with_a_template_is_worth_a_point() {
    let (item, imported) = item(
        "<responseDeclaration identifier='R' cardinality='single' baseType='identifier'><correctResponse>\n<value> b </value>\n</correctResponse></responseDeclaration>\
         <itemBody>\n<p>Look at\n  this.</p>\n<choiceInteraction responseIdentifier='R' shuffle='true' maxChoices='1'>\n<prompt>Which?</prompt>\n\
         <simpleChoice identifier='a'>One</simpleChoice>\n<simpleChoice identifier='b'><p>Two</p></simpleChoice></choiceInteraction></itemBody>\
         <responseProcessing template='http://www.imsglobal.org/question/qti_v2p1/rptemplates/match_correct'/>",
    );
    assert_eq!((item.kind, item.question.as_str(), item.score), (ItemKind::Select, "Look at this.\nWhich?", 1.0));
    assert_eq!(
        (item.options, item.correct_answers),
        (vec!["One".to_owned(), "Two".to_owned()], vec!["Two".to_owned()])
    );
    assert!(has(&imported, Loss::Behaviour), "{:?}", imported.report);
}

#[test]
fn a_mapping_gives_keys_and_points() {
    let (item, imported) = item(
        "<responseDeclaration identifier='R' cardinality='multiple' baseType='identifier'><mapping upperBound='2' defaultValue='-1'>\
         <mapEntry mapKey='h' mappedValue='1'/><mapEntry mapKey='o' mappedValue='1'/><mapEntry mapKey='x' mappedValue='-1'/></mapping></responseDeclaration>\
         <itemBody><choiceInteraction responseIdentifier='R' maxChoices='0'><simpleChoice identifier='h'>H</simpleChoice>\
         <simpleChoice identifier='o'>O</simpleChoice><simpleChoice identifier='x'>X</simpleChoice></choiceInteraction></itemBody>\
         <responseProcessing template='http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response'/>",
    );
    assert_eq!((item.score, item.question.as_str()), (2.0, "Title"));
    assert_eq!(item.correct_answers, ["H", "O"]);
    assert!(has(&imported, Loss::Scoring));
}

#[test]
fn two_options_true_and_false_are_a_statement() {
    let choice = |yes: &str, no: &str| {
        item(&format!(
            "<responseDeclaration identifier='R' cardinality='single' baseType='identifier'><correctResponse><value>t</value></correctResponse></responseDeclaration>\
             <itemBody><choiceInteraction responseIdentifier='R' maxChoices='1'><simpleChoice identifier='t'>{yes}</simpleChoice>\
             <simpleChoice identifier='f'>{no}</simpleChoice></choiceInteraction></itemBody>"
        ))
        .0
        .kind
    };
    for (yes, no) in [("True", "False"), ("richtig", "falsch"), ("Faux", "Vrai"), ("对", "错")] {
        assert_eq!(choice(yes, no), ItemKind::TrueFalse, "{yes}");
    }
    assert_eq!(choice("Left", "Right"), ItemKind::Select);
}

#[test]
fn a_gap_in_a_text_is_shown_in_the_question() {
    let (item, imported) = item(
        "<responseDeclaration identifier='R' cardinality='single' baseType='string'><correctResponse><value>York</value></correctResponse>\
         <mapping><mapEntry mapKey='York' mappedValue='1'/><mapEntry mapKey='York City' mappedValue='1'/><mapEntry mapKey='Leeds' mappedValue='0.5'/></mapping></responseDeclaration>\
         <itemBody><blockquote><p>this sun of <textEntryInteraction responseIdentifier='R'/>;<br/>And</p></blockquote></itemBody>",
    );
    assert_eq!((item.kind, item.question.as_str()), (ItemKind::Blank, "this sun of ____;\nAnd"));
    assert_eq!(item.correct_answers, ["York", "York City"]);
    assert!(has(&imported, Loss::Scoring) && has(&imported, Loss::Markup));
}

#[test]
fn several_gaps_become_an_open_question() {
    let (item, imported) = item(
        "<responseDeclaration identifier='A' cardinality='single' baseType='string'><correctResponse><value>red</value></correctResponse></responseDeclaration>\
         <responseDeclaration identifier='B' cardinality='single' baseType='identifier'><correctResponse><value>x</value></correctResponse></responseDeclaration>\
         <itemBody><p>A <textEntryInteraction responseIdentifier='A'/> b <inlineChoiceInteraction responseIdentifier='B'><inlineChoice identifier='x'>blue</inlineChoice>\
         <inlineChoice identifier='y'>green</inlineChoice></inlineChoiceInteraction></p></itemBody>",
    );
    assert_eq!((item.kind, item.question.as_str()), (ItemKind::OpenEnded, "A (1) ____ b (2) ____"));
    assert_eq!(item.correct_answers, ["(1) red; (2) blue"]);
    assert!(has(&imported, Loss::Question));
}

#[test]
fn qti_3_reads_like_qti_2() {
    let item = "<qti-assessment-item xmlns='http://www.imsglobal.org/xsd/imsqtiasi_v3p0' identifier='q' title='T' time-dependent='false' xml:lang='de'>\
        <qti-response-declaration identifier='RESPONSE' cardinality='single' base-type='string'/>\
        <qti-outcome-declaration identifier='SCORE' cardinality='single' base-type='float' normal-maximum='5'/>\
        <qti-item-body><p>Warum?</p><qti-extended-text-interaction response-identifier='RESPONSE'/>\
        <qti-rubric-block view='scorer' use='scoring'><qti-content-body><p>Two reasons.</p></qti-content-body></qti-rubric-block></qti-item-body>\
        <qti-modal-feedback outcome-identifier='F' identifier='a' show-hide='show'><qti-content-body>Weil.</qti-content-body></qti-modal-feedback></qti-assessment-item>";
    let upload = "<qti-assessment-item xmlns='http://www.imsglobal.org/xsd/imsqtiasi_v3p0' identifier='u' title='T' time-dependent='false'>\
        <qti-item-body><qti-upload-interaction response-identifier='R'><qti-prompt>Hand in.</qti-prompt></qti-upload-interaction></qti-item-body></qti-assessment-item>";
    let imported = items("imsqti_item_xmlv3p0", &[item, upload]);
    let [essay, upload] = &imported.tests[0].items[..] else { panic!("two items") };
    assert_eq!((essay.kind, essay.question.as_str(), essay.score), (ItemKind::OpenEnded, "Warum?", 5.0));
    assert_eq!(essay.explanation, "Weil.\nTwo reasons.");
    assert_eq!((upload.kind, upload.question.as_str()), (ItemKind::Submission, "Hand in."));
    assert_eq!(imported.tests[0].language, "de");
}

#[test]
fn a_test_with_sections_rules_and_a_time_limit() {
    let test = "<assessmentTest identifier='t' title='Exam'><outcomeDeclaration identifier='SCORE' masteryValue='3'/><timeLimits maxTime='90'/>\
        <testPart><itemSessionControl maxAttempts='1'/><assessmentSection title='One'><ordering shuffle='true'/><rubricBlock view='candidate'><p>Read well.</p></rubricBlock>\
        <assessmentItemRef identifier='b' href='../items/b.xml'><weight identifier='W' value='3'/></assessmentItemRef></assessmentSection>\
        <assessmentSectionRef identifier='s' href='section.xml'/></testPart></assessmentTest>";
    let section = "<assessmentSection title='Two'><assessmentItemRef identifier='a' href='../items/a.xml'/><assessmentItemRef href='../items/gone.xml'/></assessmentSection>";
    let item = |name: &str| {
        format!(
            "<assessmentItem identifier='{name}' title='{name}'><itemBody><p>{name}?</p><extendedTextInteraction responseIdentifier='R'/></itemBody></assessmentItem>"
        )
    };
    let manifest = "<manifest identifier='m'><metadata><lom><general><description><string>All of it.</string></description></general></lom></metadata><organizations/><resources>\
        <resource identifier='t' type='imsqti_test_xmlv2p1' href='tests/t.xml'><file href='tests/t.xml'/></resource>\
        <resource identifier='a' type='imsqti_item_xmlv2p1' href='items/a.xml'><file href='items/a.xml'/></resource>\
        <resource identifier='b' type='imsqti_item_xmlv2p1' href='items/b.xml'><file href='items/b.xml'/></resource></resources></manifest>";
    let imported = read(&[
        (MANIFEST, manifest),
        ("tests/t.xml", test),
        ("tests/section.xml", section),
        ("items/a.xml", &item("a")),
        ("items/b.xml", &item("b")),
    ]);
    let [test] = &imported.tests[..] else { panic!("one test") };
    assert_eq!(
        (test.title.as_str(), test.description.as_str(), test.time_limit_minutes),
        ("Exam", "All of it.\nRead well.", Some(1.5))
    );
    let questions: Vec<_> = test.items.iter().map(|item| (item.question.as_str(), item.score)).collect();
    assert_eq!(questions, [("b?", 3.0), ("a?", 1.0)]);
    assert_eq!(test.passing, Some(interchange::model::Passing::Points(3.0)));
    for code in [Loss::Structure, Loss::Behaviour, Loss::File] {
        assert!(has(&imported, code), "{code:?}: {:?}", imported.report);
    }
}

#[test]
fn questions_without_an_equal_are_named_and_left_out() {
    let item = |body: &str| format!("<assessmentItem identifier='q' title='T'>{body}</assessmentItem>");
    let kept = item("<itemBody><p>x</p><extendedTextInteraction responseIdentifier='R'/></itemBody>");
    let others = [
        item("<itemBody><matchInteraction responseIdentifier='R'/></itemBody>"),
        item("<templateDeclaration identifier='T'/><itemBody/>"),
        item("<itemBody><p>Just a text.</p></itemBody>"),
        item(
            "<itemBody><choiceInteraction responseIdentifier='A'/><extendedTextInteraction responseIdentifier='B'/></itemBody>",
        ),
        "<other/>".to_owned(),
        item("").replace("identifier", "adaptive='true' identifier"),
    ];
    let all: Vec<&str> = std::iter::once(kept.as_str()).chain(others.iter().map(String::as_str)).collect();
    let imported = items("imsqti_item_xmlv2p2", &all);
    assert_eq!(imported.tests[0].items.len(), 1);
    let named: Vec<&str> =
        imported.report.findings.iter().filter(|f| f.code == Loss::Question).map(|f| f.file.as_str()).collect();
    assert_eq!(named, (1..=6).map(|n| format!("items/{n}.xml")).collect::<Vec<_>>());
}

#[test]
fn qti_1_2_questions_of_all_kinds() {
    let choice = |cardinality: &str, labels: &str, conditions: &str| {
        format!(
            "<presentation><material><mattext texttype='text/html'>&lt;p&gt;What &lt;b&gt;now&lt;/b&gt;?&lt;/p&gt;</mattext></material>\
             <response_lid ident='r' rcardinality='{cardinality}'><render_choice>{labels}</render_choice></response_lid></presentation>\
             <resprocessing><outcomes><decvar varname='SCORE' maxvalue='100'/></outcomes>{conditions}</resprocessing>"
        )
    };
    let label = |ident: &str, text: &str| {
        format!("<response_label ident='{ident}'><material><mattext>{text}</mattext></material></response_label>")
    };
    let right = |tests: &str| {
        format!(
            "<respcondition><conditionvar>{tests}</conditionvar><setvar action='Set' varname='SCORE'>100</setvar></respcondition>"
        )
    };
    let labels = label("1", "One") + &label("2", "Two") + &label("3", "Three");

    let (item, _) = old_item(
        &(profile("cc.multiple_choice.v0p1")
            + &choice("Single", &labels, &right("<varequal respident='r'>2</varequal>"))),
    );
    assert_eq!((item.kind, item.question.as_str()), (ItemKind::Select, "What now?"));
    assert_eq!((item.options.len(), item.correct_answers), (3, vec!["Two".to_owned()]));

    let several = "<and><varequal respident='r'>1</varequal><not><varequal respident='r'>2</varequal></not><varequal respident='r'>3</varequal></and>";
    let (item, _) = old_item(&(profile("cc.multiple_response.v0p1") + &choice("Multiple", &labels, &right(several))));
    assert_eq!(item.correct_answers, ["One", "Three"]);

    let pair = label("t", "Ja") + &label("f", "Nein");
    let (item, _) = old_item(
        &(profile("cc.true_false.v0p1") + &choice("Single", &pair, &right("<varequal respident='r'>f</varequal>"))),
    );
    assert_eq!((item.kind, item.correct_answers), (ItemKind::TrueFalse, vec!["Nein".to_owned()]));

    let written = "<presentation><flow><material><mattext>2 + 2 =</mattext></material><response_str ident='r'><render_fib/></response_str>\
        <material><mattext>.</mattext></material></flow></presentation>";
    let answers = right("<varequal respident='r'> 4 </varequal><varequal respident='r'>four</varequal>");
    let (item, _) = old_item(&format!("{}{written}<resprocessing>{answers}</resprocessing>", profile("cc.fib.v0p1")));
    assert_eq!((item.kind, item.question.as_str()), (ItemKind::Blank, "2 + 2 = ____\n."));
    assert_eq!(item.correct_answers, ["4", "four"]);

    let solution = "<itemfeedback ident='general_fb'><flow_mat><material><mattext>Think.</mattext></material></flow_mat></itemfeedback>\
        <itemfeedback ident='s'><solution><solutionmaterial><material><mattext>So.</mattext></material></solutionmaterial></solution></itemfeedback>";
    let (item, _) = old_item(&format!("{}{written}{solution}", profile("cc.essay.v0p1")));
    assert_eq!(
        (item.kind, item.explanation.as_str(), item.correct_answers),
        (ItemKind::OpenEnded, "Think.", vec!["So.".to_owned()])
    );
}

#[test]
fn qti_1_2_questions_without_an_equal_are_named() {
    let matching = "<presentation><response_lid ident='a'><render_choice/></response_lid><response_lid ident='b'><render_choice/></response_lid></presentation>";
    let text = "<presentation><material><mattext>Read.</mattext></material></presentation>";
    let kept = "<presentation><response_str ident='r'><render_fib rows='5'/></response_str></presentation>";
    let imported = assessment(&format!(
        "<item ident='m' title='Match'>{matching}</item><item ident='t'>{text}</item><item ident='k'>{kept}</item>"
    ));
    assert_eq!(imported.tests[0].items.len(), 1);
    assert_eq!((imported.tests[0].title.as_str(), imported.tests[0].items[0].kind), ("Quiz", ItemKind::OpenEnded));
    let messages: Vec<&str> = imported.report.findings.iter().map(|finding| finding.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "Titles of the questions were left out.",
            "The question “Match” can't be kept: it asks 2 things at once.",
            "The question “t” can't be kept: it asks nothing."
        ]
    );
}

#[test]
fn weights_and_points_of_tools_are_scores() {
    let scored = |label: &str, points: &str| {
        let item = format!(
            "<itemmetadata><qtimetadata><qtimetadatafield><fieldlabel>{label}</fieldlabel><fieldentry>{points}</fieldentry></qtimetadatafield></qtimetadata></itemmetadata>\
             <presentation><response_str ident='r'><render_fib/></response_str></presentation>"
        );
        old_item(&item).0.score
    };
    assert_eq!(scored("cc_weighting", "7"), 7.0);
    assert_eq!(scored("points_possible", "2.5"), 2.5);
    assert_eq!(scored("points_possible", "lots"), 1.0);
    assert_eq!(scored("points_possible", "-4"), 1.0);
    assert_eq!(scored("points_possible", "inf"), 1.0);
}

#[test]
fn a_cartridge_with_folders_and_things_that_have_no_equal() {
    let manifest = "<manifest identifier='m' xmlns='http://www.imsglobal.org/xsd/imsccv1p1/imscp_v1p1'><metadata><schema>IMS Common Cartridge</schema><schemaversion>1.1.0</schemaversion>\
        <lomimscc:lom xmlns:lomimscc='u'><lomimscc:general><lomimscc:title><lomimscc:string>\n Biology </lomimscc:string></lomimscc:title></lomimscc:general></lomimscc:lom></metadata>\
        <organizations><organization identifier='o' structure='rooted-hierarchy'><item identifier='root'>\
        <item identifier='w1'><title>Week 1</title><item identifier='i1' identifierref='page'><title>Cells</title></item><item identifier='i2' identifierref='link'><title>More</title></item></item>\
        <item identifier='i3' identifierref='talk'><title>Talk</title></item><item identifier='i4' identifierref='page'><title>Again</title></item>\
        <item identifier='i5' identifierref='nowhere'><title>Gone</title></item><item identifier='i6'><title>Heading</title></item></item></organization></organizations>\
        <resources><resource identifier='page' type='webcontent' href='p/cells.html'><file href='p/cells.html'/><file href='p/cell.png'/></resource>\
        <resource identifier='link' type='imswl_xmlv1p1'><file href='link.xml'/></resource>\
        <resource identifier='talk' type='imsdt_xmlv1p1'><file href='talk.xml'/></resource>\
        <resource identifier='bad' type='imswl_xmlv1p1'><file href='bad.xml'/></resource>\
        <resource identifier='image' type='webcontent' href='x.png'><file href='x.png'/></resource>\
        <resource identifier='loose' type='webcontent' href='loose.html'><file href='loose.html'/></resource></resources></manifest>";
    let imported = read(&[
        (MANIFEST, manifest),
        (
            "p/cells.html",
            "<html lang='en'><head><title>x</title></head><body><p>Cells.</p><img src='cell.png' alt='A cell'></body></html>",
        ),
        ("p/cell.png", "x"),
        ("link.xml", "<webLink><title>Wiki</title><url href=' https://example.org/cell '/></webLink>"),
        ("bad.xml", "<webLink><title>x</title><url href='javascript:alert(1)'/></webLink>"),
        ("talk.xml", "<topic/>"),
        ("x.png", "x"),
        ("loose.html", "<p>Loose.</p>"),
        ("unlisted.txt", "x"),
        ("__MACOSX/._x", "x"),
    ]);
    let [course] = &imported.courses[..] else { panic!("one course") };
    assert_eq!(course.title, "Biology");
    let [Entry::Module(module), Entry::Link(link)] = &course.entries[..] else { panic!("{course:?}") };
    assert_eq!((module.title.as_str(), module.language.as_str()), ("Cells", "en"));
    assert!(module.html.contains("<p>Cells.</p>") && module.html.contains("A cell") && !module.html.contains("src="));
    assert_eq!((link.title.as_str(), link.url.as_str()), ("Wiki", "https://example.org/cell"));
    assert_eq!(imported.modules.iter().map(|module| module.html.as_str()).collect::<Vec<_>>(), ["<p>Loose.</p>"]);
    let found: Vec<&str> = imported.report.findings.iter().map(|finding| finding.message.as_str()).collect();
    for part in [
        "Week 1",
        "Talk",
        "more than once",
        "Gone",
        "Heading",
        "Pictures",
        "no web page",
        "only pages",
        "does not name",
    ] {
        assert!(found.iter().any(|message| message.contains(part)), "{part}: {found:#?}");
    }
    assert!(!found.iter().any(|message| message.contains("MACOSX")));
}

#[test]
fn a_package_in_a_folder_is_found() {
    let imported = {
        let item = "<assessmentItem identifier='q' title='x'><itemBody><p>x</p><extendedTextInteraction responseIdentifier='R'/></itemBody></assessmentItem>";
        let manifest = "<manifest identifier='m'><organizations/><resources><resource identifier='r' type='imsqti_item_xmlv2p1' href='i.xml'><file href='i.xml'/></resource></resources></manifest>";
        read(&[("export/imsmanifest.xml", manifest), ("export/i.xml", item)])
    };
    assert_eq!(imported.tests[0].items[0].question, "x");
    assert!(imported.report.is_empty(), "{:?}", imported.report);
}

#[test]
fn what_stands_beside_the_questions_is_reported() {
    let manifest = "<manifest identifier='m'><metadata><lom><general><keyword><string>k</string></keyword></general><rights><cost><value>no</value></cost></rights></lom></metadata>\
        <organizations/><resources><resource identifier='t' type='imsqti_test_xmlv2p1' href='t.xml'><file href='t.xml'/></resource></resources></manifest>";
    let test = "<assessmentTest identifier='t' title='T'><testPart><assessmentSection><assessmentItemRef href='i.xml' category='c'/></assessmentSection></testPart><outcomeProcessing/></assessmentTest>";
    let item = "<assessmentItem identifier='i' title='Title'><stylesheet href='x.css'/><itemBody><p>x</p><uploadInteraction responseIdentifier='R' type='image/png'/></itemBody></assessmentItem>";
    let imported = read(&[(MANIFEST, manifest), ("t.xml", test), ("i.xml", item)]);
    let found: Vec<(&str, Loss)> =
        imported.report.findings.iter().map(|finding| (finding.file.as_str(), finding.code)).collect();
    assert_eq!(
        found,
        [
            (MANIFEST, Loss::Metadata),
            ("t.xml", Loss::Metadata),
            ("i.xml", Loss::Markup),
            ("i.xml", Loss::Behaviour),
            ("t.xml", Loss::Metadata),
            ("t.xml", Loss::Scoring),
        ]
    );
}

#[test]
fn a_test_of_which_nothing_is_left_is_left_out() {
    let imported = import(&zip(&[
        (
            MANIFEST,
            "<manifest identifier='m'><organizations/><resources><resource identifier='r' type='imsqti_test_xmlv2p1' href='t.xml'><file href='t.xml'/></resource></resources></manifest>",
        ),
        (
            "t.xml",
            "<assessmentTest identifier='t' title='T'><testPart><assessmentSection><assessmentItemRef href='gone.xml'/></assessmentSection></testPart></assessmentTest>",
        ),
    ]));
    assert_eq!(imported.unwrap_err().code(), "nothing");
}

#[test]
fn questions_of_one_id_are_told_apart() {
    let item =
        "<item ident='same'><presentation><response_str ident='r'><render_fib/></response_str></presentation></item>";
    let TestContent { items, .. } = assessment(&item.repeat(3)).tests.remove(0);
    assert_eq!(items.iter().map(|item| item.id.as_str()).collect::<Vec<_>>(), ["same", "same-2", "same-3"]);
}
