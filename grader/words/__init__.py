"""Every sentence that a student reads, in each language that there is: `say` gives it, a catalogue holds it.

A catalogue is a TOML file beside this one, named for its language. CONTRIBUTING.md says how to add one.
"""

from grader.words.catalogue import all_of, heard, say, saying
from grader.words.spoken import ENGLISH, LOCALES, language, languages, of_environment, speak, speaking

__all__ = [
    "ENGLISH",
    "LOCALES",
    "all_of",
    "heard",
    "language",
    "languages",
    "of_environment",
    "say",
    "saying",
    "speak",
    "speaking",
]
