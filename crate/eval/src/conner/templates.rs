//! The prompts that knowledge and answers are generated with (chen2023, Tab. 11 to 13; guan2024, Tab. 1), and few-shot
//! prompts composed of them and of demonstrations (chen2023, App. F.2).

use evident_verify::conner::{Item, fill};

/// A template with {topic}, {question}, {knowledge} and {answer}. It ends with {knowledge} or {answer}, which the model
/// is to write.
#[derive(Debug, PartialEq, Eq)]
pub struct Template {
    /// Its name on the command line: table, data set, number.
    pub name: &'static str,
    /// The text above all examples; "" for none.
    head: &'static str,
    text: &'static str,
}

const fn of(name: &'static str, text: &'static str) -> Template {
    Template { name, head: "", text }
}

/// All of them, in the tables' order. An utterance, the last turn of a dialogue, is the question here.
const TEMPLATES: &[Template] = &[
    // Tab. 11, zero-shot.
    of("zero-nq-1", "Topic: {topic}\nQuery: {question}\nRelated wikipedia knowledge:{knowledge}"),
    of(
        "zero-nq-2",
        "Topic: {topic}\nGenerate a background document from Wikipedia to answer the given question.\n{question}\n{knowledge}",
    ),
    of(
        "zero-nq-3",
        "Topic: {topic}\nGenerate a Wikipedia knowledge to answer the given question.\nQuestion: {question}\nWikipedia \
         knowledge:{knowledge}",
    ),
    of(
        "zero-nq-4",
        "Topic: {topic}\nGenerate a Wikipedia to answer the given question.\nQuestion: {question}\nWikipedia:{knowledge}",
    ),
    of("zero-wow-1", "Topic: {topic}\nQuery: {question}\nRelated Wikipedia knowledge:{knowledge}"),
    of(
        "zero-wow-2",
        "Topic: {topic}\nGenerate a background document from Wikipedia to reply to the utterance.\n{question}\n{knowledge}",
    ),
    of(
        "zero-wow-3",
        "Topic: {topic}\nGenerate a Wikipedia knowledge to answer the given question.\nUtterance: {question}\nWikipedia \
         knowledge:{knowledge}",
    ),
    of(
        "zero-wow-4",
        "Topic: {topic}\nGenerate a Wikipedia to answer the given question.\nQuestion: {question}\nWikipedia:{knowledge}",
    ),
    // Tab. 12, few-shot.
    of("few-nq-1", "Topic: {topic}\nQuery: {question}\nRelated Wikipedia knowledge: {knowledge}"),
    of("few-nq-2", "Topic: {topic}\nQuery: {question}\nKnowledge: {knowledge}"),
    of("few-nq-3", "Topic: {topic}\nQuery: {question}\nDocument: {knowledge}"),
    of(
        "few-nq-4",
        "Topic: {topic}\nGenerate a background document from Wikipedia to answer the given question.\n{question}\n{knowledge}",
    ),
    of(
        "few-nq-5",
        "Topic: {topic}\nGenerate a Wikipedia to answer the given question.\nQuestion: {question}\nWikipedia: {knowledge}",
    ),
    of("few-wow-1", "Topic: {topic}\nQuery: {question}\nRelated Wikipedia knowledge: {knowledge}"),
    of("few-wow-2", "Topic: {topic}\nQuery: {question}\nKnowledge: {knowledge}"),
    of("few-wow-3", "Topic: {topic}\nQuery: {question}\nDocument: {knowledge}"),
    of(
        "few-wow-4",
        "Topic: {topic}\nGenerate a background document from Wikipedia to reply to the utterance.\n{question}\n{knowledge}",
    ),
    of(
        "few-wow-5",
        "Topic: {topic}\nGenerate a Wikipedia to answer the given question.\nQuestion: {question}\nWikipedia: {knowledge}",
    ),
    // Tab. 13, answers, few-shot.
    of("answer-nq-1", "Topic: {topic}\nPassage: {knowledge}\nQuery: {question}\nAnswer: {answer}"),
    of(
        "answer-nq-2",
        "Topic: {topic}\nRead the passage and answer the question below:\nPassage: {knowledge}\nQuestion: {question}\nAnswer: \
         {answer}",
    ),
    of(
        "answer-nq-3",
        "Topic: {topic}\nUsing the knowledge from the passage to answer the question below:\nPassage: {knowledge}\nQuestion: \
         {question}\nAnswer: {answer}",
    ),
    of("answer-wow-1", "Topic: {topic}\nPassage: {knowledge}\nSpeaker 1: {question}\nSpeaker 2: {answer}"),
    of("answer-wow-2", "Topic: {topic}\nKnowledge: {knowledge}\nSpeaker 1: {question}\nSpeaker 2: {answer}"),
    of("answer-wow-3", "Topic: {topic}\nGrounding document: {knowledge}\nSpeaker 1: {question}\nSpeaker 2: {answer}"),
    of("answer-wow-4", "Passage: {knowledge}\nQuery: {question}\nAnswer: {answer}"),
    of(
        "answer-wow-5",
        "Topic: {topic}\nUsing the knowledge from the passage. complete the dialogue below: {knowledge}\nSpeaker 1: \
         {question}\nSpeaker 2: {answer}",
    ),
    // guan2024, Tab. 1: the topic is the beginning or the entity, the knowledge the continuation or the answer.
    Template {
        name: "sentcom",
        head: "Please complete the sentence following the given beginning:",
        text: "Beginning: {topic}\nContinuation: {knowledge}",
    },
    Template {
        name: "paragen",
        head: "Please answer the following questions:",
        text: "Question: Please write five sentences about facts of \"{topic}\"\nAnswer: {knowledge}",
    },
];

