"""The verifier's prompt: guan2024, Tab. 4, and the question wordings of App. C.5."""

QUESTIONS = [
    "Based on the given facts, is the statement correct? (A) Yes. (B) No. Please answer A or B:",
    "Is the statement entailed by the given facts? (A) Yes. (B) No. Please answer A or B:",
    "Based on the given facts, judge whether the statement is factually correct. Please answer Yes or No:",
    "Can the given facts support the statement? Please answer Yes or No:",
]
FACTUAL, UNFACTUAL = ["a", "yes"], ["b", "no"]  # L_A and L_B, as the lower-casing WordPiece vocabulary spells them


def pieces(facts, statement, context="", question=QUESTIONS[0]):
    """The prompt in pieces: (text, whether it is a fact or the statement). They meet at white space, so tokens never
    span two."""
    yield "Answer the following question:\nFacts:\n", False
    for i, fact in enumerate(facts, 1):
        yield f"{i}. ", False
        yield fact, True
        yield "\n", False
    yield f"Context: {context}\nStatement following the context: " if context else "Statement: ", False
    yield statement, True
    yield "\n" + question, False


def prompt(facts, statement, context="", question=QUESTIONS[0]):
    return "".join(text for text, _ in pieces(facts, statement, context, question))
