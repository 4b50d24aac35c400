//! Answers are read and each of their sentences stands alone.

use proptest::prelude::*;

use super::*;
use crate::text::sentences::{Sentence, sentences};

const UNRESOLVED: &str = "cannot be judged alone";

fn read(question: Option<&str>, answer: &str) -> Vec<String> {
    let mut resolver = PronounResolver::new(question);
    let read =
        |sentence: &Sentence| resolver.read(&sentence.text, sentence.opens).unwrap_or_else(|| UNRESOLVED.to_owned());
    sentences(answer).iter().map(read).collect()
}

#[test]
fn no_pronoun_stands_for_a_name_that_is_too_long() {
    let second = |name: &str| read(None, &format!("{name} is a metal. It is soft."))[1].clone();
    assert_eq!(second("Tin"), "Tin is soft.");
    assert_eq!(second(&format!("T{}", "i".repeat(199))), format!("T{} is soft.", "i".repeat(199)));
    assert_eq!(second(&format!("T{}", "i".repeat(200))), UNRESOLVED);
}

#[test]
fn adverbs_stay_before_the_verb_of_a_question() {
    let answer = |question: &str| read(Some(question), "Yes.").remove(0);
    assert_eq!(answer("Did Tesla really never win a prize?"), "Tesla really never won a prize.");
}

#[test]
fn a_pronoun_at_the_start_becomes_the_subject_last_named() {
    assert_eq!(
        read(
            None,
            "Marie Curie was born in Warsaw. In 1903, she won a Nobel Prize. Her husband was French. She died in 1934."
        ),
        [
            "Marie Curie was born in Warsaw.",
            "In 1903, Marie Curie won a Nobel Prize.",
            "Marie Curie's husband was French.",
            "Marie Curie died in 1934."
        ]
    );
    assert_eq!(
        read(None, "The Eiffel Tower is in Paris. It is named after its builder. The Louvre is old. It is large."),
        [
            "The Eiffel Tower is in Paris.",
            "The Eiffel Tower is named after its builder.",
            "The Louvre is old.",
            "The Louvre is large."
        ]
    );
    assert_eq!(read(None, "Jupiter orbits the Sun. It has rings.")[1], "Jupiter has rings.");
    let walk = "You can walk along the Seine to the Louvre, where the Mona Lisa hangs. It is by Leonardo.";
    assert_eq!(read(None, walk)[1], "The Mona Lisa is by Leonardo.");
}

#[test]
fn a_pronoun_that_nothing_named_fits_is_not_resolved() {
    assert_eq!(
        read(
            None,
            "The Eiffel Tower is tall. From there one sees the Louvre, where the Mona Lisa hangs. It is by Leonardo."
        )[2],
        UNRESOLVED
    );
    assert_eq!(read(None, "Gold is a metal. The symbol is Au. It is soft.")[2], "Gold is soft.");
    assert_eq!(read(None, "C# is a language. It is old. They are old.")[1..], ["C# is old.", UNRESOLVED]);
}

#[test]
fn the_question_names_the_first_subject() {
    assert_eq!(read(Some("Who was Alan Turing?"), "He was a mathematician."), ["Alan Turing was a mathematician."]);
    assert_eq!(read(Some("What is carbon?"), "It has six protons."), ["Carbon has six protons."]);
    assert_eq!(read(Some("Where do penguins live?"), "They live in the south."), ["Penguins live in the south."]);
    assert_eq!(read(Some("What is the Bay of Biscay?"), "It is a gulf."), ["The Bay of Biscay is a gulf."]);
    assert_eq!(read(Some("Which water is the best in Israel?"), "It is old."), [UNRESOLVED]);
}

