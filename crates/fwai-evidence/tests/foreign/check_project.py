"""Checks a project's evidence with other people's code: securesystemslib, in-toto-attestation, pymerkle, cryptography.

usage: check_project.py PROJECT PUBLIC_KEY_HEX...
"""
import base64, hashlib, json, pathlib, sys

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from google.protobuf import json_format
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.statement import Statement
from pymerkle import InmemoryTree
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

project = pathlib.Path(sys.argv[1])
raw_keys = [bytes.fromhex(text) for text in sys.argv[2:]]
keys = [SSlibKey(hashlib.sha256(raw).hexdigest(), "ed25519", "ed25519", {"public": raw.hex()}) for raw in raw_keys]


def check_run(directory):
    raw = (directory / "attestation.dsse.json").read_bytes()
    envelope = Envelope.from_dict(json.loads(raw))
    assert envelope.verify(keys, 1), "securesystemslib does not accept the envelope"
    assert envelope.payload_type == "application/vnd.in-toto+json"
    message = statement_pb2.Statement()
    json_format.Parse(envelope.payload, message)
    statement = Statement.copy_from_pb(message)
    statement.validate()
    for subject in statement.pb.subject:
        if subject.name.startswith(".fwai/"):
            digest = hashlib.sha256((project / subject.name).read_bytes()).hexdigest()
            assert subject.digest["sha256"] == digest, subject.name

    # The signature inside evidence.json, over the canonical form (RFC 8785) of everything else.
    evidence = json.loads((directory / "evidence.json").read_text())
    signature = evidence.pop("signature")
    canonical = json.dumps(evidence, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
    key = Ed25519PublicKey.from_public_bytes(base64.b64decode(signature["public_key"]))
    key.verify(base64.b64decode(signature["signature"]), canonical)
    return raw


def check_log(log):
    body, _, lines = (log / "checkpoint").read_text().rpartition("\n\n")
    origin, size, root = body.split("\n")[:3]
    size, signed = int(size), body + "\n"
    name, encoded = lines.strip().split(" ")[1:]
    signature = base64.b64decode(encoded)
    hashes = {hashlib.sha256(name.encode() + b"\n\x01" + raw).digest()[:4]: raw for raw in raw_keys}
    assert name == origin
    Ed25519PublicKey.from_public_bytes(hashes[signature[:4]]).verify(signature[4:], signed.encode())

    # Entries and leaf hashes lie where C2SP tlog-tiles says, at exactly the width of the checkpoint.
    assert size < 256, "this script reads one tile"
    bundle = (log / f"tile/entries/000.p/{size}").read_bytes()
    tile = (log / f"tile/0/000.p/{size}").read_bytes()
    entries = []
    while bundle:
        length = int.from_bytes(bundle[:2], "big")
        entries.append(bundle[2 : 2 + length])
        bundle = bundle[2 + length :]
    tree = InmemoryTree(algorithm="sha256")
    for entry in entries:
        tree.append_entry(entry)
    assert tile == b"".join(tree.get_leaf(number + 1) for number in range(size))
    assert tree.get_state() == base64.b64decode(root), "pymerkle finds another root"
    return tree, entries


runs = sorted(path for path in (project / ".fwai/runs").iterdir() if not path.name.startswith("."))
envelopes = [check_run(run) for run in runs]
tree, entries = check_log(project / ".fwai/log")
assert all(envelope in entries for envelope in envelopes)
proofs = {
    "inclusion": [[h.hex() for h in tree.prove_inclusion(i + 1, len(entries)).path[1:]] for i in range(len(entries))],
    "roots": [tree.get_state(size).hex() for size in range(len(entries) + 1)],
}
print(json.dumps(proofs))
