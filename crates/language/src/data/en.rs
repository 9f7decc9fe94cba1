//! English.

use super::{
    Answers, Cues, Drafts, ExactFeedback, Feedback, Grammar, Labels, Language, Names, Orders, Style, Teaching,
};

pub(super) static LANGUAGE: Language = Language {
    tag: "en",
    labels: LABELS,
    teaching: Some(Teaching {
        grammar: GRAMMAR,
        orders: ORDERS,
        answers: ANSWERS,
        cues: CUES,
        names: NAMES,
        drafts: DRAFTS,
        feedback: FEEDBACK,
        exact: EXACT,
    }),
};

const GRAMMAR: Grammar = Grammar {
    stop_words: "a about above after again all also although am among an and another any are as at be became because \
        become been before being below between both but by can come contains could day did do does doing done \
        down during each either especially even ever every few first following for found from further gave get \
        gives go goes had has have having he help her here high him his how however if in include includes \
        including instead into is it its itself just keep last least less let like little look made make makes \
        making many may me means might more most much must my near need needs never new next no nor not nothing \
        now of off often on once one only onto or other others our out over own per put rather really same \
        second see seen several shall she should show shows since so some something sometimes soon still such \
        take takes than that the their them then there therefore these they this those three through thus to \
        together too took toward try turn two under until up upon us use used uses using usually very want was \
        we well were what when where whether which while who whose why will with within without would yes yet \
        you your",
    weak_words: "green red blue white black yellow brown grey big long short low old young full empty common simple \
        complex natural human main real whole single double different various certain special central modern \
        ancient early thin thick wide deep warm cold light dark heavy consist consists contain carry carries \
        store stores release releases produce produces describe described describes control controls absorb \
        absorbs reflect reflects separate separates surround surrounds display displays follow follows answer \
        answers form forms allow allows provide provides require requires cause causes change changes move \
        moves lead leads begin begins began start starts happen happens grow grows live lives enter leave \
        leaves fill fills add read write wrote written built build known called million billion thousand \
        hundred percent four five six seven eight nine ten number part parts people place point year years \
        thing things time times way ways work word kind general important different similar possible early late \
        later large small great good known early period result results example examples fact case group groups \
        type types amount level levels side end",
    anaphora: "it they this these that those he she him her its their his here there such both however therefore thus \
        then also so but and or because instead another others some many most each every one all we you i what \
        when if after before later soon today now in-addition moreover furthermore similarly finally next first \
        second third afterwards let note remember see please",
    abbreviations: "dr mr mrs ms prof st vs etc e.g i.e fig no approx ca cf al inc ltd jr sr vol pp p ed dept est min max",
    articles: "a an the",
    copulas: "is are",
    determiners: "a an the any one some",
    defining_phrases: "means|refers to|is called|are called|is known as|is defined as|denotes|describes|consists of|stands \
        for|occurs when",
    style: Style::Copula,
    noun_openers: "a an the of in on by with from for into its their his her your our some any every each these those no \
        between through per and or",
    no_noun_endings: "ly ing ed ous ful ive able ible",
    nouns_are_capitalised: false,
    ordinal_dots: false,
};

const ORDERS: Orders = Orders {
    make: "create generate write make prepare design build produce give ask include focus cover use avoid ensure \
        please draft develop provide compose assess evaluate check test explain describe discuss teach \
        introduce summarise summarize show keep add do don't",
    thing: "test tests quiz quizzes exam exams question questions assessment worksheet course video slide slides \
        deck presentation lesson module",
    people: "student* learner* pupil* grade grader* class classes beginner* teacher* audience year-olds graders",
    address: "you your please",
    about: "about on covering covers cover regarding concerning over",
    of: "of",
    about_after: "",
    topic: "topic topics subtopic subtopics theme themes subject subjects title",
    limit: "for with that which at in using aimed suitable so including",
};

