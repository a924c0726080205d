"""How outcomes look and what they are called, wherever they are shown."""

# Outcome -> sign, sign without Unicode, word, style. The word is always there: nothing is said by colour alone.
LOOKS = {
    "passed": ("✓", "+", "done", "green"),
    "wrong": ("✗", "x", "wrong", "red"),
    "raised": ("✗", "x", "error", "red"),
    "timeout": ("✗", "x", "too slow", "red"),
    "memory": ("✗", "x", "out of memory", "red"),
    "killed": ("✗", "x", "ended itself", "red"),
    "forbidden": ("✗", "x", "shortcut", "red"),
    "fault": ("!", "!", "our fault", "magenta"),
    "unattempted": ("○", "o", "to do", "dim"),
}
