//! English.

use super::{
    Answers, Cues, Drafts, Email, ExactFeedback, Feedback, FormPhrases, Grammar, Labels, Language, Names, Orders, Pace,
    Page, Plural, Signs, Speech, Style, Talk, Teaching,
};

pub(super) static LANGUAGE: Language = Language {
    tag: "en",
    speech: SPEECH,
    labels: LABELS,
    page: Some(PAGE),
    email: Some(EMAIL),
    teaching: Some(Teaching {
        grammar: GRAMMAR,
        orders: ORDERS,
        answers: ANSWERS,
        forms: FORMS,
        cues: CUES,
        names: NAMES,
        talk: TALK,
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
    weak_words: "twice green red blue white black yellow brown grey big long short low old young full empty common simple \
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
    closing_copulas: "",
    determiners: "a an the anything something someone any one some",
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
    negators: "not isnt no never neither nor cannot cant wasnt arent doesnt dont didnt wont werent except without",
    alternatives: "or either",
    corrections: "but rather instead",
    conjunctions: "and plus",
    articles: "the a an",
    function_words: "is are was were be been being am its it this that these those he she they i we you my our answer \
        answers correct right than then final result solution value equals called named known think believe \
        guess would should will say of in on at to for by with from as and so therefore thus hence because \
        since then which who whom whose there here one ones has have had do does did can may must also just \
        only simply probably maybe perhaps sure definitely please thanks",
    copulas: "is are was were equals equal be answer result namely",
    prepositions: "in at on from during by",
    hedges: "about approximately around roughly circa ca",
    reasons: "because since as which where",
    truths: "true yes correct right t y",
    falsehoods: "false no incorrect wrong f n untrue",
    true_or_false: "true or false|true/false|t/f|t or f|true-false",
    who: "who whom whose",
    no_solution: "no solution|no solutions|no real solution|no real solutions|there is no solution|there are no \
        solutions|empty set|the empty set",
    choice_words: "option answer choice letter",
    numbers: "zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 \
        thirteen=13 fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 \
        forty=40 fifty=50 sixty=60 seventy=70 eighty=80 ninety=90 hundred=100 thousand=1000 million=1000000 \
        billion=1000000000 trillion=1000000000000",
    parts: "half=2 halves=2 third=3 thirds=3 quarter=4 quarters=4 fourth=4 fourths=4 fifth=5 fifths=5 sixth=6 \
        sixths=6 seventh=7 sevenths=7 eighth=8 eighths=8 ninth=9 ninths=9 tenth=10 tenths=10",
    number_joints: "and",
    points: "point",
    minus: "minus negative",
    one: "a",
    months: "january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep \
        sept|october oct|november nov|december dec",
    denies_behind: false,
    more: "more most high higher highest highly increas* rise rises rising rose risen grow* grew larger largest \
        bigger biggest greater greatest longer longest taller faster fastest quick* rapid* stronger strongest \
        heavier hotter warm* up upward* gain* expand* expansion wider widen* deeper thick* raise* raising double* \
        doubling accelerat* frequent* brighter louder",
    less: "less least low lower lowest lowers lowered lowering decreas* fall falls fell fallen falling drop* \
        declin* reduc* shrink* shrank shrunk smaller smallest fewer fewest shorter shortest slow* weak* lighter \
        colder cool* down downward* lose* losing lost loss narrow* shallow* thinner diminish* lessen* halve* \
        halving decelerat* rare rarely seldom dimmer quieter",
    than: "than",
    date_words: "year monday tuesday wednesday thursday friday saturday sunday",
};

const FORMS: FormPhrases = FormPhrases {
    factor: "factorise|factorize|factor completely|factor fully|factor the|factored form|factorised form|factorized \
        form|factor x|factor:|as a product of factors",
    expand: "expand|expanded form|multiply out|remove the brackets",
    simplify: "simplify|simplified|simplest form|simplest surd form|simplest radical form|collect like terms",
    lowest_terms: "lowest terms|simplest form|simplest terms|reduced form|reduce the fraction|simplify the fraction|fully \
        reduced",
    prime_factors: "prime factors|prime factorisation|prime factorization",
    scientific: "scientific notation|standard form|standard index form|exponential notation",
    fraction: "as a fraction|to a fraction|into a fraction|as a proper fraction|as an improper fraction|as a \
        simplified fraction|as a common fraction|as a mixed number|as fractions",
    percentage: "as a percentage|as a percent|to a percentage|to a percent|into a percentage|in percent",
    exact: "surd form|exact form|exact value|exact answer|in terms of π|in terms of pi|radical form|give an exact",
    places: "# decimal place|# decimals|# d.p|# dp",
    nearest: "nearest tenth|nearest hundredth|nearest thousandth",
    figures: "# significant figure|# significant digit|# sig fig|# sig. fig|# s.f|# sf",
    into_unit: "in into to",
    behind_unit: "",
    order: "in order of|in order from|put in order|in ascending order|in descending order|ascending \
        order|descending order|in chronological order|chronologically|in the correct order|in the right \
        order|arrange|sort the|rank the|in alphabetical order|from smallest|from least|from largest|from \
        greatest|from earliest|from oldest",
};

const CUES: Cues = Cues {
    easy: "easy|beginner|basic|elementary|simple|intro|novice|starter|a1|a2",
    hard: "hard|difficult|advanced|expert|challenging|c1|c2",
    openings: "introduction|intro|welcome",
    closings: "summary|conclusion|conclusions|recap|review",
    practical: "lab|experiment|project|practical|workshop|activity|hands-on|assignment",
    hedges: "exceed|exceeds|about|around|some|roughly|approximately|over|nearly|almost|least|most|than|under|circa|ca",
    dependents: "in addition|in contrast|by contrast|as a result|for example|for instance|on the other hand|of course|at first|at the same time|in fact|in this way|after that|that is why|even so",
    sayings: "says|said|thinks|believes|argues|claims",
    option_names: "option|options|answer|choice",
    of_all_options: "all of|none of|both|neither|above",
    right_before: "correct answer is|right answer is|answer is|correct option is|correct choice is|correct is",
    right_after: "is correct|is right|is the correct answer|is the right answer",
    wrong_after: "is wrong|is incorrect|is not correct|is not right",
    because: "because",
    namings: "",
    named: "called|known as|termed|referred to as",
    opposites: "increases=decreases|increase=decrease|increased=decreased",
    comparatives: "higher=lower|larger=smaller|bigger=smaller|greater=smaller|longer=shorter|faster=slower|\
        stronger=weaker|warmer=colder|hotter=colder|heavier=lighter|thicker=thinner|wider=narrower|deeper=shallower|\
        older=younger",
    possibilities: "may|might|can|could|sometimes|perhaps|often|usually",
    pronouns: "it|they|he|she|him|them",
    pointers: "above|below|former|latter|previous|following|this|these|those|one is|one has|ones|here|the term|\
        the word|the concept|the name",
    instructs: "",
    before_christ: "bc",
    levels: "score level grade mark marks point points pts band",
    qualities: "structure structured organisation organization organised organized clarity clear clearly coherence \
        coherent cohesion grammar spelling punctuation style wording vocabulary fluency fluent presentation \
        layout legible neat tone formatting originality creativity creative conciseness concise paragraph \
        handwriting persuasive",
};

const NAMES: Names = Names {
    term: "term word concept keyword expression phrase front vocab",
    title: "title name heading header topic subject label posttitle",
    definition: "definition meaning translation description def gloss back",
    question: "question q prompt questiontext",
    options: "options choices alternatives",
    answer: "answer a answers correct correctanswer correctanswers correctindex answerindex correctoption solution",
    explanation: "explanation rationale feedback reason why fb",
    speaker: "speaker role character person actor who",
    line: "line text says said utterance message content speech sentence",
    when: "date year when time period",
    what: "event what happened milestone",
    step: "step instruction action do",
    columns: "columns headers header head thead",
    rows: "rows data body tbody entries",
    silent: "content contents postcontent text body html markdown md value values data items list sections section blocks \
        paragraphs paragraph description desc prose passage lesson table records entries rows details lecture \
        reading",
    technical: "id uuid guid slug url uri href link src image imageurl img icon thumbnail audio audiourl video videourl \
        file filename path createdat updatedat created updated version lang language locale order index \
        position tags difficulty level page pages isbn hash format author license published ispublished status \
        color duration durationminutes minutes points weight xp",
    steps: "steps procedure instructions method methods directions howto process algorithm recipe",
    glossary: "vocabulary glossary terms keyterms definitions words wordlist vocab flashcards concepts keyconcepts",
    quiz: "matching matchingexercise quiz quizzes questions assessment assessments exercises exercise test tests exam checkpoint questionset \
        questionbank practicequestions knowledgecheck checkyourunderstanding multiplechoice truefalse flashquiz \
        selftest review reviewquestions questionitems quizquestions quizitems checkforunderstanding exitticket \
        selfcheck selfassessment quickcheck kahoot quizizz quizlet wordwall socrative learningapps",
    teacher: "todo todos fixme internalnote internalnotes teachernotes teachernote teachersnotes teachersnote notesforteacher notesforteachers \
        notesfortheteacher noteforteacher noteforteachers notetoteacher noteforinstructor instructornotes \
        instructornote instructorsnotes notesforinstructors notestoinstructor notesfortheinstructor facilitatornotes \
        facilitatornote notesforfacilitators trainernotes tutornotes teacherguide teachersguide teacherguidance \
        teacheronly forteachers fortheteacher forteachersonly forinstructors instructoronly teachinstructions \
        teachingnotes teachingnote teachingtips teachingtip teachertips teachertip teacherinstructions \
        teacherresources instructorguide facilitatorguide speakernotes speakernote notespage presenternotes answerkey \
        answerkeys answersheet keyanswers solutionkey solutionskey markscheme markingscheme markingguide \
        gradingguide gradingnotes markingnotes internalnotes internalnote editornotes editorsnotes authornotes \
        privatenotes staffnotes lessonplannotes pedagogicalnotes differentiation",
    objectives: "objectives objective learningobjectives learningobjective lessonobjectives goals goal learninggoals \
        learninggoal lessongoals outcomes learningoutcomes learningoutcome learningtargets learningtarget aims \
        learningaims learningintentions learningintention whatyouwilllearn whatyoulllearn youwilllearn \
        successcriteria",
    metadata: "cms tags tag standards standard curriculumstandards difficulty difficultylevel author authors creator \
        createdby updatedby reviewer editor editors version revision status keywords license licence \
        copyright gradelevel gradelevels grade grades agegroup agerange bloom bloomlevel bloomslevel bloomstaxonomy \
        visibility permissions contenttype mimetype template locale lang sourceid externalid \
        courseid lessonid moduleid unitid parentid ownerid userid checksum estimatedtime timeestimate timerequired \
        duration durations timelimit timelimitminutes readingtime passingscore passmark passingpercentage \
        maxattempts attempts shuffle shufflequestions shuffleanswers shuffleoptions points maxpoints totalpoints \
        maxscore weight xp",
    tasks: "homework assignment assignments homeworkassignment activity activities instructions instruction \
        directions task tasks todo yourtask classwork classactivity trythis tryityourself whattodo",
    hints: "hint hints tip tips feedback feedbacks note notes comment comments generalfeedback correctfeedback \
        incorrectfeedback partialfeedback tipsandfeedback chosenfeedback notchosenfeedback overallfeedback",
    problem: "problem problemstatement given exampleproblem",
    example: "example examples workedexample workedexamples worked sampleproblem sampleproblems modelproblem",
    solution: "solution workedsolution solutionsteps working result finalanswer steps",
    picture: "image imageurl img picture photo figure illustration diagram media imagesrc",
    caption: "caption figcaption legend credit",
    quotation: "quote quotation quotes quoted citation blockquote",
    author: "author by source attribution attributedto speaker who saidby from cite",
    code: "code snippet codesnippet codeexample codeblock source sourcecode program script listing",
    output: "output outputs expectedoutput stdout prints printed consoleoutput",
    kinds: "object type kind k audience for visibility",
    pairs: "pairs matches matching matchingpairs matchpairs associations",
    answers: "answers answer a",
    counts: "number",
    ids: "key val",
    faq: "faq faqs frequentlyaskedquestions commonquestions",
    orders: "order sequenc sort rank arrang",
    sides: "left=right",
};

const TALK: Talk = Talk {
    overrides: "ignore disregard forget override bypass overlook skip discard redefine dismiss",
    orders: "instruction* prompt prompts directive* guideline* guidance rules rubric criteria scheme",
    reach: "previous previously prior earlier preceding above all your any system original initial grading marking \
        scoring rubric evaluation",
    awards: "award give assign grant mark score rate grade deserve deserves deserved assess evaluate",
    marks: "mark marks grade score points credit maxscore rating",
    full: "full maximum max maximal maxscore highest top perfect best good great",
    me: "me",
    answer: "this answer|my answer|this response|my response|this submission|my submission|this essay|my essay|my \
        work|the answer above|learner answer|learner's answer|student's answer|student answer|mark me|grade me",
    graders: "grader graders teacher examiner professor assistant ai chatbot chatgpt gpt llm sir madam evaluator \
        marker",
    leads: "just simply kindly so also therefore instead dear hey hello hi attention important you must should will \
        shall can could would always",
    joins: "and please now then you",
    verb_anywhere: false,
    letters: "letter|email|e-mail|message|postcard",
    voices: "you are now|as the grader|as a grader|as an ai|to the grader|for the grader|the grader must|the grader \
        should|note to grader",
    claims: "grading override|override mode|grading mode|developer mode|output \
        score|score:|score=|grade:|strengths:|mistakes:|mistakes: none|fully correct|as correct|official \
        key|answer key|reference answer|model answer|matches all points|matches the reference|covers every \
        criterion|covers all criteria|meets all criteria|meets every criterion|equivalent in meaning",
    pleas: "positive feedback|please pass me|i worked so hard|i worked very hard|i studied so hard|you are the \
        best|best teacher|scholarship depends|grade depends|please be generous|please be lenient",
    blanks: "none|n a|na|nothing|no answer|no response|no idea|idk|dunno|pass|skip|blank",
    unsure: "i don't know|i dont know|i do not know|don't know|not sure|no clue|can't answer|cannot answer",
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
    term_described: "Which term fits this description? “{definition}”",
    meaning_of: "What does “{term}” mean?",
    description_of: "Which description fits “{term}”?",
    cell_of: "What is missing? {row} – {column}: ____",
    next_step: "In “{title}”, which step comes right after this one: “{step}”?",
    first_event: "“{title}”: which of these came first?",
    when_event: "When was this: “{event}”?",
    belongs_to: "Which of these goes with “{heading}”?",
    true_false: "True or false: {statement}",
    blank: "Fill in the blank: {sentence}",
    blank_term: "Write the term that means “{definition}”.",
    blank_described: "Write the term that fits this description: “{definition}”.",
    open_term: "Explain “{term}” in your own words.",
    highest_of: "Which of these has the highest “{column}”?",
    lowest_of: "Which of these has the lowest “{column}”?",
    open_reason: "Why is this so? “{claim}”",
    code_output: "What does this program print?",
    open_text: "What does the text say?",
    retell: "Retell in your own words what the lesson says about “{topic}”.",
    submission: "Carry out “{title}” yourself and hand in a short report: your steps, what you observed and what you conclude.",
    source_says: "The lesson says: “{quote}”",
    video_welcome: "Welcome to “{title}”.",
    video_topics: "These are our topics: {topics}.",
    video_first: "Let us start with “{title}”.",
    video_next: "Next comes “{title}”.",
    video_remember: "Keep these terms in mind: {terms}.",
    video_practice: "Now try the questions and see what you remember.",
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
    covers_submission: "A good report goes through these steps, says what was observed, and draws a conclusion from it: {steps}",
    known_already: "What do you already know about “{topic}”?",
    deck_description: "Slides on “{title}”: {topics}.",
    course_description: "A course on “{title}”: {topics}.",
};

const FEEDBACK: Feedback = Feedback {
    right_warm: "Well said: “{quote}”",
    right: "Right: “{quote}”",
    missing: "Still missing: {terms}.",
    add: "Say something about: {terms}.",
    check: "Check this once more: “{quote}” Is it really so, or the opposite?",
    repeats: "This repeats the task instead of answering it.",
    unread: "This could not be read in full, so it is not part of the grade: {files}.",
    try_it: "Write down what you know, even if it is only one sentence.",
    whole_sentences: "Write whole sentences that say how things are connected.",
    nothing_said: "There is no answer here yet.",
    unguided: "There was no model answer to compare with, so this grade is only a rough estimate.",
    by_person: "A person should look at this answer: comparing words is not enough to judge it.",
    good_warm: "Well done: your answer covers what matters.",
    good: "The answer covers what matters.",
    partly_warm: "A good start: part of what matters is there, and some of it is still missing.",
    partly: "Part of what matters is there; some of it is missing.",
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
};

const EXACT: ExactFeedback = ExactFeedback {
    right: "“{answer}” is right.",
    number_right: "The number is right.",
    part: "{right} of {counted} items are right.",
    empty: "There is no answer.",
    orders: "The text speaks to the grader and doesn't answer the question.",
    copied: "“{answer}” repeats the question; the result is missing.",
    wrong: "“{answer}” is not the expected answer.",
    near: "“{answer}” is not the expected answer word for word, but may mean the same.",
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

const PAGE: Page = Page {
    decimal: ".",
    percent: "{n}%",
    module: "Module",
    course: "Course",
    slides: "Slides",
    test: "Test",
    video: "Video",
    skip: "Skip to the content",
    preview: "Preview: only people who have this link can open this page.",
    queued: "This is waiting to be generated. Reload the page in a moment.",
    processing: "This is being generated. Reload the page in a moment.",
    failed: "This could not be generated.",
    empty: "There is nothing here yet.",
    previous: "Previous",
    next: "Next",
    quiz: "Check what you know",
    question: "Question {n}",
    choose_one: "Choose one answer.",
    choose_several: "Choose all answers that are right.",
    your_answer: "Your answer",
    word_bank: "Words to choose from: {words}",
    yes: "True",
    no: "False",
    check: "Check my answers",
    again: "Start again",
    not_saved: "This page checks your answers and does not save them.",
    result: "Your result",
    right_of: "Right: {n} of {total}",
    unanswered_count: "Not answered: {n}",
    look_again: "Look again at:",
    right: "Right",
    wrong: "Not right",
    unanswered: "Not answered",
    right_answer: "Right answer: {answers}",
    withheld: "Your answer is noted. This question gives no feedback here.",
    points: "Points: {n}",
    time_limit: "Time: {n} min. The page does not stop you.",
    to_pass: "To pass: {value}",
    finish: "Finish and see the result",
    passed: "Passed",
    not_passed: "Not passed",
    undecided: "Still open: it depends on the answers that a person grades.",
    points_of: "Points: {n} of {total}",
    open_points: "Points that only a person can give and that are not counted here: {n}",
    ungraded: "This page does not grade this answer.",
    model_answer: "A good answer: {answers}",
    submission: "Hand in this work where your teacher asked for it. This page takes no files.",
    explanation: "Why: {text}",
    partly: "Partly right",
    check_one: "Check this answer",
    ask_person: "This answer was not graded here. Ask a person to look at it.",
    estimate: "This is an estimate. Ask a person to look at this answer.",
    not_final: "This result is not final: a person should look at some of the answers.",
    on_this_page: "On this page",
    mark_done: "Mark as done",
    is_done: "Done",
    done_of: "Done: {n} of {total}",
    kept_here: "This is kept in this browser only.",
    is_handed_in: "Your answers are handed in, and your result goes to your course.",
    seen_as_teacher: "You see this as a teacher: answers are checked and not handed in.",
    no_attempt_left: "These answers were not handed in: no attempt is left.",
    test_changed: "Your teacher changed this test while you were writing. Nothing is handed in yet: check your answers and finish again.",
    attempts_left: "Attempts left: {n}",
    being_graded: "This is being graded. Look again in a moment.",
    is_graded: "Graded",
    by_a_person: "A person will grade this.",
    may_change: "A person may still change these points.",
    in_gradebook: "Your course has this result.",
    update: "Show the newest result",
    pick: "Choose content for your course",
    pick_words: "Title",
    pick_classroom: "Classroom",
    pick_kind: "Kind",
    pick_all: "All",
    pick_search: "Search",
    pick_nothing: "Nothing here fits.",
    pick_more: "Only the newest are listed. Search for others.",
    pick_columns: "Make a column in the gradebook for each test and for each course with tests",
    pick_add: "Add to the course",
    pick_cancel: "Add nothing",
    only_teachers: "Only teachers of the course can add content.",
    takes_no_links: "Your learning platform takes no links here.",
    too_many_picks: "That is more than your learning platform takes at once. Go back and choose less.",
    pick_gone: "Nothing was added: something of your choice can't be linked. Choose again.",
    no_organization: "No content is linked to this learning platform yet. Whoever manages it can link an organization to the workspace.",
    contents: "Contents",
    part: "Part {n} of {total}",
    level: "Level: {level}",
    slide: "Slide {n} of {total}",
    overview: "Overview",
    notes: "Notes",
    slide_keys: "Arrow keys turn the slides. Escape opens and closes the overview.",
    table: "Table",
    code: "Code",
    formula: "Formula",
    full_screen: "Full screen",
    leave_full_screen: "Leave full screen",
    scene: "Scene {n} of {total}",
    storyboard: "Storyboard",
    storyboard_note: "The plan of a video, scene by scene: what is shown, and what is said.",
    length: "Length: {time}",
    play: "Play",
    pause: "Pause",
    captions: "What is said",
    not_found: "Page not found",
    not_found_note: "There is no page at this address, or it is not public. Check the link, or ask whoever gave it to you.",
    unavailable: "Just a moment",
    unavailable_note: "The service can't answer right now. Please try again shortly.",
    broken: "Something went wrong",
    broken_note: "The page could not be made. Please try again later.",
    too_large: "Too much text",
    too_large_note: "Your answers are longer than this page takes. Please go back and shorten them.",
    no_form: "This form can't be read",
    no_form_note: "What arrived is not the form of this page. Go back, reload the page and send it again.",
    connect_title: "Connect your learning platform",
    connect_note: "Nothing happens until you press the button. The link works once.",
    connect: "Connect",
    learning_platform: "Learning platform",
    workspace: "Workspace",
    connected: "Connected",
    connected_note: "Lectern now knows your learning platform. If Lectern is not active in its list of tools yet, activate it there.",
    close_page: "Close this page",
    not_connected: "Not connected",
    start_again: "The link still works. Start again in your learning platform.",
    link_used: "This link was used already. To connect another platform, ask whoever sent it for another link.",
    link_expired: "This link has expired. Ask whoever sent it for another one.",
    link_revoked: "This link was revoked. Ask whoever sent it for another one.",
    link_busy: "Someone is connecting with this link right now. Wait a minute.",
    link_suspended: "The workspace of this link is suspended. Ask whoever sent the link.",
    link_by_hand: "This link is not meant for a browser. In your learning platform, enter it as the registration URL of a new tool.",
    link_lost: "The link was taken away while your learning platform registered Lectern. Remove Lectern from its list of tools and ask for another link.",
    platform_address: "The address of your learning platform is not public, or not https. This service reaches public https addresses only.",
    platform_silent: "Your learning platform did not show its configuration to this service. Check that it can be reached from the internet.",
    platform_incomplete: "The configuration of your learning platform is incomplete or wrong. Show the line below to whoever runs it.",
    platform_issuer: "The configuration of your learning platform names another server as its issuer. Correct the address that it knows as its own.",
    platform_refused: "Your learning platform refused the registration. Its permission may have expired.",
    platform_unconfirmed: "Your learning platform did not confirm the registration. If Lectern is in its list of tools, remove it there.",
    platform_taken: "Your learning platform is connected under this client ID already. Remove Lectern from its list of tools, or ask whoever sent the link.",
    opening: "Opening…",
    go_on: "Continue",
    new_window: "Open in a new window",
    new_window_note: "Your browser keeps nothing for this page while it is shown inside another site. Open it in a new window.",
    not_opened: "This could not be opened",
    not_opened_note: "Go back to your course and open it again. If that does not help, show this page to whoever manages your learning platform.",
    nothing_linked: "Nothing is linked here yet.",
};

const EMAIL: Email = Email {
    verify_subject: "Confirm your e-mail address",
    verify_text: "This address was given as the contact of the workspace {workspace}. Open the link to confirm that the address is yours.",
    verify_action: "Confirm the address",
    reset_subject: "Choose a new password",
    reset_text: "A new password was requested for your account. Open the link to choose one. Your other sessions end when you do.",
    reset_action: "Choose a password",
    invite_subject: "Invitation to {organization}",
    invite_text: "{inviter} invites you to join the organization {organization}. Open the link to accept.",
    invite_action: "Accept the invitation",
    join_as_admin: "Join {organization} as administrator",
    join_as_teacher: "Join {organization} as teacher",
    join_as_reviewer: "Join {organization} as reviewer",
    password: "Password",
    password_rule: "At least {n} characters",
    sign_in: "Sign in",
    link_until: "The link works until {expires}.",
    link_gone: "This link no longer works. Ask for a new one.",
    try_again: "That did not work. Try again in a moment.",
    unasked: "If you did not expect this message, ignore it. Nothing changes unless the link is opened.",
    low_balance_subject: "Low balance: {workspace}",
    low_balance_text: "The workspace {workspace} has {balance} left, which is less than {threshold}. Add credits so that its requests are not refused.",
    soft_cap_subject: "Spending notice: {name}",
    soft_cap_text: "{name} has spent {spent} and reached the notice level of {cap} ({period}). Requests are still answered.",
    hard_cap_subject: "Spending cap reached: {name}",
    hard_cap_text: "{name} has spent {spent} and reached the cap of {cap} ({period}). Paid requests are refused until the period ends or the cap is raised.",
    per_day: "per day",
    per_month: "per month",
    payment_failed_subject: "Payment failed: {workspace}",
    payment_failed_text: "A payment of {amount} for the workspace {workspace} failed. Check the payment method, or choose another one.",
    key_expiring_subject: "API key expires soon: {key}",
    key_expiring_text: "The API key {key} of the workspace {workspace} expires on {expires}. Replace it in time; requests with it are refused afterwards.",
};

const SPEECH: Speech = Speech {
    signs: Signs {
        plus: "plus",
        minus: "minus",
        negative: "minus",
        times: "times",
        divided_by: "divided by",
        over: "over",
        plus_minus: "plus or minus",
        equals: "{a} equals {b}",
        not_equal: "{a} does not equal {b}",
        nearly: "{a} is about {b}",
        less: "{a} is less than {b}",
        greater: "{a} is greater than {b}",
        at_most: "{a} is at most {b}",
        at_least: "{a} is at least {b}",
        root: "the square root of {x}",
        squared: "{x} squared",
        cubed: "{x} cubed",
        power: "{x} to the power of {n}",
        function: "{f} of {x}",
        range: "{a} to {b}",
        number: "number {n}",
        sharp: "sharp",
        dot: "dot",
        infinity: "infinity",
        per: "{a} per {b}",
        steps_told: "There are {n} steps. First: {first}. And last: {last}.",
        for_example: "For example, {text}",
    },
    plural: Plural::Two,
    units: "km=kilometer,kilometers;m=meter,meters;cm=centimeter,centimeters;mm=millimeter,millimeters;\
        kg=kilogram,kilograms;g=gram,grams;mg=milligram,milligrams;t=ton,tons;l=liter,liters;ml=milliliter,\
        milliliters;s=second,seconds;min=minute,minutes;h=hour,hours;°C=degree Celsius,degrees Celsius;\
        °F=degree Fahrenheit,degrees Fahrenheit;°=degree,degrees;%=percent,percent;N=newton,newtons;J=joule,\
        joules;kJ=kilojoule,kilojoules;W=watt,watts;kW=kilowatt,kilowatts;kWh=kilowatt hour,kilowatt hours;\
        V=volt,volts;Hz=hertz,hertz;Pa=pascal,pascals;mol=mole,moles;km²=square kilometer,square kilometers;\
        m²=square meter,square meters;cm²=square centimeter,square centimeters;m³=cubic meter,cubic meters;\
        cm³=cubic centimeter,cubic centimeters;km/h=kilometer per hour,kilometers per hour;m/s=meter per second,\
        meters per second;m/s²=meter per second squared,meters per second squared;MB=megabyte,megabytes;\
        GB=gigabyte,gigabytes",
    money: "$=dollar,dollars;€=euro,euros;£=pound,pounds;¥=yen,yen;₹=rupee,rupees",
    cents: "{n} {c}",
    greek: "alpha beta gamma delta epsilon theta lambda mu pi rho sigma tau phi omega",
    functions: "sine,cosine,tangent,logarithm,natural logarithm,limit",
    abbreviations: "e.g.=for example;i.e.=that is;etc.=and so on;Dr.=Doctor;Mr.=Mister;Mrs.=Missus;\
        Prof.=Professor;vs.=versus;approx.=approximately;ca.=about;no.#=number;fig.#=figure;min.=minimum;\
        max.=maximum",
    ordinals: "",
    inflecting: "",
    relatives: "that which who whom whose where when because by if while so",
    pointing: "below;above;the following;as follows;figure;fig;in this lesson;in this section;in this chapter;\
        here is;here are;see also;the table;this table;the example;this example;the diagram;the picture;the code",
    pace: Pace {
        syllable: 0.03,
        ideograph: 0.25,
        letter: 0.053,
        word: 0.013,
        digit: 0.227,
        clause: 0.271,
        sentence: 0.241,
    },
};
