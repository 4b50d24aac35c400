//! The demonstrations that guan2024 prints (Tab. 20).

use crate::settings::Demonstration;

impl Demonstration {
    /// The two of Tab. 20, with its omissions. The paper does not print the five of its few-shot setting (Sec. 5.2).
    #[must_use]
    pub fn paper() -> Vec<Self> {
        let demonstration = |facts: &[&str], statement: &str, factual, rationale: &str| Self {
            facts: facts.iter().map(ToString::to_string).collect(),
            context: String::new(),
            statement: statement.into(),
            factual,
            rationale: Some(rationale.into()),
        };
        vec![
            demonstration(
                &[
                    "Baseball Hall of Fame in 1988 ...",
                    "He was a carpenter and construction worker by trade. ...",
                    "players, and 599 of them loved Willie Stargell ...",
                ],
                "Willie Stargell lived with his father after his mother and father separated.",
                false,
                "Willie Stargell lived with his mother in Florida after his parents' divorce, and later returned to live with \
                 her in California. There is no mention of him living with his father after the separation.",
            ),
            demonstration(
                &[
                    "Alfredo Stroessner Alfredo Stroessner Matiauda ...",
                    "in most other Latin American countries ...",
                    "led to the liberalization of Paraguay ...",
                    "system. On 3 February 1989, Stroessner was ...",
                    "some of Stroessner's policies ...",
                ],
                "After the overthrow of Stroessner, Paraguay had its first non-military head of state in four decades.",
                true,
                "Stroessner, a military officer, had been in power for 35 years, from 1954 to 1989, and had been overthrown in \
                 a military coup led by General Andrés Rodríguez. After Stroessner's ousting, Rodríguez orchestrated a political \
                 campaign with the Colorado Party and won the presidency in a multi-party election held in May 1989. This marked \
                 the first time in four decades that Paraguay had a non-military head of state.",
            ),
        ]
    }
}
