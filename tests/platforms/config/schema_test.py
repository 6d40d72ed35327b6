"""The schema is valid draft-07, and a second validator accepts the experiments too.

Usage: schema_test.py YAML_FOLDER. Exit status 77 when python3-jsonschema or python3-yaml is not there.
"""
import json
import pathlib
import sys

try:
    import jsonschema
    import yaml
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

folder = pathlib.Path(sys.argv[1])
faults = 0


def validator_of(name):
    """The schema of that name; it may refer to those beside it."""
    path = folder / "schema" / f"{name}.schema.json"
    schema = json.loads(path.read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    resolver = jsonschema.RefResolver(path.resolve().as_uri(), schema)
    return jsonschema.Draft7Validator(schema, resolver=resolver)


validator = validator_of("experiment")
schema = validator.schema

for name, definition in schema["definitions"].items():
    if "properties" in definition or "type" in definition:
        jsonschema.Draft7Validator.check_schema(definition)
    if "." in name and definition.get("additionalProperties") is not False:
        print(name, "is not closed")
        faults += 1

for kind in ("experiment", "sweep", "reproduction"):
    accepts = validator_of(kind)
    for file in sorted((folder / f"{kind}s").rglob("*.yaml")):
        for error in accepts.iter_errors(yaml.safe_load(file.read_text())):
            print(file.name, list(error.absolute_path), error.message)
            faults += 1

good = {"name": "a", "topology": {"kind": "omega", "stages": 3}, "traffic": [{"pattern": "uniform"}]}
bad = [
    ("topology", {"kind": "omega"}),
    ("topology", {"kind": "mesh", "stages": 3, "dimensions": [2]}),
    ("traffic", {}),
    ("traffic", [{"pattern": "uniform", "raet": 1}]),
    ("switch", {"depth": 0}),
    ("switch", {"dept": 4}),
    ("routing", {"kind": "digits"}),
    ("sede", 1),
]
if not validator.is_valid(good):
    print("refuses a good experiment")
    faults += 1
for key, value in bad:
    if validator.is_valid({**good, key: value}):
        print("accepts", key, value)
        faults += 1
sys.exit(1 if faults else 0)