#[test]
fn a_pronoun_goes_by_kind_number_and_gender() {
    for (before, sentence, statement) in [
        (
            "Marie Curie was a physicist. The Nobel Prize was shared with Becquerel.",
            "She died in 1934.",
            "Marie Curie died in 1934.",
        ),
        ("Vincent van Gogh painted The Starry Night.", "It hangs in New York.", "The Starry Night hangs in New York."),
        ("Marie Curie won a Nobel Prize.", "It was awarded in 1903.", "The Nobel Prize was awarded in 1903."),
        ("Pierre Curie was born in Paris. Marie Curie married him.", "He died in 1906.", "Pierre Curie died in 1906."),
        ("Frida Kahlo married Diego Rivera.", "He was older.", "Diego Rivera was older."),
        ("The symbol of calcium is Ca.", "It is a metal.", "Calcium is a metal."),
        ("The capital of Australia is Canberra.", "It is large.", "The capital of Australia is large."),
        ("Wolves hunt in packs.", "They can run for hours.", "Wolves can run for hours."),
        ("ABBA won the contest in 1974.", "They sang Waterloo.", "ABBA sang Waterloo."),
        ("The Romans conquered the Gauls.", "They spoke Celtic languages.", UNRESOLVED),
        ("Albert Einstein wrote to Max Born.", "He lived in Princeton.", UNRESOLVED),
        ("The cat sat in the sun.", "She was a dancer.", UNRESOLVED),
        ("Pluto was found in 1930.", "Clyde Tombaugh discovered it.", "Clyde Tombaugh discovered Pluto."),
        ("The Nile floods every summer.", "This river feeds Egypt.", "The Nile feeds Egypt."),
        ("Shah Jahan built it for his wife.", "She died in childbirth.", UNRESOLVED),
    ] {
        let said = read(None, &format!("{before} {sentence}"));
        assert_eq!(said.last().map(String::as_str), Some(statement), "{before} {sentence}");
    }
    assert_eq!(read(None, "It is large. She was born in Warsaw."), [UNRESOLVED, UNRESOLVED]);
}

#[test]
fn a_short_answer_is_read_with_its_question() {
    for (question, answer, statement) in [
        ("Who painted the Mona Lisa?", "Michelangelo.", "Michelangelo painted the Mona Lisa."),
        ("Tell me the number of moons of Mars.", "Two.", "The number of moons of Mars is two."),
        ("Can you tell me the capital of Peru?", "Lima.", "The capital of Peru is Lima."),
        (
            "How many chambers does the heart have?",
            "The answer is five, which many people get wrong.",
            "The heart has five chambers.",
        ),
        ("True or false: spiders are insects.", "True.", "Spiders are insects."),
        ("What is the capital of Australia?", "The answer is Sydney.", "The capital of Australia is Sydney."),
        ("Is the heart a muscle?", "Yes.", "The heart is a muscle."),
        ("Is the heart a bone?", "No, it isn't.", "The heart is not a bone."),
        ("Basel is the capital of Switzerland?", "No.", "Basel is not the capital of Switzerland."),
        ("When did the war end?", "In 1945.", "The war ended in 1945."),
        ("Which element has the symbol Au?", "Gold", "Gold has the symbol Au."),
    ] {
        assert_eq!(read(Some(question), answer), [statement], "{question} {answer}");
    }
}

#[test]
fn a_lead_in_is_its_items_subject() {
    let peaks =
        "1. **Everest**: It lies in Asia. 2. **Aconcagua**: It lies in Argentina. 3. **Denali**: It is in Alaska.";
    let named = ["Everest lies in Asia.", "Aconcagua lies in Argentina.", "Denali is in Alaska."];
    assert_eq!(read(None, &peaks.replace(" 2.", "\n2.").replace(" 3.", "\n3.")), named);
    let ostrich = read(None, "One example is the ostrich, which is the largest bird. It can run fast.");
    assert_eq!(ostrich[1], "The ostrich can run fast.");
    assert_eq!(
        read(
            None,
            "- **Alan Turing**: He broke codes. He ran.\n- Discovery: Radium was found in 1898.\n- Capital: Paris"
        ),
        ["Alan Turing broke codes.", "Alan Turing ran.", "Radium was found in 1898.", "Capital: Paris"]
    );
}

#[test]
fn a_lead_in_that_names_a_side_of_the_topic_leaves_the_topic() {
    let lake = "Lake Baikal is in Siberia.\n\n- **Depth:** It is the deepest lake.\n- **Islands:** It has 27 islands.";
    assert_eq!(
        read(Some("What is Lake Baikal known for?"), lake)[1..],
        ["Lake Baikal is the deepest lake.", "Lake Baikal has 27 islands."]
    );
    let tubman = "Harriet Tubman was an American abolitionist.\n\n- **Civil War:** She worked for the Union Army.";
    assert_eq!(read(Some("Who was Harriet Tubman?"), tubman)[1], "Harriet Tubman worked for the Union Army.");
    let planets = "These planets are near.\n\n- **Mercury:** It has no moon.\n- **Mars:** It has two moons.";
    assert_eq!(read(None, planets)[1..], ["Mercury has no moon.", "Mars has two moons."]);
}

