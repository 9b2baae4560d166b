# How this bundle grades. Edit what you like; nothing else needs to change.
# shellcheck shell=bash disable=SC2034

# The exercises that count, such as (ex01 ex02); all of the pack where empty.
EXERCISES=(@{exercises})

# Seconds for each step.
TIMEOUT=@{seconds}

# What of the sandbox is required: (--require-sandbox) every layer; (--allow-without bubblewrap) all others, for a container
# in which bubblewrap cannot start; (--allow-unsandboxed) none, so that a submission may read this folder.
SANDBOX=(@{words(sandbox)})
