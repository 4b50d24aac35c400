//! The prompts that make a language model a fact verifier (guan2024, Tab. 4 and 20), and the wordings of the direct
//! question (App. C.5).

use std::fmt;

use crate::settings::{Demonstration, Method, Wording};

impl Wording {
    /// The question as printed.
    #[must_use]
    pub fn question(self) -> &'static str {
        match self {
            Self::Correct => {
                "Based on the given facts, is the statement correct? (A) Yes. (B) No. Please answer A or B:"
            }
            Self::Entailed => "Is the statement entailed by the given facts? (A) Yes. (B) No. Please answer A or B:",
            Self::Judge => {
                "Based on the given facts, judge whether the statement is factually correct. Please answer Yes or No:"
            }
            Self::Support => "Can the given facts support the statement? Please answer Yes or No:",
        }
    }

    /// The answer to the question if the statement is `factual`, or if it is not.
    fn answer(self, factual: bool) -> &'static str {
        match (self, factual) {
            (Self::Correct | Self::Entailed, true) => "A",
            (Self::Correct | Self::Entailed, false) => "B",
            (Self::Judge | Self::Support, factual) => yes_or_no(factual),
        }
    }
}

fn yes_or_no(factual: bool) -> &'static str {
    if factual { "Yes" } else { "No" }
}

/// The prompt for one statement. [`fmt::Display`] writes its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    /// How the T5 is asked.
    pub method: Method,
    /// Judged statements to show first; a rating and fusion in the decoder show none.
    pub demonstrations: Vec<Demonstration>,
    /// The evidence e_1 ... e_M. Without any there is no heading "Facts:" either.
    pub facts: Vec<String>,
    /// What precedes the statement, c; "" for nothing. Fusion in the decoder does not read it (App. C.3).
    pub context: String,
    /// The statement s.
    pub statement: String,
    /// The wording of the direct question.
    pub wording: Wording,
}

/// Tab. 20, top.
const REASONING: &str =
    "The task is to judge whether the statements are factually correct based on the corresponding facts.";
/// Tab. 20, bottom.
const RATING: &str = "\
The task is to rate the factuality level for the statement based on the fraction of details in the statement that can be supported \
by the facts.
You should output only one single number from 1, 2, 3, 4, and 5, indicating the factuality score of the statement, where a higher \
score means that more details of the statement are factual.
1 - Almost all details in the statement are not supported by the facts.
2 - Some details in the statement are supported by the facts, but the majority are not.
3 - About half of the details in the statement are supported by the facts.
4 - Most of the details in the statement are supported by the facts.
5 - All details in the statement are supported by the facts.
Please output the score of the following statement:";

impl Prompt {
    /// The name of this prompt, in packs that say which prompt their T5 was trained on.
    pub(crate) const NAME: &str = "guan2024";

    /// Cuts the prompt to `max_tokens`, as `count` counts them (guan2024, Sec. 4.3: 4,000 of GPT's tokenizer).
    ///
    /// It drops demonstrations first. Then it cuts the end of the evidence, taken as one text, to no less than half of
    /// `max_tokens`; then the start of the context; and if that is not enough, more of the evidence, and then the end
    /// of the statement. The question is never cut.
    ///
    /// # Errors
    /// Those of `count`.
    pub(crate) fn cut<E>(mut self, max_tokens: usize, count: impl Fn(&str) -> Result<usize, E>) -> Result<Self, E> {
        let fits = |prompt: &Self| Ok(count(&prompt.to_string())? <= max_tokens);
        while !fits(&self)? && self.demonstrations.pop().is_some() {}
        let evidence = self.facts.iter().map(String::len).sum();
        let kept = longest(evidence, |bytes| fits(&self.with_evidence(bytes)))?;
        if kept == evidence && fits(&self)? {
            return Ok(self);
        }
        let half = longest(evidence, |bytes| Ok(count(&self.with_evidence(bytes).facts.concat())? <= max_tokens / 2))?;
        let whole = self.with_evidence(half);
        if kept < half || !fits(&self.with_evidence(kept))? {
            let context = longest(self.context.len(), |bytes| fits(&whole.with_context(bytes)))?;
            self = self.with_context(context);
        }
        let kept = longest(evidence, |bytes| fits(&self.with_evidence(bytes)))?;
        self = self.with_evidence(kept);
        let said = longest(self.statement.len(), |bytes| fits(&self.with_statement(bytes)))?;
        Ok(self.with_statement(said))
    }