#[test]
fn a_block_that_begins_with_a_pronoun_speaks_of_the_topic() {
    let facts = "Iceland is an island country.\n\n1. Its parliament, the Althing, was set up in 930.\n\
        2. It became independent in 1944.\n3. In 1980 Vigdís Finnbogadóttir became president.\n4. It has no army.";
    assert_eq!(
        read(Some("What are some facts about Iceland?"), facts)[1..],
        [
            "Iceland's parliament, the Althing, was set up in 930.",
            "Iceland became independent in 1944.",
            "In 1980 Vigdís Finnbogadóttir became president.",
            "Iceland has no army."
        ]
    );
    let helicopter = "A helicopter is an aircraft. Because the blades are always moving, it can hover.";
    assert_eq!(read(None, helicopter)[1], "Because the blades are always moving, a helicopter can hover.");
    let rivals = "Kessara won the Orlund Medal in 2011. It is given for work on algae.";
    assert_eq!(read(None, rivals)[1], UNRESOLVED);
}

#[test]
fn a_pronoun_behind_or_within_an_opening_is_resolved() {
    for (sentence, statement) in [
        ("During the war she led a team.", "During the war Ada Lovelace led a team."),
        ("When she was young, a tutor taught her.", "When Ada Lovelace was young, a tutor taught her."),
        ("After her wedding, she moved.", "After Ada Lovelace's wedding, she moved."),
        ("Using notes, she explained it.", "Using notes, Ada Lovelace explained it."),
        ("After the war she lived in Auburn, New York.", "After the war Ada Lovelace lived in Auburn, New York."),
        ("Born Augusta Ada Byron, she wrote.", "Born Augusta Ada Byron, Ada Lovelace wrote."),
        ("Using notes and diagrams, she explained it.", "Using notes and diagrams, Ada Lovelace explained it."),
        ("There she met Babbage.", "There Ada Lovelace met Babbage."),
    ] {
        assert_eq!(read(None, &format!("Ada Lovelace was a writer. {sentence}"))[1], statement);
    }
    let war = "Florence Nightingale was a nurse. During the Crimean War she led a team. In 1907 she won a prize.";
    assert_eq!(read(None, war)[2], "In 1907 Florence Nightingale won a prize.");
    let iceland = "Iceland is an island. After years under Norwegian and then Danish rule, it became free in 1944.";
    assert_eq!(
        read(None, iceland)[1],
        "After years under Norwegian and then Danish rule, Iceland became free in 1944."
    );
    let darwin = "The Beagle sailed in 1831. Before he left, Charles Darwin had studied in Cambridge.";
    assert_eq!(read(None, darwin)[1], "Before he left, Charles Darwin had studied in Cambridge.");
    let king = "King Francis I. Napoleon later had it.";
    assert_eq!(sentences(king).len(), 2);
}

#[test]
fn a_remark_before_a_statement_is_dropped() {
    assert_eq!(read(None, "However, iron rusts. Note that tin does not."), ["Iron rusts.", "Tin does not."]);
}

#[test]
fn an_it_that_stands_for_nothing_stays() {
    for text in [
        "It is often said that iron rusts.",
        "It is widely believed that it rusts.",
        "It is important to sleep.",
        "It takes a year.",
        "It is hotter on Venus than on Mercury.",
        "It was a Dane who designed the opera house.",
    ] {
        assert_eq!(read(None, &format!("Iron is a metal. {text}"))[1], text);
    }
    assert_eq!(read(None, "Iron is a metal. It is used to build ships.")[1], "Iron is used to build ships.");
    assert_eq!(read(None, "It is old."), [UNRESOLVED]);
}

proptest! {
    #[test]
    fn any_text_can_be_read(question in "\\PC{0,40}", text in r#"([a-zA-Z0-9 .,:!?'"\n*-]|It |He |In 1903, |\PC){0,80}"#) {
        let mut resolver = PronounResolver::new(Some(&question));
        for sentence in sentences(&text) {
            prop_assert!(resolver.read(&sentence.text, sentence.opens).is_none_or(|statement| !statement.trim().is_empty()));
        }
    }
}