const ANSWERS: Answers = Answers {
    negations: "not no never none nor neither nothing without cannot can't cant won't wont don't dont doesn't doesnt \
        didn't didnt isn't isnt aren't arent wasn't wasnt weren't wouldn't couldn't shouldn't hasn't haven't \
        hadn't hardly lack lacks unable",
    negators: "not isnt no never neither nor cannot cant wasnt arent doesnt dont except",
    alternatives: "or either",
    corrections: "but rather instead",
    function_words: "a an the is are was were be been being am its it this that these those he she they i we you my our \
        answer answers correct right than then final result solution value equals called named known think \
        believe guess would should will say my of in on at to for by with from as and so therefore thus hence \
        because since then which who whom whose there here one ones has have had do does did can may must also \
        just only simply probably maybe perhaps sure definitely please thanks",
    copulas: "is are was were equals equal be answer result namely",
    truths: "true yes correct right t y",
    falsehoods: "false no incorrect wrong f n untrue",
    numbers: "zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 \
        thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 \
        forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90",
    months: "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep \
        sept|october oct|november nov|december dec",
};

const CUES: Cues = Cues {
    easy: "easy|beginner|basic|elementary|simple|intro|novice|starter|a1|a2",
    hard: "hard|difficult|advanced|expert|challenging|c1|c2",
    openings: "introduction|intro|welcome",
    closings: "summary|conclusion|conclusions|recap|review",
    practical: "lab|experiment|project|practical|procedure|workshop|activity|hands-on|assignment",
    hedges: "about|around|roughly|approximately|over|nearly|almost|least|most|than|under|circa|ca",
    dependents: "",
    sayings: "says|said|thinks|believes|argues|claims",
    option_names: "option|options|answer|choice",
    right_before: "correct answer is|right answer is|answer is|correct option is|correct choice is|correct is",
    right_after: "is correct|is right|is the correct answer|is the right answer",
    wrong_after: "is wrong|is incorrect|is not correct|is not right",
    before_christ: "bc",
};

const NAMES: Names = Names {
    term: "term word concept keyword expression phrase front vocab",
    title: "title name heading header topic subject label",
    definition: "definition meaning translation description def gloss back",
    question: "question q prompt questiontext",
    options: "options choices alternatives",
    answer: "answer a answers correct correctanswer correctanswers correctindex answerindex correctoption solution",
    explanation: "explanation rationale feedback reason why",
    speaker: "speaker role character person actor who",
    line: "line text says said utterance message content speech sentence",
    when: "date year when time period",
    what: "event what happened milestone",
    step: "step instruction action do",
    columns: "columns headers header head thead",
    rows: "rows data body tbody entries",
    silent: "content contents text body html markdown md value values data items list sections section blocks \
        paragraphs paragraph description desc prose passage lesson table records entries rows details lecture \
        reading",
    technical: "id uuid guid slug url uri href link src image imageurl img icon thumbnail audio audiourl video videourl \
        file filename path createdat updatedat created updated version lang language locale order index \
        position tags difficulty level page pages isbn hash format author license published ispublished status \
        color duration durationminutes minutes points weight xp",
    steps: "steps procedure instructions method methods directions howto process algorithm recipe",
    glossary: "vocabulary glossary terms keyterms definitions words wordlist vocab flashcards concepts keyconcepts",
};

