# Completion of safefetch for fish; a user's own lies in ~/.config/fish/completions/safefetch.fish

function __safefetch_is --description 'Whether one of these is the command of the line'
    set --local words (commandline --current-process --tokenize --cut-at-cursor)
    for word in $words[2..-1]
        if not string match --quiet -- '-*' $word
            contains -- $word $argv
            return
        end
    end
    contains none $argv
end

function __safefetch --description 'COMMANDS ...: declare a flag of these commands'
    complete --command safefetch --condition "__safefetch_is $argv[1]" $argv[2..-1]
end

set --local printing 'get outline section links metadata'
set --local answering "$printing check-url"
set --local fetching "$printing serve"
set --local every "$fetching check-url"
set --local reading 'get outline section'
set --local writing 'get section'

complete --command safefetch --no-files

__safefetch none -s h -l help -d 'Show the commands and the exit statuses'
__safefetch none -s V -l version -d 'Show the version'
__safefetch none -a get -d 'Print the page as markdown'
__safefetch none -a outline -d 'List the headings of the page'
__safefetch none -a section -d 'Print one heading and all under it'
__safefetch none -a links -d 'List the links of the page'
__safefetch none -a metadata -d 'Tell everything about the page but its text'
__safefetch none -a check-url -d 'Say whether the address may be fetched'
__safefetch none -a serve -d 'Serve tools for language models'

__safefetch $every -s h -l help -d 'Show the options'
__safefetch $answering -l json -d 'Print one JSON object'
__safefetch $every -s v -l verbose -d 'Show each request; twice: the settings too'
__safefetch $every -l config -r -F -d 'Read settings from this file'
__safefetch $every -l timeout -x -d 'Deadline of the whole operation, seconds'
__safefetch $every -l allow-local -d 'Open loopback and private networks'
__safefetch $every -l no-allow-local -d 'Keep loopback and private networks closed'
__safefetch $every -l allow -x -d 'Open one host, address or CIDR range'
__safefetch $every -l fake-ip -x -d 'Accept DNS answers in this CIDR range'
__safefetch $every -l allowlist -x -d 'Reach only these hosts'
__safefetch $every -l denylist -x -d 'Never reach these hosts'
__safefetch $every -l allowed-ports -x -d 'Reach only these ports'
__safefetch $every -l https-only -d 'Refuse plain http'
__safefetch $every -l no-https-only -d 'Let plain http pass'

__safefetch $printing -l from-file -r -F -d 'Read a saved page instead'
__safefetch $printing -l base-url -x -d 'Where the saved page was'
__safefetch 'get metadata check-url' -l color -x -a 'auto always never' -d 'Where there is colour'

__safefetch $fetching -l max-bytes -x -d 'Cut the decoded body there'
__safefetch $fetching -l max-redirects -x -d 'Follow at most so many'
__safefetch $fetching -l allow-https-downgrade -d 'Follow redirects from https to http'
__safefetch $fetching -l no-allow-https-downgrade -d 'Refuse redirects from https to http'
__safefetch $fetching -l user-agent -x -d 'Send this as the User-Agent'
__safefetch $fetching -l ca-file -r -F -d 'Trust the authorities in this PEM file too'
__safefetch $fetching -l ignore-robots-txt -d 'Do not ask robots.txt'
__safefetch $fetching -l no-snapshot -d 'Neither read nor keep a snapshot'

__safefetch $reading -l extract -x -a 'main full' -d 'The main part or the page'
__safefetch $reading -l exclude -x -d 'Leave these elements out (CSS)'
__safefetch $reading -s q -l quiet -d 'No notes on stderr'

__safefetch $writing -l images -x -a 'alt keep' -d 'Images as their text, or kept'
__safefetch $writing -l start-index -x -d 'Begin at this character'
__safefetch $writing -l max-chars -x -d 'Give at most so many characters'
__safefetch $writing -l frame -d 'Put marks round the text'
__safefetch $writing -s o -l output -r -F -d 'Write to this file'
__safefetch $writing -s f -l force -d 'Let --output replace a file'

__safefetch get -l format -x -a 'markdown raw text' -d 'Form of the result'
__safefetch get -l select -x -d 'Take only these elements (CSS)'
__safefetch get -l json-pointer -x -d 'Take one value of a JSON document'
__safefetch get -l frontmatter -d 'Put title, author, date and URL first'
__safefetch get -s i -l input-file -r -F -d 'Read addresses from this file'
__safefetch get -s j -l jobs -x -d 'Fetch so many at once'
__safefetch get -l output-dir -x -a '(__fish_complete_directories)' -d 'Write files in this folder'
__safefetch get -s O -l remote-name -d 'Write files named from the address'
__safefetch get -l retry -x -d 'Try again so often'
__safefetch get -l pretty -d 'Render the markdown for a terminal'
__safefetch get -l fail-with-body -d 'Print the text of an HTTP error page'

__safefetch outline -l depth -x -a '1 2 3 4 5 6' -d 'Leave out deeper headings'

__safefetch section -l number -x -d 'Take the N-th heading'

__safefetch links -l scope -x -a 'all internal external' -d 'Which links'
__safefetch links -l include-anchors -d 'Links to parts of the page too'
__safefetch links -l no-deduplicate -d 'An address as often as it occurs'
__safefetch links -l limit -x -d 'At most so many'

__safefetch check-url -l robots -d 'Ask robots.txt too'

__safefetch serve -l compat -d 'Serve the tool of mcp-server-fetch too'
__safefetch serve -l no-compat -d 'Do not serve it'
__safefetch serve -l tools -x -d 'Serve only these tools'
__safefetch serve -l http -d 'Serve over HTTP'
__safefetch serve -l host -x -d 'Listen on this address'
__safefetch serve -l port -x -d 'Listen on this port'
__safefetch serve -l http-token-file -r -F -d 'Answer only who sends the token in it'
__safefetch serve -l allowed-hosts -x -d 'Names of the server'
__safefetch serve -l allowed-origins -x -d 'Web pages that may use the server'
__safefetch serve -l trust-proxy -x -d 'Number of proxies in front'
__safefetch serve -l log-format -x -a 'text json' -d 'How the log is written'

functions --erase __safefetch