    /// The same prompt with only the first `bytes` of its evidence.
    fn with_evidence(&self, bytes: usize) -> Self {
        let mut left = bytes;
        let start = |fact: &String| {
            let kept = fact[..fact.floor_char_boundary(left)].to_owned();
            left = left.saturating_sub(fact.len());
            kept
        };
        let facts = self.facts.iter().map(start).take_while(|fact| !fact.is_empty()).collect();
        Self { facts, ..self.clone() }
    }

    /// The same prompt with only the last `bytes` of its context.
    fn with_context(&self, bytes: usize) -> Self {
        let start = self.context.ceil_char_boundary(self.context.len().saturating_sub(bytes));
        Self { context: self.context[start..].to_owned(), ..self.clone() }
    }

    /// The same prompt with only the first `bytes` of its statement.
    fn with_statement(&self, bytes: usize) -> Self {
        let statement = self.statement[..self.statement.floor_char_boundary(bytes)].to_owned();
        Self { statement, ..self.clone() }
    }
}

/// The largest length up to `all` that fits, by bisection; 0 if none does. `fits` must be monotone: if a length fits,
/// every shorter one does.
pub(super) fn longest<E>(all: usize, mut fits: impl FnMut(usize) -> Result<bool, E>) -> Result<usize, E> {
    if fits(all)? {
        return Ok(all);
    }
    let (mut least, mut most) = (0, all); // `least` fits or is 0, `most` does not
    while least + 1 < most {
        let middle = usize::midpoint(least, most);
        if fits(middle)? {
            least = middle;
        } else {
            most = middle;
        }
    }
    Ok(least)
}

impl fmt::Display for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { method, demonstrations, facts, context, statement, wording } = self;
        match method {
            Method::Direct => {
                for shown in demonstrations {
                    direct(f, &shown.facts, &shown.context, &shown.statement, *wording)?;
                    write!(f, " {}\n\n", wording.answer(shown.factual))?;
                }
                direct(f, facts, context, statement, *wording)
            }
            Method::ChainOfThought => {
                f.write_str(REASONING)?;
                match demonstrations.len() {
                    0 => {}
                    1 => write!(f, " One example is as follows:")?,
                    2 => write!(f, " Two examples are as follows:")?,
                    several => write!(f, " {several} examples are as follows:")?,
                }
                for (shown, number) in demonstrations.iter().zip(1..) {
                    write!(f, "\n\nExample {number}.\n")?;
                    input(f, 0, &shown.facts, &shown.context, &shown.statement)?;
                    let (correct, answer) =
                        (if shown.factual { "correct" } else { "incorrect" }, yes_or_no(shown.factual));
                    let rationale = shown.rationale.as_deref().unwrap_or_default();
                    write!(f, "Output: {rationale} So the statement is {correct}; the answer is {answer}.")?;
                }
                write!(f, "\n\nNow please judge the following statement:\n")?;
                input(f, 0, facts, context, statement)?;
                f.write_str("Output:")
            }
            Method::Fid => {
                write!(f, "question: {statement}")?;
                facts.iter().try_for_each(|fact| write!(f, " {fact}"))
            }
            Method::Likert => {
                writeln!(f, "{RATING}")?;
                input(f, 1, facts, context, statement)?;
                f.write_str("Output:")
            }
        }
    }
}

/// Tab. 4.
fn direct(
    f: &mut fmt::Formatter<'_>,
    facts: &[String],
    context: &str,
    statement: &str,
    wording: Wording,
) -> fmt::Result {
    writeln!(f, "Answer the following question:")?;
    input(f, 1, facts, context, statement)?;
    f.write_str(wording.question())
}

