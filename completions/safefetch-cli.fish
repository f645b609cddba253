# Completion of safefetch-cli for fish: that of safefetch.

complete --command safefetch-cli --wraps safefetch
