"""What the screens show, as plain data: no Textual here."""
