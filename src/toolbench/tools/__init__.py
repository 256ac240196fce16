"""The tool system: what a tool is, why it is visible, and what happens when it is called.

Pure: no files, processes, terminal or clock. Everything here takes what it needs as arguments.
"""