impl Template {
    /// All of them.
    pub const ALL: &'static [Self] = TEMPLATES;

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        TEMPLATES.iter().find(|template| template.name == name)
    }

    /// The few-shot prompt of App. F.2: each demonstration whole, then the item that is asked about, without what the
    /// model is to write and without white space before it. Without demonstrations it is the zero-shot prompt.
    #[must_use]
    pub fn compose(&self, demonstrations: &[&Item], item: &Item) -> String {
        let texts = |item: &Item| {
            let text = |text: &Option<String>| text.as_deref().unwrap_or_default().trim().to_owned();
            [text(&item.topic), text(&item.question), text(&item.knowledge), text(item_answer(item))]
        };
        let filled = |template: &str, item: &Item| {
            let [topic, question, knowledge, answer] = texts(item);
            let values = [
                ("{topic}", topic.as_str()),
                ("{question}", &question),
                ("{knowledge}", &knowledge),
                ("{answer}", &answer),
            ];
            fill(template, &values)
        };
        let asked = ["{answer}", "{knowledge}"].into_iter().find_map(|name| self.text.strip_suffix(name));
        let head = (!self.head.is_empty()).then(|| self.head.to_owned());
        let examples = demonstrations.iter().map(|shown| filled(self.text, shown));
        let last = filled(asked.unwrap_or(self.text), item).trim_end().to_owned();
        head.into_iter().chain(examples).chain([last]).collect::<Vec<_>>().join("\n")
    }
}

/// The answer that a demonstration shows: the right one if it is known.
fn item_answer(item: &Item) -> &Option<String> {
    if item.reference.is_some() { &item.reference } else { &item.answer }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    fn item(topic: &str, question: &str, knowledge: &str, reference: &str) -> Item {
        let text = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Item {
            topic: text(topic),
            question: text(question),
            knowledge: text(knowledge),
            reference: text(reference),
            answer: None,
        }
    }

    #[test]
    fn a_few_shot_prompt_has_the_demonstrations_and_ends_where_the_model_goes_on() {
        let shown = [
            item("Iron", "what is iron", "Iron is a metal.", "a metal"),
            item("Tin", "is tin hard", "Tin is soft.", "no"),
        ];
        let shown: Vec<&Item> = shown.iter().collect();
        let asked = item("Lead", "what is lead", "not to be told", "a metal");
        let few = Template::named("few-nq-2").unwrap();
        assert_eq!(
            few.compose(&shown, &asked),
            "Topic: Iron\nQuery: what is iron\nKnowledge: Iron is a metal.\nTopic: Tin\nQuery: is tin hard\nKnowledge: Tin is \
             soft.\nTopic: Lead\nQuery: what is lead\nKnowledge:"
        );
        let answers = Template::named("answer-wow-4").unwrap();
        assert_eq!(
            answers.compose(&shown[..1], &asked),
            "Passage: Iron is a metal.\nQuery: what is iron\nAnswer: a metal\nPassage: not to be told\nQuery: what is \
             lead\nAnswer:"
        );
        let zero = Template::named("zero-nq-4").unwrap();
        assert_eq!(
            zero.compose(&[], &asked),
            "Topic: Lead\nGenerate a Wikipedia to answer the given question.\nQuestion: what is lead\nWikipedia:"
        );
        let swedish = item("Swedish Empire", "", "was ruled by Gustavus Adolphus from 1611 to 1632", "");
        assert_eq!(
            Template::named("sentcom").unwrap().compose(&[&swedish], &asked),
            "Please complete the sentence following the given beginning:\nBeginning: Swedish Empire\nContinuation: was ruled by \
             Gustavus Adolphus from 1611 to 1632\nBeginning: Lead\nContinuation:"
        );
    }

    /// In reading order, white space aside; `{query}` and the like by our names.
    #[test]
    #[ignore = "needs ../shared/papers"]
    fn every_template_is_the_papers_in_shared_data() {
        let papers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/papers");
        let read = |name: &str| {
            let text = std::fs::read_to_string(papers.join(name)).unwrap().replace("\\n", "\n");
            let ours = [("{query}", "{question}"), ("{utterance}", "{question}"), ("{response}", "{answer}")];
            // The copy of Table 12 has lost a few letters here.
            let ours =
                ours.into_iter().chain([("Query} \n", "Question: {question} \n"), ("\"{input}\"", "\"{topic}\"")]);
            let text = ours
                .chain([("Beginning: {input}", "Beginning: {topic}")])
                .fold(text, |text, (a, b)| text.replace(a, b));
            text.split_whitespace().collect::<String>()
        };
        let (chen, guan) = (read("chen2023-conner.txt"), read("guan2024-fact-verification.txt"));
        for template in TEMPLATES {
            let text = template.text.split_whitespace().collect::<String>();
            let (paper, text) = match template.name {
                "sentcom" | "paragen" => (&guan, text.replace("{knowledge}", "")),
                name if name.starts_with("zero") => (&chen, text.replace("{knowledge}", "")),
                _ => (&chen, text),
            };
            assert!(paper.contains(&text), "{}: {text}", template.name);
            let head = template.head.split_whitespace().collect::<String>();
            assert!(paper.contains(&head), "{}: {head}", template.name);
        }
    }

    #[test]
    fn every_template_has_a_name_of_its_own_and_asks_for_something() {
        let names: BTreeSet<&str> = TEMPLATES.iter().map(|template| template.name).collect();
        assert_eq!((names.len(), TEMPLATES.len()), (28, 28));
        for template in TEMPLATES {
            assert!(["{knowledge}", "{answer}"].iter().any(|end| template.text.ends_with(end)), "{}", template.name);
        }
        assert_eq!(Template::named("few-nq-6"), None);
    }
}
