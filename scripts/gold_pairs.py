"""Pairs of a work directory beside labels that people gave them. Used by the scripts that sample, measure and fit."""
import hashlib, json, os, subprocess


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


def read_lines(file):
    with open(file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def read_records(file):
    """The records of a file of a stage, as the program shows them."""
    shown = subprocess.run([os.environ.get("TOUCHSTONE_PROGRAM", "build/release/touchstone"), "show", file], check=True, stdout=subprocess.PIPE)
    return [json.loads(line) for line in shown.stdout.decode().split("\n") if line]


def judged_pairs(work):
    """Every judged pair whose passage is in the collection, as (key, judgment, texts).

    The key holds ids and digests only: page ids of list, member and passage, and SHA-256 of the headings with the column
    (a line each) and of the passage's text. So it outlives new ids of topics and new numbers of passages.
    """
    groups = {group["topic"]: group for group in read_records(work / "stages/groups.records")}
    passages = {line["_id"]: line for line in read_lines(work / "collection/corpus.jsonl")}
    for judgment in read_records(work / "stages/judgments.records"):
        group, passage = groups[judgment["topic"]], passages.get(judgment["docid"])
        if passage is None:
            continue
        path = group["section"] + [group["column"]]
        key = {"list_page": group["page_id"], "path_sha256": sha256("\n".join(path)),
               "member_page": judgment["member_page_id"], "passage_page": int(passage["metadata"]["page_id"]),
               "text_sha256": sha256(passage["text"])}
        texts = {"list": group["page"], "path": path, "member": judgment["member"], "title": passage["title"],
                 "text": passage["text"]}
        yield key, judgment, texts


def half_of(list_page):
    """Which half of the labels a list belongs to: weights are fitted on "fit", and "report" is what is reported."""
    return "fit" if int(sha256(f"list {list_page}"), 16) % 2 == 0 else "report"


def features_by_digest(work, program):
    """Features of the lexical judge by digest of the request."""
    shown = subprocess.run([program, "show", "judgments", "--work", work, "--format", "json"], check=True, stdout=subprocess.PIPE)
    return {judgment["digest"]: json.loads(judgment["reply"]).get("features", {}) for judgment in json.loads(shown.stdout)}


def labelled_by_key(work, gold_file):
    """The labels of a .jsonl file (docs/gold.md), each with the judgment of its pair, or None where it was not judged."""
    key_of = lambda key: (key["list_page"], key["path_sha256"], key["member_page"], key["text_sha256"])
    judged = {key_of(key): judgment for key, judgment, _ in judged_pairs(work)}
    for label in read_lines(gold_file):
        yield {"list": label["list_page"], "half": half_of(label["list_page"]), "label": label["label"],
               "stratum": label["stratum"], "stratum_pairs": label["stratum_pairs"], "judgment": judged.get(key_of(label))}


def labelled_by_titles(work, gold_file):
    """The labels of a .tsv file. They name a passage by its page."""
    groups = {group["topic"]: group for group in read_records(work / "stages/groups.records")}
    titles = {line["metadata"]["page_id"]: line["title"] for line in read_lines(work / "collection/corpus.jsonl")}
    judged = {}
    for judgment in read_records(work / "stages/judgments.records"):
        group = groups[judgment["topic"]]
        page = titles.get(int(judgment["docid"].split("-")[1]))
        judged[group["page"], " » ".join(group["section"]), group["column"], judgment["member"], page] = judgment
    with open(gold_file, encoding="utf-8") as lines:
        next(lines)
        for line in lines:
            fields = line.rstrip("\n").split("\t")
            yield {"list": fields[0], "label": int(fields[5]), "judgment": judged.get(tuple(fields[:5]))}


def labelled_pairs(work, gold_file):
    read = labelled_by_key if gold_file.suffix == ".jsonl" else labelled_by_titles
    return list(read(work, gold_file))
