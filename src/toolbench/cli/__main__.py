"""`python -m toolbench.cli`: the same as `toolbench`."""

from toolbench.cli import main

if __name__ == "__main__":
    main()
