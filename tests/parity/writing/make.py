"""Makes a small T5 that writes, and golden.json: what transformers' `generate` writes with it.

    python tests/parity/writing/make.py

needs `pip install torch transformers`. The model is trained from a seed to give a dozen answers to the prompts of crate/verify: a
chain of thought, ratings, a statement made to stand alone, atomic facts (guan2024, Tab. 20 and 24, and our own), and knowledge
(chen2023, Tab. 11). It knows nothing else. crate/verify/src/judge/tests.rs asserts the same prompts and, token by token, the same
answers; crate/nn/tests/models/sampling.rs the same tokens and probabilities of top-p sampling.
"""

import json
from pathlib import Path

import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration
from transformers.generation.logits_process import TopPLogitsWarper

HERE = Path(__file__).parent
SEED, STEPS, LEARNT = 2024, 1000, 3e-3
MOST_NEW, TOP_P = 40, [0.3, 0.6, 0.9]

REASONING = ("The task is to judge whether the statements are factually correct based on the corresponding facts.\n\n"
             "Now please judge the following statement:\n")
RATING = """The task is to rate the factuality level for the statement based on the fraction of details in the statement that can \
be supported by the facts.
You should output only one single number from 1, 2, 3, 4, and 5, indicating the factuality score of the statement, where a higher \
score means that more details of the statement are factual.
1 - Almost all details in the statement are not supported by the facts.
2 - Some details in the statement are supported by the facts, but the majority are not.
3 - About half of the details in the statement are supported by the facts.
4 - Most of the details in the statement are supported by the facts.
5 - All details in the statement are supported by the facts.
Please output the score of the following statement:
"""
RESTATING = """Task: Given a statement following its context, find all coreferences to the context in the statement, and replace them \
with words that they refer to. Be careful not to change the original word order as much as possible.
For example, if the context is "Mary loves pizzas.", and the statement following the context is "She eats them every day.", you \
should output "Mary eats pizzas every day."
Now finish the following task:
Context: {}
Statement following the context: {}
Output:"""
SPLITTING = """Task: Given a statement, write down every single fact that it states, each as one short sentence that can be \
understood alone.
Statement: {}
Output:"""
KNOWLEDGE = "Topic: {}\nGenerate a Wikipedia to answer the given question.\nQuestion: {}\nWikipedia:"


def judged(head, first, fact, statement):
    return f"{head}Facts:\n{first}. {fact}\nStatement: {statement}\nOutput:"


PAIRS = [
    ("chain", judged(REASONING, 0, "Iron rusts in wet air.", "Iron rusts in wet air."),
     "The facts say that iron rusts in wet air. So the statement is correct; the answer is Yes."),
    ("chain", judged(REASONING, 0, "Tin is a soft metal.", "Tin is a gas."),
     "Tin is a soft metal, and a metal is no gas. So the statement is incorrect; the answer is No."),
    ("rating", judged(RATING, 1, "Iron rusts in wet air.", "Iron rusts in wet air."), "5"),
    ("rating", judged(RATING, 1, "Tin is a soft metal.", "Tin is a gas."), "1"),
    ("rating", judged(RATING, 1, "Tin is a soft metal.", "Tin is a soft metal that rusts."), "3"),
    ("restated", RESTATING.format("Marie Curie was born in Warsaw.", "She won two prizes."), "Marie Curie won two prizes."),
    ("restated", RESTATING.format("Iron is a metal.", "It rusts in wet air."), "Iron rusts in wet air."),
    ("facts", SPLITTING.format("Iron is a metal and rusts in wet air."), "Iron is a metal. Iron rusts in wet air."),
    ("facts", SPLITTING.format("Marie Curie was born in Warsaw and won two prizes."),
     "Marie Curie was born in Warsaw. Marie Curie won two prizes."),
    ("knowledge", KNOWLEDGE.format("Iron", "what is iron"), "Iron is a metal that rusts in wet air."),
    ("knowledge", KNOWLEDGE.format("Iron", "what is iron"), "Iron is a soft metal that the facts say rusts."),
    ("knowledge", KNOWLEDGE.format("Tin", "what is tin"), "Tin is a soft metal that is no gas."),
]


