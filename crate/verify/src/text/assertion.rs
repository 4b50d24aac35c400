//! Which sentences of a passage say that something is so: not those that ask, tell a story, report what others believe,
//! or speak of an office that has ended where the statement speaks of today.

use crate::text::english::{DOUBTED, FICTIONS, OFFICES, STAGED};
use crate::text::verbs::is_auxiliary;
use crate::text::words::{Word, has, words};

/// Whether `sentence` of a passage can be evidence on `statement`. A statement on a story or a belief may be settled by
/// a sentence on it.
pub(crate) fn asserts(sentence: &str, statement: &str) -> bool {
    let (said, stated) = (words(sentence), words(statement));
    !(asks(sentence, &said)
        || tells(&said) && !has(&stated, &FICTIONS)
        || has(&said, &DOUBTED) && !has(&stated, &DOUBTED)
        || has_ended(&said, &stated))
}

/// Whether it is a question that could be answered by yes or no, which has a whole claim in it.
fn asks(sentence: &str, said: &[Word]) -> bool {
    sentence.trim_end().ends_with('?') && said.first().is_some_and(|first| is_auxiliary(&first.lower))
}

/// The most words of an opening such as "In the film of 1970,".
const OPENING: usize = 7;

/// Whether it tells what happens in a work of fiction: "In the film, Napoleon wins." Who plays in it is a fact.
fn tells(said: &[Word]) -> bool {
    let Some(pause) = said.iter().take(OPENING).position(|word| word.is_pause) else { return false };
    let opens = said.first().is_some_and(|first| first.lower == "in");
    opens && has(&said[..=pause], &FICTIONS) && !has(&said[pause + 1..], &STAGED)
}

/// Whether it says of an office that it was held and has ended, and the statement that it is held.
fn has_ended(said: &[Word], stated: &[Word]) -> bool {
    let at = |words: &[Word], among: &[&str]| words.iter().position(|word| among.contains(&word.lower.as_str()));
    let Some(is) = at(stated, &["is", "are"]) else { return false };
    let offices = || stated[is + 1..].iter().take(5).filter(|word| OFFICES.has(&word.lower));
    let was = at(said, &["was", "were", "became", "served", "reigned", "ruled"]);
    let holds = at(said, &["is", "are", "has", "still"]).is_some();
    let Some(was) = was.filter(|_| !holds) else { return false };
    let is_same = |office: &Word| said[was..].iter().any(|word| word.lower == office.lower);
    let is_year = |word: &Word| word.lower.len() == 4 && word.lower.bytes().all(|byte| byte.is_ascii_digit());
    let ends = said[was..].iter().enumerate().any(|(i, word)| match word.lower.as_str() {
        "until" | "till" => true,
        "to" | "and" => said[was + i..].iter().take(4).any(is_year) && at(&said[was..], &["from", "between"]).is_some(),
        _ => false,
    });
    ends && offices().any(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_a_story_and_a_belief_assert_nothing() {
        for (sentence, statement) in [
            ("Is the atomic number of carbon 8?", "The atomic number of carbon is 8."),
            ("In the film, Napoleon wins the Battle of Waterloo.", "Napoleon won the Battle of Waterloo."),
            ("In the novel of 1951, the wizard says that iron is light.", "Iron is light."),
            ("It is a common myth that bats are blind.", "Bats are blind."),
            ("The wizard claims that iron is lighter than water.", "Iron is lighter than water."),
            ("Some people believe that the Earth is flat.", "The Earth is flat."),
        ] {
            assert!(!asserts(sentence, statement), "{sentence}");
        }
    }

    #[test]
    fn what_is_said_of_a_story_or_a_belief_is_asserted() {
        for (sentence, statement) in [
            ("What is the atomic number of carbon?", "The atomic number of carbon is 8."),
            ("In the film, Rod Steiger plays Napoleon.", "Rod Steiger played Napoleon."),
            ("In the film, Napoleon loses.", "In the film Waterloo, Napoleon loses."),
            ("In the game, each player has five cards.", "Each player has five cards."),
            ("In 1951, a novel appeared that says so.", "It says so."),
            ("Astronomers think that the universe is old.", "The universe is old."),
            ("A myth is that bats are blind.", "It is a common misconception that bats are blind."),
        ] {
            assert!(asserts(sentence, statement), "{sentence}");
        }
    }

    #[test]
    fn an_office_that_has_ended_is_none_today() {
        let reigned = "Elizabeth II was queen of the United Kingdom from 6 February 1952 to 8 September 2022.";
        assert!(!asserts(reigned, "Queen Elizabeth II is the queen of the United Kingdom."));
        assert!(asserts(reigned, "Elizabeth II was the queen of the United Kingdom."));
        assert!(!asserts("She was chancellor of Germany until 2021.", "Angela Merkel is the chancellor of Germany."));
        assert!(asserts("She is queen and was crowned in 1953.", "She is the queen."));
        assert!(asserts("Paris was the capital from 987 to 1100.", "Paris is a city."));
    }
}
