#!/usr/bin/env zsh
# usage: complete.zsh SITE_FUNCTIONS_DIR 'command line'
# Types the line and a tab into a zsh with completion, and prints what the screen then shows.
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PS1=''; COLUMNS=300; fpath=($1 \$fpath); autoload -U compinit; compinit -u -D"
zpty -w shell "zstyle ':completion:*' list-prompt ''; zstyle ':completion:*' select-prompt ''; unsetopt menu_complete auto_menu; echo READY"
zpty -r -m shell line '*READY*READY*'
zpty -w -n shell "$2"$'\t\t'
sleep 3
zpty -w -n shell $'\C-u'"echo DO''NE"$'\n'
zpty -r -m shell line '*DONE*'
# Without the terminal's own codes, which stand next to the words.
print -r -- "$line" | sed 's/\x1b\[[0-9;?]*[A-Za-z]/ /g'
zpty -d shell