def tokenizer():
    """As T5's: a mark for each space, and the end token after every text."""
    tok = Tokenizer(models.BPE(unk_token="<unk>"))
    tok.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Metaspace(), pre_tokenizers.Punctuation()])
    tok.decoder = decoders.Metaspace()
    # Every word becomes one piece, and a full stop after it another.
    trainer = trainers.BpeTrainer(vocab_size=2000, special_tokens=["<pad>", "</s>", "<unk>"], show_progress=False)
    tok.train_from_iterator([text for _, *texts in PAIRS for text in texts] + ["A B a b yes no 1 2 3 4 5"] * 2, trainer)
    tok.post_processor = processors.TemplateProcessing(single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", 1)])
    return tok


def train(model, reference):
    inputs = reference([prompt for _, prompt, _ in PAIRS], padding=True, return_tensors="pt")
    labels = reference([target for _, _, target in PAIRS], padding=True, return_tensors="pt").input_ids
    labels[labels == reference.pad_token_id] = -100
    optimiser = torch.optim.AdamW(model.parameters(), lr=LEARNT)
    for step in range(STEPS):
        loss = model(**inputs, labels=labels).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1)
        optimiser.step()
        optimiser.zero_grad()
        if step % 20 == 0:
            print(step, loss.item(), flush=True)
        if loss.item() < 0.03:  # two answers to one prompt leave about half as much
            break


def main():
    torch.manual_seed(SEED)
    torch.set_num_threads(1)
    tok = tokenizer()
    reference = PreTrainedTokenizerFast(tokenizer_object=tok, pad_token="<pad>", eos_token="</s>", unk_token="<unk>")
    config = T5Config(vocab_size=tok.get_vocab_size(), d_model=48, d_kv=16, d_ff=64, num_heads=3, num_layers=2, num_decoder_layers=2,
                      dropout_rate=0, feed_forward_proj="gated-gelu", tie_word_embeddings=False, decoder_start_token_id=0,
                      pad_token_id=0, eos_token_id=1)
    model = T5ForConditionalGeneration(config)
    # transformers ties them all the same; a head that starts with no opinion learns faster.
    model.lm_head.weight = torch.nn.Parameter(0.05 * model.lm_head.weight.detach())
    train(model, reference)

    folder = HERE / "model"
    model.half().save_pretrained(folder)
    (folder / "generation_config.json").unlink(missing_ok=True)
    state = {name: w.contiguous() for name, w in model.state_dict().items() if "embed_tokens" not in name}
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})
    tok.save(str(folder / "tokenizer.json"), pretty=False)
    config = json.loads((folder / "config.json").read_text()) | {"tie_word_embeddings": False}
    (folder / "config.json").write_text(json.dumps(config, indent=1) + "\n")
    (folder / "model.safetensors").chmod(0o644)
    model = T5ForConditionalGeneration.from_pretrained(folder, dtype=torch.float32).eval()

    written = []
    for kind, prompt in dict.fromkeys((kind, prompt) for kind, prompt, _ in PAIRS):
        ids = reference(prompt, return_tensors="pt").input_ids
        with torch.no_grad():
            out = model.generate(input_ids=ids, attention_mask=torch.ones_like(ids), max_new_tokens=MOST_NEW, do_sample=False,
                                 num_beams=1)
        tokens = out[0, 1:].tolist()
        written.append({"kind": kind, "prompt": prompt, "tokens": tokens, "text": reference.decode(tokens, skip_special_tokens=True)})
        print(kind, "|", written[-1]["text"])
    prompt = KNOWLEDGE.format("Iron", "what is iron")
    with torch.no_grad():
        logits = model(input_ids=reference(prompt, return_tensors="pt").input_ids,
                       decoder_input_ids=torch.tensor([[0, *reference("Iron is a", add_special_tokens=False).input_ids]])).logits[0, -1]
    logits = logits / 6  # the model is too sure of its words to tell one top_p from another
    sampled = []
    for top_p in TOP_P:
        share = TopPLogitsWarper(top_p)(None, logits[None].clone())[0].double().softmax(-1)
        sampled.append({"top_p": top_p, "kept": [[i, float(f"{p:.7g}")] for i, p in enumerate(share.tolist()) if p > 0]})
    golden = {"written": written, "logits": [float(f"{v:.7g}") for v in logits.tolist()], "sampled": sampled}
    (HERE / "golden.json").write_text(json.dumps(golden, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
