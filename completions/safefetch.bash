# Completion of safefetch for bash. Its file is called safefetch where bash-completion looks for it:
# ~/.local/share/bash-completion/completions/safefetch

_safefetch() {
    local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command='' word

    # bash takes --flag=value apart at the equals sign.
    if [[ $current == = ]]; then
        current=''
    elif [[ $before == = && COMP_CWORD -gt 2 ]]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == -- ]] && return # only addresses follow
        [[ -z $command && $word != -* ]] && command=$word
    done

    COMPREPLY=()
    case $before in
        --config | --ca-file | --output | -o | --http-token-file | --from-file | --input-file | -i)
            compopt -o filenames 2>/dev/null
            local IFS=$'\n'
            COMPREPLY=($(compgen -f -- "$current"))
            return
            ;;
        --output-dir)
            compopt -o filenames 2>/dev/null
            local IFS=$'\n'
            COMPREPLY=($(compgen -d -- "$current"))
            return
            ;;
        --color) _safefetch_words 'auto always never' && return ;;
        --format) _safefetch_words 'markdown raw text' && return ;;
        --extract) _safefetch_words 'main full' && return ;;
        --images) _safefetch_words 'alt keep' && return ;;
        --log-format) _safefetch_words 'text json' && return ;;
        --depth) _safefetch_words '1 2 3 4 5 6' && return ;;
        --scope) _safefetch_words 'all internal external' && return ;;
        --timeout | --max-bytes | --max-redirects | --user-agent | --allow | --fake-ip | \
            --allowlist | --denylist | --allowed-ports | --json-pointer | --select | --exclude | \
            --start-index | --max-chars | --number | --limit | --tools | --host | --port | \
            --allowed-hosts | --allowed-origins | --trust-proxy | --base-url | --jobs | -j | --retry)
            return # a value that only its user knows
            ;;
    esac

    local every='-h --help -v --verbose --config --timeout --allow-local --no-allow-local
        --allow --fake-ip --allowlist --denylist --allowed-ports --https-only --no-https-only'
    local fetching="$every --max-bytes --max-redirects --allow-https-downgrade
        --no-allow-https-downgrade --user-agent --ca-file --ignore-robots-txt --no-snapshot"
    local page="$fetching --json --from-file --base-url"
    local reading="$page --extract --exclude -q --quiet"
    local writing="$reading --images --start-index --max-chars --frame -o --output -f --force"
    case $command in
        '')
            if [[ $current == -* ]]; then
                _safefetch_words '-h --help -V --version'
            else
                _safefetch_words 'get outline section links metadata check-url serve'
            fi
            ;;
        *) [[ $current == -* ]] || return ;; # an address
    esac
    case $command in
        get)
            _safefetch_words "$writing --format --select --json-pointer --frontmatter
                --fail-with-body -i --input-file -j --jobs --output-dir -O --remote-name --retry
                --pretty --color"
            ;;
        outline) _safefetch_words "$reading --depth" ;;
        section) _safefetch_words "$writing --number" ;;
        links) _safefetch_words "$page --scope --include-anchors --no-deduplicate --limit" ;;
        metadata) _safefetch_words "$page --color" ;;
        check-url) _safefetch_words "$every --json --robots --color" ;;
        serve)
            _safefetch_words "$fetching --compat --no-compat --tools --http --host --port
                --http-token-file --allowed-hosts --allowed-origins --trust-proxy --log-format"
            ;;
    esac
}

# Offer those of the words that begin as the current one.
_safefetch_words() {
    COMPREPLY=($(compgen -W "$1" -- "$current"))
}

complete -F _safefetch safefetch safefetch-cli