const DRAFTS: Drafts = Drafts {
    list_comma: ", ",
    list_and: " and ",
    sentence_end: ". ",
    objectives: "Objectives",
    key_terms: "Key terms",
    recap: "Recap",
    answer: "Answer",
    steps: "Steps",
    vocabulary: "Vocabulary",
    questions: "Questions",
    dialogue: "Dialogue",
    timeline: "Timeline",
    examples: "Examples",
    materials: "Materials",
    yes: "Yes",
    no: "No",
    lesson_n: "Lesson {n}",
    step_n: "Step {n}",
    objective_prose: "Describe the main ideas of “{title}”.",
    objective_terms: "Explain the terms of “{title}”: {terms}.",
    objective_steps: "Carry out “{title}” step by step.",
    objective_table: "Read and compare the data in “{title}”.",
    objective_dialogue: "Follow the conversation in “{title}” and act it out.",
    objective_timeline: "Put the events of “{title}” in order.",
    objective_questions: "Answer the questions in “{title}” and give reasons.",
    objective_worked: "Work through the calculations in “{title}”.",
    module_description: "An interactive module on “{title}”: {topics}.",
    video_title: "{title}: summary",
    video_description: "A summary video on “{title}”: {topics}.",
    quiz_name: "Quiz: {title}",
    quiz_description: "Questions on “{title}”: {topics}.",
    answer_true: "True",
    answer_false: "False",
    cloze_term: "Which term completes the sentence? {sentence}",
    cloze_number: "Which number completes the sentence? {sentence}",
    term_for: "Which term means “{definition}”?",
    meaning_of: "What does “{term}” mean?",
    description_of: "Which description fits “{term}”?",
    cell_of: "Which entry under “{column}” belongs to “{row}”?",
    next_step: "In “{title}”, which step comes right after this one: “{step}”?",
    first_event: "“{title}”: which of these came first?",
    when_event: "When was this: “{event}”?",
    who_says: "In “{title}”, who says “{line}”?",
    belongs_to: "Which of these belongs to “{heading}” in “{title}”?",
    true_false: "True or false: {statement}",
    blank: "Fill in the blank: {sentence}",
    blank_term: "Write the term that means “{definition}”.",
    open_term: "Explain “{term}” in your own words.",
    open_why: "The lesson says: “{quote}” Explain this with an example of your own.",
    open_lesson: "Summarise “{title}” in two or three sentences.",
    open_text: "What does the text say?",
    submission: "Carry out “{title}” yourself and hand in a short report: your steps, what you observed and what you conclude.",
    source_says: "The lesson says: “{quote}”",
    video_welcome: "Welcome to “{title}”.",
    video_topics: "These are our topics: {topics}.",
    video_first: "Let us start with “{title}”.",
    video_next: "Next comes “{title}”.",
    video_closing: "That was “{title}”.",
    video_remember: "Keep these terms in mind: {terms}.",
    video_practice: "Now try the questions and see what you remember.",
    plus: "plus",
    minus: "minus",
    times: "times",
    divided_by: "divided by",
    equals: "equals",
    percent: "percent",
    degrees: "degrees",
    root_of: "the square root of",
    less_than: "is less than",
    greater_than: "is greater than",
    prompt_says: "The text for this test says: “{quote}”",
    several_answers: "Several answers can be right; what counts are the reasons.",
    points: "Points to cover: {points}.",
    with_target: "Target: “{target}”",
    ask_example: "Give a concrete example for “{topic}” and explain what it shows.",
    ask_points: "Name the most important points about “{topic}” and say how they are connected.",
    ask_why: "Why is it worth knowing about “{topic}”? Give two reasons.",
    ask_compare: "Compare “{one}” and “{other}”: what do they have in common, and where do they differ?",
    ask_compare_own: "Compare “{topic}” with something similar that you know: what do they have in common, and where do they differ?",
    ask_apply: "Describe a situation in which you can use what you know about “{topic}”, and show how.",
    ask_judge: "Find a question about “{topic}” that can be answered in different ways. Take a side and give your reasons.",
    ask_target: "Write what you know about “{topic}” with this target in view: “{target}”",
    ask_overview: "Make an overview of “{topic}” on one page (text, table or drawing) and hand it in.",
    ask_task: "Work on a larger task of your own about “{topic}” and hand in the result with an explanation of each step.",
    covers_explain: "A good answer says in your own words what this is about, uses the right terms and gives an example.",
    covers_example: "A good answer names one example, describes it exactly and says what can be learned from it.",
    covers_points: "A good answer picks out the main points, puts them in a sensible order and says how they are connected.",
    covers_why: "A good answer gives two different reasons and supports each with a fact or an example.",
    covers_compare: "A good answer names things in common and differences, and uses the same points of comparison for both sides.",
    covers_apply: "A good answer describes a real situation, uses what was learned step by step and says what follows from it.",
    covers_judge: "A good answer takes a clear side, gives reasons for it and takes at least one objection seriously.",
    covers_target: "A good answer does what the target asks for, uses the right terms and gives reasons.",
    covers_overview: "Good work is complete and easy to survey, uses the right terms, shows connections and names its sources.",
    covers_task: "Good work states the task clearly, shows and explains every step, checks the result and names its sources.",
    known_already: "What do you already know about “{topic}”?",
    deck_description: "Slides on “{title}”: {topics}.",
    course_description: "A course on “{title}”: {topics}.",
};

