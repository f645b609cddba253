"""The rooms of the markdown writer: the rules for elements, and what they write with."""
