"""The page's own styles: which of its text do they leave in sight?"""
