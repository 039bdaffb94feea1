#!/usr/bin/env python3
"""Verifies a fwai proof bundle without fwai.  usage: verify.py [--key BASE64] [--bundle DIR] [IMAGE...]

Needs Python 3.8 and the package `cryptography`. Exit code 0 only if everything holds.
"""
import argparse, base64, hashlib, json, pathlib, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

RUN = "https://fwai.dev/attestation/run/v1"
ROTATION = "https://fwai.dev/attestation/key-rotation/v1"


def check(condition, what):
    if not condition:
        raise ValueError(what)


def signed(key, message, signature):
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def open_envelope(raw):
    """DSSE: returns the payload and a function that says whether a key signed it."""
    envelope = json.loads(raw)
    kind, payload = envelope["payloadType"], base64.b64decode(envelope["payload"])
    check(kind == "application/vnd.in-toto+json", "payload is not an in-toto statement")
    message = b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
    signatures = [base64.b64decode(s["sig"]) for s in envelope["signatures"]]
    statement = json.loads(payload)
    check(statement["_type"] == "https://in-toto.io/Statement/v1", "unknown statement type")
    return statement, lambda key: any(signed(key, message, s) for s in signatures)


def follow_rotations(trusted, folder):
    """A rotation that a trusted key and its partner both signed makes the partner trusted."""
    retired = {}
    found = []
    for path in sorted(folder.glob("*.dsse.json"), key=lambda p: int(p.name.split(".")[0])):
        statement, by = open_envelope(path.read_bytes())
        check(statement["predicateType"] == ROTATION, f"{path.name} is not a rotation")
        keys = [base64.b64decode(statement["predicate"][k]) for k in ("old_key", "new_key")]
        check(keys[0] != keys[1] and all(map(by, keys)), f"{path.name} is not signed by both keys")
        found.append((int(path.name.split(".")[0]), *keys))
    for _ in found:
        for leaf, old, new in found:
            if old in trusted or new in trusted:
                trusted |= {old, new}
                retired.setdefault(old, leaf)
    return retired


def open_checkpoint(text, trusted):
    body, _, lines = text.rpartition("\n\n")
    body += "\n"
    origin, size, root = body.split("\n")[:3]
    for line in lines.splitlines():
        dash, name, encoded = line.split(" ")
        raw = base64.b64decode(encoded)
        for key in trusted:
            key_hash = hashlib.sha256(name.encode() + b"\n\x01" + key).digest()[:4]
            if dash == "\u2014" and name == origin and raw[:4] == key_hash and signed(key, body.encode(), raw[4:]):
                return origin, int(size), base64.b64decode(root)
    raise ValueError("checkpoint is not signed by a trusted key")


def root_of(leaf, index, size, proof):
    """RFC 9162, section 2.1.3.2."""
    check(index < size, "leaf lies outside the tree")
    node, last, value = index, size - 1, leaf
    for sibling in proof:
        check(last > 0, "proof is too long")
        if node % 2 or node == last:
            value = hashlib.sha256(b"\x01" + sibling + value).digest()
            while node % 2 == 0 and node:
                node, last = node >> 1, last >> 1
        else:
            value = hashlib.sha256(b"\x01" + value + sibling).digest()
        node, last = node >> 1, last >> 1
    check(last == 0, "proof is too short")
    return value


def check_files(statement, run_id, folder):
    prefix = f".fwai/runs/{run_id}/"
    stated = {s["name"]: s["digest"]["sha256"] for s in statement["subject"]}
    files = {name[len(prefix):]: digest for name, digest in stated.items() if name.startswith(prefix)}
    if "SHA256SUMS" in files:
        sums = (folder / "SHA256SUMS").read_bytes()
        check(hashlib.sha256(sums).hexdigest() == files["SHA256SUMS"], "SHA256SUMS was changed")
        files.update(reversed(line.split("  ", 1)) for line in sums.decode().splitlines())
    for name, digest in files.items():
        check("/" not in name and (folder / name).is_file(), f"files/{name} is missing")
        check(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, f"files/{name} was changed")
    extra = {path.name for path in folder.iterdir()} - set(files)
    check(not extra, f"files that the statement does not name: {sorted(extra)}")
    return files, {name: digest for name, digest in stated.items() if not name.startswith(prefix)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--key", action="append", default=[], help="trusted public key, base64; may be repeated")
    parser.add_argument("--bundle", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
    parser.add_argument("image", nargs="*", type=pathlib.Path, help="firmware file to look for in the statement")
    args = parser.parse_args()
    index = json.loads((args.bundle / "bundle.json").read_text())
    trusted = {base64.b64decode(key) for key in args.key or index["public_keys"]}
    retired = follow_rotations(trusted, args.bundle / "rotations")

    raw = (args.bundle / "attestation.dsse.json").read_bytes()
    statement, by = open_envelope(raw)
    leaf = index["leaf_index"]
    check(any(by(key) and leaf <= retired.get(key, leaf) for key in trusted), "statement is not signed by a trusted key")
    run_id = statement["predicate"]["run_id"]
    check(statement["predicateType"] == RUN and run_id == index["run_id"], "statement is about something else")
    origin, size, root = open_checkpoint((args.bundle / "checkpoint").read_text(), trusted)
    check(size == index["tree_size"], "checkpoint is of another size")
    proof = [base64.b64decode(value) for value in index["inclusion_proof"]]
    computed = root_of(hashlib.sha256(b"\x00" + raw).digest(), leaf, size, proof)
    check(computed == root, "the proof does not lead to the root of the checkpoint")

    files, images = check_files(statement, run_id, args.bundle / "files")
    evidence = json.loads((args.bundle / "files/evidence.json").read_text())
    evidence.pop("signature", None)
    for field in statement["predicate"].get("omitted", []):
        evidence.pop(field, None)
    check(evidence == statement["predicate"]["evidence"], "evidence.json says something else than the statement")
    for image in args.image:
        digest = hashlib.sha256(image.read_bytes()).hexdigest()
        names = [name for name, value in images.items() if value == digest]
        check(names, f"{image} is no image that this run states")
        print(f"image      {image} is {names[0]}")

    print(f"run        {run_id}: {evidence['status']}")
    print(f"statement  signed, {len(files)} files and {len(images)} images by SHA-256")
    print(f"log        leaf {leaf} of {size} in {origin}, {len(proof)} hashes to the signed root")
    if not args.key:
        print("key        taken from the bundle; compare it: " + " ".join(index["public_keys"]))
    print("verified")


try:
    main()
except (KeyError, ValueError, TypeError, OSError) as error:
    sys.exit(f"NOT VERIFIED: {error}")
