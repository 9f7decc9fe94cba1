//! The data behind [`super::orders`]: how teachers order a test, a deck or a course, a constant for each
//! language. Words are in lower case; `*` stands for any ending.

/// The words of a language.
pub(crate) struct Words {
    pub(crate) tag: &'static str,
    /// Verbs that begin an order.
    pub(crate) make: &'static str,
    /// What is ordered.
    pub(crate) thing: &'static str,
    /// Whom it is for.
    pub(crate) people: &'static str,
    /// Speaks to whoever makes it.
    pub(crate) address: &'static str,
    /// Stands in front of the topic, and less surely so.
    pub(crate) about: &'static str,
    pub(crate) of: &'static str,
    /// Stands behind the topic, parted by `|`.
    pub(crate) about_after: &'static str,
    /// Says only that a topic follows.
    pub(crate) topic: &'static str,
    /// Ends the topic where people, things or numbers follow.
    pub(crate) limit: &'static str,
}

pub(crate) const ALL: [&Words; 16] = [
    &Words {
        tag: "en",
        make: "create generate write make prepare design build produce give ask include focus cover use avoid ensure \
               please draft develop provide compose assess evaluate check test explain describe discuss teach introduce \
               summarise summarize show keep add do don't",
        thing: "test tests quiz quizzes exam exams question questions assessment worksheet course video slide slides deck \
                presentation lesson module",
        people: "student* learner* pupil* grade grader* class classes beginner* teacher* audience year-olds graders",
        address: "you your please",
        about: "about on covering covers cover regarding concerning over",
        of: "of",
        about_after: "",
        topic: "topic topics subtopic subtopics theme themes subject subjects title",
        limit: "for with that which at in using aimed suitable so including",
    },
    &Words {
        tag: "de",
        make: "erstelle* erzeuge* schreib* mach* bereite* entwirf* entwickle* generier* gib stelle* frage* prüfe* teste* \
               bitte verwende* vermeide* achte* erkläre* beschreibe* zeige*",
        thing: "test tests quiz klausur* prüfung* frage fragen aufgabe aufgaben multiple-choice-fragen arbeitsblatt kurs \
                video folien präsentation unterrichtseinheit modul",
        people: "schüler* lernende* studierende* student* klasse klassen anfänger* lehrkr* lehrer* zielgruppe",
        address: "sie du bitte",
        about: "über zu zum zur",
        of: "von der des",
        about_after: "",
        topic: "thema themen unterthemen stichworte inhalte titel",
        limit: "für mit in auf sodass damit",
    },
    &Words {
        tag: "es",
        make: "crea crear genera generar escribe escribir haz hacer prepara preparar diseña diseñar elabora elaborar \
               redacta pregunta incluye usa evita evalúa evaluar explica describe muestra",
        thing: "test prueba* examen exámenes cuestionario* pregunta preguntas evaluación curso vídeo video diapositivas \
                presentación módulo",
        people: "alumn* estudiante* grado curso principiante* docente* profesor* público",
        address: "usted tú favor",
        about: "sobre acerca",
        of: "de del",
        about_after: "",
        topic: "tema temas subtemas contenidos título",
        limit: "para con que en",
    },
    &Words {
        tag: "fr",
        make: "crée créer créez génère générer générez écris écrire écrivez fais faire faites prépare préparer préparez \
               rédige rédiger rédigez conçois pose inclus utilise évite évalue évaluer explique décris montre",
        thing: "test tests quiz qcm examen examens questionnaire question questions évaluation cours vidéo diapositives \
                présentation module",
        people: "élève* étudiant* apprenant* classe niveau débutant* enseignant* professeur* public",
        address: "vous tu",
        about: "sur concernant",
        of: "de du des",
        about_after: "",
        topic: "thème thèmes sujet sujets titre",
        limit: "pour avec en à",
    },
    &Words {
        tag: "it",
        make: "crea creare genera generare scrivi scrivere fai fare prepara preparare progetta elabora redigi poni includi \
               usa evita valuta valutare spiega descrivi mostra",
        thing: "test quiz esame esami verifica questionario domanda domande corso video diapositive presentazione modulo",
        people: "student* alunn* allievi classe principianti docent* insegnant* pubblico",
        address: "lei tu favore",
        about: "su sul sullo sulla sui sugli sulle riguardo",
        of: "di del dello della dei degli delle",
        about_after: "",
        topic: "tema temi argomento argomenti titolo",
        limit: "per con in",
    },
    &Words {
        tag: "pt",
        make: "cria criar crie gera gerar gere escreve escrever escreva faz fazer faça prepara preparar prepare elabora \
               elabore redige inclui inclua usa use evita evite avalia avaliar avalie explica explique descreve mostra",
        thing: "teste testes quiz prova provas exame exames questionário pergunta perguntas questões avaliação curso vídeo \
                slides diapositivos apresentação módulo",
        people: "alun* estudante* turma ano principiante* iniciante* professor* público",
        address: "você tu favor",
        about: "sobre acerca",
        of: "de do da dos das",
        about_after: "",
        topic: "tema temas subtemas assunto assuntos título",
        limit: "para com em",
    },
    &Words {
        tag: "nl",
        make: "maak maken schrijf genereer bereid ontwerp ontwikkel stel geef gebruik vermijd toets controleer leg beschrijf \
               toon",
        thing: "test tests quiz toets toetsen examen vraag vragen vragenlijst cursus video dia's presentatie module",
        people: "leerling* student* klas groep beginner* docent* leraren doelgroep",
        address: "je jij u",
        about: "over",
        of: "van",
        about_after: "",
        topic: "onderwerp onderwerpen thema",
        limit: "voor met in",
    },
    &Words {
        tag: "pl",
        make: "utwórz stwórz wygeneruj napisz zrób przygotuj zaprojektuj opracuj zadaj uwzględnij użyj unikaj sprawdź wyjaśnij \
               opisz pokaż proszę",
        thing: "test testu testy quiz quizu egzamin* sprawdzian* pytanie pytania pytań kurs kursu film wideo slajdy slajdów \
                prezentacj* moduł",
        people: "uczni* student* klas* początkując* nauczyciel*",
        address: "proszę",
        about: "o na z",
        of: "dotycząc*",
        about_after: "",
        topic: "temat tematu tematy",
        limit: "dla z",
    },
    &Words {
        tag: "ru",
        make: "создай* сгенерируй* напиши* сделай* подготовь* составь* разработай* задай* включи* используй* избегай* проверь* \
               объясни* опиши* покажи* пожалуйста",
        thing: "тест тесты тестов викторин* экзамен* вопрос* контрольн* курс видео слайд* презентаци* модуль",
        people: "ученик* студент* школьник* класс* начинающ* учител*",
        address: "пожалуйста",
        about: "о об обо про",
        of: "по на",
        about_after: "",
        topic: "тема темы тему теме",
        limit: "для с из",
    },
    &Words {
        tag: "uk",
        make: "створи* згенеруй* напиши* зроби* підготуй* склади* розроби* постав* включи* використ* уникай* перевір* поясни* \
               опиши* покажи*",
        thing: "тест тести тестів вікторин* екзамен* питання питань запитан* контрольн* курс відео слайд* презентаці* модуль",
        people: "учн* студент* школяр* клас* початків* вчител*",
        address: "будь",
        about: "про о об",
        of: "з за на",
        about_after: "",
        topic: "тема теми тему темі",
        limit: "для з із",
    },
    &Words {
        tag: "tr",
        make: "hazırla* oluştur* yaz yazın üret* tasarla* sor sorun açıkla* anlat* göster* lütfen",
        thing: "test testi sınav* quiz soru sorular* sorusu kurs* video* slayt* sunum* modül*",
        people: "öğrenci* sınıf* öğretmen* başlangıç*",
        address: "lütfen",
        about: "",
        of: "",
        about_after: " hakkında| konusunda| üzerine| ile ilgili| konulu",
        topic: "konu konular",
        limit: "için",
    },
    &Words {
        tag: "ar",
        make: "أنشئ اكتب اصنع أعد أعدّ صمم صمّم ولّد جهز جهّز اسأل استخدم تجنب اختبر اشرح صف اعرض",
        thing: "اختبار* اختبارا اختبارًا أسئلة سؤال سؤالا سؤالًا امتحان* دورة فيديو شرائح عرض وحدة",
        people: "طلاب للطلاب طالب* تلاميذ للتلاميذ متعلم* متعلمين للمتعلمين صف للصف الصف لطلاب لتلاميذ معلم* مبتدئين للمبتدئين",
        address: "",
        about: "عن حول",
        of: "في",
        about_after: "",
        topic: "موضوع الموضوع موضوعات مواضيع",
        limit: "ل مع من لطلاب لتلاميذ للصف للطلاب للتلاميذ للمتعلمين للمبتدئين",
    },
    &Words {
        tag: "hi",
        make: "बनाइए बनाएं बनाएँ बनाओ लिखिए लिखें तैयार दीजिए पूछिए समझाइए बताइए कृपया",
        thing: "प्रश्न प्रश्नों प्रश्नोत्तरी परीक्षा क्विज़ क्विज टेस्ट सवाल पाठ्यक्रम कोर्स वीडियो स्लाइड प्रस्तुति",
        people: "छात्र* विद्यार्थी* विद्यार्थियों कक्षा शिक्षक* शिक्षार्थी*",
        address: "आप कृपया",
        about: "",
        of: "",
        about_after: " के बारे में| के विषय में| विषय पर| पर ",
        topic: "विषय",
        limit: "के",
    },
    &Words {
        tag: "zh",
        make: "请 創建 创建 生成 编写 出一 制作 设计 准备",
        thing: "测验 测试 试题 试卷 考试 题目 道题 个问题 選擇題 选择题 课程 视频 幻灯片 課程 測驗",
        people: "学生 学习者 學生 年级 初学者",
        address: "请",
        about: "关于 有关 關於 围绕 以",
        of: "的",
        about_after: "为主题|為主題",
        topic: "主题 话题",
        limit: "",
    },
    &Words {
        tag: "ja",
        make: "作って 作成 ください 用意",
        thing: "テスト クイズ 試験 問題 設問 コース 動画 スライド プレゼン",
        people: "生徒 学生 学習者 年生 初心者",
        address: "ください",
        about: "",
        of: "の",
        about_after: "についての|について|に関する",
        topic: "テーマ 主題",
        limit: "",
    },
    &Words {
        tag: "ko",
        make: "만들* 작성* 생성* 준비* 출제* 설명하* 주세요",
        thing: "시험* 퀴즈* 문제* 문항* 테스트* 질문* 과정* 강좌* 동영상* 슬라이드*",
        people: "학생* 학습자* 학년* 초보자*",
        address: "주세요",
        about: "",
        of: "",
        about_after: "에 대한|에 관한|에 대해|에 관해|을 주제로|를 주제로",
        topic: "주제",
        limit: "",
    },
];
