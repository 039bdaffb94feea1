#!/usr/bin/env python3
"""Verifies a fwai proof bundle without fwai.  usage: verify.py [--key BASE64] [--bundle DIR] [IMAGE...]

Needs Python 3.8 and the package `cryptography`. Exit code 0 only if everything holds."""
import argparse, base64, hashlib, json, pathlib, sys
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

RUN, ROTATION = (f"https://fwai.dev/attestation/{kind}/v1" for kind in ("run", "key-rotation"))

def check(condition, what):
    if not condition:
        raise ValueError(what)

def decode(text, either=False):
    """Canonical base64; DSSE lets writers choose between the standard and the URL-safe alphabet."""
    text = text.translate({45: 43, 95: 47}) if either and not set("+/") & set(text) else text
    raw = base64.b64decode(text, validate=True)
    check(base64.b64encode(raw).decode() == text, "base64 that is not canonical")
    return raw

def unique(pairs):
    check(len(dict(pairs)) == len(pairs), "a name stands twice in an object")
    return dict(pairs)

def parse(raw):
    return json.loads(raw.decode("utf-8"), object_pairs_hook=unique, parse_constant=lambda name: check(False, name))

def signed(key, message, signature):
    try:
        return Ed25519PublicKey.from_public_bytes(key).verify(signature, message) is None
    except (InvalidSignature, ValueError):
        return False

def open_envelope(raw):
    """DSSE: returns the payload and a function that says whether a key signed it."""
    envelope = parse(raw)
    kind, payload = envelope["payloadType"], decode(envelope["payload"], True)
    check(kind == "application/vnd.in-toto+json", "payload is not an in-toto statement")
    message = b"DSSEv1 %d %s %d %s" % (len(kind), kind.encode(), len(payload), payload)
    signatures = [decode(s["sig"], True) for s in envelope["signatures"]]
    statement = parse(payload)
    check(statement["_type"] == "https://in-toto.io/Statement/v1", "unknown statement type")
    return statement, lambda key: any(signed(key, message, s) for s in signatures)

def follow_rotations(trusted, folder, size):
    """A rotation that a trusted key and its partner both signed makes the partner trusted; a key is replaced once."""
    retired, found = {}, {}
    for path in sorted(folder.glob("*.dsse.json"), key=lambda p: int(p.name.split(".")[0])):
        leaf = int(path.name.split(".")[0])
        statement, by = open_envelope(path.read_bytes())
        check(statement["predicateType"] == ROTATION and 0 <= leaf < size, f"{path.name} is not a rotation of this log")
        old, new = (decode(statement["predicate"][k]) for k in ("old_key", "new_key"))
        check(old != new and by(old) and by(new), f"{path.name} is not signed by both keys")
        found.setdefault(old, (leaf, new))
    for _ in found:
        for old, (leaf, new) in found.items():
            if old in trusted or new in trusted:
                trusted |= {old, new}
                retired[old] = leaf
    return retired

def open_checkpoint(text, keys):
    body, lines = text[:text.rindex("\n\n") + 1], text[text.rindex("\n\n") + 2:]
    origin, size, root = body.split("\n")[:3]
    check(lines.endswith("\n") and size == str(int(size)), "checkpoint is malformed")
    notes = [line.split(" ") for line in lines[:-1].split("\n")]
    for dash, name, raw in [(dash, name, decode(encoded)) for dash, name, encoded in notes]:
        check(dash == "\u2014" and name and "+" not in name and len(raw) > 4, "checkpoint has a malformed signature")
        for key in keys if name == origin else ():
            key_hash = hashlib.sha256(name.encode() + b"\n\x01" + key).digest()[:4]
            if raw[:4] == key_hash and signed(key, body.encode(), raw[4:]):
                return origin, int(size), decode(root)
    raise ValueError("checkpoint is not signed by a trusted key that is still in use")

def root_of(leaf, index, size, proof):  # RFC 9162, section 2.1.3.2
    check(0 <= index < size, "leaf lies outside the tree")
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
    stated = [(s["name"], s["digest"]["sha256"]) for s in statement["subject"]]
    files = {name[len(prefix):]: digest for name, digest in stated if name.startswith(prefix)}
    check(len(files) == sum(name.startswith(prefix) for name, _ in stated), "a file is stated twice")
    if "SHA256SUMS" in files:
        sums = (folder / "SHA256SUMS").read_bytes()
        check(hashlib.sha256(sums).hexdigest() == files["SHA256SUMS"], "SHA256SUMS was changed")
        files.update(reversed(line.split("  ", 1)) for line in sums.decode().split("\n")[:-1])
    for name, digest in files.items():
        check("/" not in name and (folder / name).is_file(), f"files/{name} is missing")
        check(hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, f"files/{name} was changed")
    check({path.name for path in folder.iterdir()} == set(files), "files/ holds what the statement does not name")
    return files, [(name, digest) for name, digest in stated if not name.startswith(prefix)]

def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--key", action="append", default=[], help="trusted public key, base64; may be repeated")
    parser.add_argument("--bundle", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent)
    parser.add_argument("image", nargs="*", type=pathlib.Path, help="firmware file to look for in the statement")
    args = parser.parse_args()
    index = parse((args.bundle / "bundle.json").read_bytes())
    version, leaf, size, keys = (index[name] for name in ("version", "leaf_index", "tree_size", "public_keys"))
    named, kinds = " ".join(keys), [type(value) for value in (version, leaf, size, keys)]
    check(kinds == [int, int, int, list] and version == 1, "bundle.json is malformed or of another version")
    trusted = {decode(key) for key in args.key or keys}
    retired = follow_rotations(trusted, args.bundle / "rotations", size)
    raw = (args.bundle / "attestation.dsse.json").read_bytes()
    statement, by = open_envelope(raw)
    check(any(by(key) and leaf <= retired.get(key, leaf) for key in trusted), "statement is not signed by a trusted key")
    run_id = statement["predicate"]["run_id"]
    check(statement["predicateType"] == RUN and run_id == index["run_id"], "statement is about something else")
    note = (args.bundle / "checkpoint").read_bytes().decode("utf-8")
    origin, stated_size, root = open_checkpoint(note, trusted - set(retired))
    check(size == stated_size, "checkpoint is of another size")
    proof = [decode(value) for value in index["inclusion_proof"]]
    check(all(len(one) == 32 for one in proof), "a hash of the proof is not 32 bytes")
    check(root_of(hashlib.sha256(b"\x00" + raw).digest(), leaf, size, proof) == root, "the proof does not lead to the signed root")
    files, images = check_files(statement, run_id, args.bundle / "files")
    evidence = parse((args.bundle / "files/evidence.json").read_bytes())
    for field in ["signature", *statement["predicate"].get("omitted", [])]:
        evidence.pop(field, None)
    check(evidence == statement["predicate"]["evidence"], "evidence.json says something else than the statement")
    for image in args.image:
        digest = hashlib.sha256(image.read_bytes()).hexdigest()
        names = [name for name, value in images if value == digest]
        check(names, f"{image} is no image that this run states")
        print(f"image      {image} is {names[0]}")

    print(f"run        {run_id}: {evidence['status']}")
    print(f"statement  signed, {len(files)} files and {len(images)} images by SHA-256")
    print(f"log        leaf {leaf} of {size} in {origin}, {len(proof)} hashes to the signed root")
    if not args.key:
        print("key        taken from the bundle; compare it: " + named)
    print("verified")

try:
    main()
except (KeyError, ValueError, TypeError, AttributeError, RecursionError, OSError) as error:
    sys.exit(f"NOT VERIFIED: {error}")
