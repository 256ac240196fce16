"""Does not compile: a bracket is missing below."""

from toolbench import Block


def before_tool_call(call):
    if call.input.get("word" == "stop":
        return Block("stop")
