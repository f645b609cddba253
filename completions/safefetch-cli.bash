# Completion of safefetch-cli for bash: that of safefetch, which lies beside this file.

. "${BASH_SOURCE[0]%/*}/safefetch"