/// The "(Input)" of Tab. 4, its facts numbered from `first`: 1 there, 0 in the examples of Tab. 20.
fn input(f: &mut fmt::Formatter<'_>, first: usize, facts: &[String], context: &str, statement: &str) -> fmt::Result {
    if !facts.is_empty() {
        writeln!(f, "Facts:")?;
    }
    for (fact, number) in facts.iter().zip(first..) {
        writeln!(f, "{number}. {fact}")?;
    }
    if context.is_empty() {
        writeln!(f, "Statement: {statement}")
    } else {
        writeln!(f, "Context: {context}\nStatement following the context: {statement}")
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    fn prompt(facts: &[&str], context: &str) -> Prompt {
        let facts = facts.iter().map(ToString::to_string).collect();
        Prompt {
            method: Method::Direct,
            demonstrations: Vec::new(),
            facts,
            context: context.into(),
            statement: "It is a metal.".into(),
            wording: Wording::Correct,
        }
    }

    fn words(text: &str) -> Result<usize, Infallible> {
        Ok(text.split_whitespace().count())
    }

    #[test]
    fn the_prompt_is_that_of_table_4() {
        assert_eq!(
            prompt(&["Iron. Iron is a metal.", "Tin. Tin is soft."], "").to_string(),
            "Answer the following question:\nFacts:\n1. Iron. Iron is a metal.\n2. Tin. Tin is soft.\nStatement: It is a metal.\n\
             Based on the given facts, is the statement correct? (A) Yes. (B) No. Please answer A or B:"
        );
    }

    #[test]
    fn a_context_comes_before_the_statement() {
        let text = prompt(&["Iron is a metal."], "Iron rusts.").to_string();
        assert!(text.contains(
            "1. Iron is a metal.\nContext: Iron rusts.\nStatement following the context: It is a metal.\nBased on"
        ));
    }

    #[test]
    fn without_facts_their_heading_goes() {
        assert!(prompt(&[], "").to_string().starts_with("Answer the following question:\nStatement: It is a metal.\n"));
    }

    #[test]
    fn the_question_has_four_wordings() {
        let questions = Wording::ALL.map(Wording::question);
        assert!(questions[..2].iter().all(|q| q.ends_with("? (A) Yes. (B) No. Please answer A or B:")));
        assert!(questions[2..].iter().all(|q| q.ends_with(" Please answer Yes or No:")));
    }

    #[test]
    fn a_demonstration_is_a_prompt_with_its_answer() {
        let tin = Demonstration {
            facts: vec!["Tin is soft.".into()],
            context: String::new(),
            statement: "Tin is hard.".into(),
            factual: false,
            rationale: None,
        };
        let few_shot = |wording| Prompt { demonstrations: vec![tin.clone()], wording, ..prompt(&[], "") }.to_string();
        assert_eq!(
            few_shot(Wording::Entailed),
            "Answer the following question:\nFacts:\n1. Tin is soft.\nStatement: Tin is hard.\n\
             Is the statement entailed by the given facts? (A) Yes. (B) No. Please answer A or B: B\n\n\
             Answer the following question:\nStatement: It is a metal.\n\
             Is the statement entailed by the given facts? (A) Yes. (B) No. Please answer A or B:"
        );
        assert!(few_shot(Wording::Support).contains("Please answer Yes or No: No\n\n"));
    }

    #[test]
    fn the_chain_of_thought_is_that_of_table_20() {
        let demonstrations = Demonstration::paper();
        let asked = Prompt { method: Method::ChainOfThought, demonstrations, ..prompt(&["Iron is a metal."], "") };
        assert_eq!(
            asked.to_string(),
            "The task is to judge whether the statements are factually correct based on the corresponding facts. Two examples are \
             as follows:\n\nExample 1.\nFacts:\n0. Baseball Hall of Fame in 1988 ...\n\
             1. He was a carpenter and construction worker by trade. ...\n\
             2. players, and 599 of them loved Willie Stargell ...\n\
             Statement: Willie Stargell lived with his father after his mother and father separated.\n\
             Output: Willie Stargell lived with his mother in Florida after his parents' divorce, and later returned to live \
             with her in California. There is no mention of him living with his father after the separation. So the statement \
             is incorrect; the answer is No.\n\nExample 2.\nFacts:\n0. Alfredo Stroessner Alfredo Stroessner Matiauda ...\n\
             1. in most other Latin American countries ...\n2. led to the liberalization of Paraguay ...\n\
             3. system. On 3 February 1989, Stroessner was ...\n4. some of Stroessner's policies ...\n\
             Statement: After the overthrow of Stroessner, Paraguay had its first non-military head of state in four decades.\n\
             Output: Stroessner, a military officer, had been in power for 35 years, from 1954 to 1989, and had been overthrown \
             in a military coup led by General Andrés Rodríguez. After Stroessner's ousting, Rodríguez orchestrated a political \
             campaign with the Colorado Party and won the presidency in a multi-party election held in May 1989. This marked the \
             first time in four decades that Paraguay had a non-military head of state. So the statement is correct; the answer \
             is Yes.\n\nNow please judge the following statement:\nFacts:\n0. Iron is a metal.\nStatement: It is a metal.\nOutput:"
        );
    }

    #[test]
    fn the_rating_is_that_of_table_20() {
        let asked = Prompt { method: Method::Likert, ..prompt(&["Iron is a metal."], "Iron rusts.") };
        assert_eq!(
            asked.to_string(),
            "The task is to rate the factuality level for the statement based on the fraction of details in the statement that \
             can be supported by the facts.\n\
             You should output only one single number from 1, 2, 3, 4, and 5, indicating the factuality score of the statement, \
             where a higher score means that more details of the statement are factual.\n\
             1 - Almost all details in the statement are not supported by the facts.\n\
             2 - Some details in the statement are supported by the facts, but the majority are not.\n\
             3 - About half of the details in the statement are supported by the facts.\n\
             4 - Most of the details in the statement are supported by the facts.\n\
             5 - All details in the statement are supported by the facts.\n\
             Please output the score of the following statement:\n\
             Facts:\n1. Iron is a metal.\nContext: Iron rusts.\nStatement following the context: It is a metal.\nOutput:"
        );
    }

    #[test]
    fn cutting_drops_the_demonstrations_and_then_the_end_of_the_evidence() {
        let demonstrations = Demonstration::paper();
        let few_shot = Prompt { demonstrations, ..prompt(&["one two three"], "") };
        let all = words(&few_shot.to_string()).unwrap();
        let cut = few_shot.cut(all - 1, words).unwrap();
        assert_eq!((cut.demonstrations.len(), cut.facts.len()), (1, 1));

        let whole = prompt(&["one two three", "four five six"], "");
        let all = words(&whole.to_string()).unwrap();
        for (less, facts) in [
            (0, vec!["one two three", "four five six"]),
            (1, vec!["one two three", "four five "]),
            (2, vec!["one two three", "four "]),
            (4, vec!["one two three"]),
            (5, vec!["one two "]),
        ] {
            let cut = whole.clone().cut(all - less, words).unwrap();
            assert_eq!(cut.facts, facts, "{less} less");
        }
    }

    #[test]
    fn a_passage_that_is_too_long_is_cut_at_its_end_and_never_dropped() {
        let article = "word ".repeat(5000);
        let cut = prompt(&[&article], "").cut(4000, words).unwrap();
        assert_eq!(words(&cut.to_string()).unwrap(), 4000);
        assert!(cut.facts.len() == 1 && cut.facts[0].len() > 19_000, "{}", cut.facts[0].len());
        assert_eq!(cut.statement, "It is a metal.");
    }

    #[test]
    fn a_long_context_loses_its_start_and_leaves_the_evidence_half_of_the_room() {
        let (evidence, context) = ("fact ".repeat(300), format!("{}end", "so ".repeat(300)));
        let cut = prompt(&[&evidence], &context).cut(200, words).unwrap();
        assert_eq!(words(&cut.to_string()).unwrap(), 200);
        assert_eq!(words(&cut.facts[0]).unwrap(), 100);
        assert!(cut.context.ends_with("so end") && cut.context.len() < 300);
        let none = prompt(&[], &context).cut(100, words).unwrap();
        assert!(none.context.ends_with("so end") && words(&none.to_string()).unwrap() == 100);
    }

    #[test]
    fn cutting_never_touches_the_question() {
        let cut = prompt(&["Fe 🧲 ".repeat(9).as_str()], "é ".repeat(99).as_str()).cut(3, words).unwrap();
        assert!(cut.facts.is_empty() && cut.context.is_empty() && cut.statement.is_empty());
        assert!(cut.to_string().ends_with(Wording::Correct.question()));
    }
}
