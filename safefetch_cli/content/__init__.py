"""From bytes to a readable document. Knows no network."""