const FEEDBACK: Feedback = Feedback {
    right_warm: "Well said: “{quote}”",
    right: "Right: “{quote}”",
    contrary: "This is the other way round: “{quote}”",
    missing: "Still missing: {terms}.",
    add: "Say something about: {terms}.",
    check: "Check this once more: “{quote}” Is it really so, or the opposite?",
    keywords: "These are keywords without statements.",
    salad: "The words stand in no order that makes sense.",
    repeats: "This repeats the task instead of answering it.",
    unread: "This could not be read in full, so it is not part of the grade: {files}.",
    try_it: "Write down what you know, even if it is only one sentence.",
    whole_sentences: "Write whole sentences that say how things are connected.",
    nothing_said: "There is no answer here yet.",
    unguided: "There was no model answer to compare with, so this grade is only a rough estimate.",
    good_warm: "Well done: your answer covers what matters.",
    good: "The answer covers what matters.",
    partly_warm: "A good start: part of what matters is there, and some of it is still missing.",
    partly: "Part of what matters is there; some of it is missing.",
    mostly_wrong: "The answer speaks of the right things but says important points the wrong way round.",
    little: "So far the answer has little of what was asked for.",
    foreign: "The answer is in another language than the task, so this grade is uncertain.",
    talk: "Some of the text seems to be addressed to the grader.",
    hidden: "Hidden text was not judged.",
    next_start: "Read the question again and begin with one sentence in your own words.",
    next_good: "Explain the idea to someone else, with an example of your own.",
    next_terms: "Read up on this and complete your answer: {terms}.",
    next_reread: "Compare your answer with the question word by word and make it more precise.",
    met: "Met: “{quote}”",
    met_partly: "Partly met: “{quote}”",
    unmet: "Not met yet.",
};

const EXACT: ExactFeedback = ExactFeedback {
    right: "“{answer}” is right.",
    number_right: "The number is right.",
    part: "{right} of {counted} items are right.",
    empty: "There is no answer.",
    orders: "The text speaks to the grader and doesn't answer the question.",
    copied: "“{answer}” repeats the question; the result is missing.",
    wrong: "“{answer}” is not the expected answer.",
    converted: "“{answer}” is {value} in the unit of the reference; the reference is {reference}.",
    sign: "The sign of “{answer}” is wrong.",
    rounding: "“{answer}” is rounded too far.",
    unit: "The unit of “{answer}” does not fit.",
    no_unit: "The unit is missing in “{answer}”.",
    order: "“{answer}” has the right parts in another order.",
    missing: "Missing: {missing}.",
    incomplete: "“{answer}” is incomplete or has wrong parts.",
    extra: "“{answer}” says more than what is right.",
    bounds: "In “{answer}”, the numbers are right, but not which ends belong to it.",
    kind: "“{answer}” has not the form that was asked for.",
    marks: "“{answer}” lacks accents or has wrong ones.",
    negated: "“{answer}” denies the right answer.",
    several: "“{answer}” names several answers; one was asked for.",
    advice: "The expected answer is {reference}; find the step where yours differs.",
    next_right: "Go on to the next question.",
    next_wrong: "Work through the question once more and give one final answer.",
};

const LABELS: Labels = Labels {
    questions: "Questions",
    check: "Check the answer",
    right: "Right",
    wrong: "Not right",
    answer: "Answer:",
    answers: "Answers",
    several: "More than one answer may be right.",
};
