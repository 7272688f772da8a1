//! `proofplay completions`: scripts that let a shell complete our commands, options and names.

use crate::output::{print_json, print_raw};
use crate::{Cli, Status};
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command, CommandFactory};
use clap_complete::{Shell, generate};
use proofplay_front::json::Completions;
use proofplay_registry::GAMES;
use proofplay_search::SearchKind;

/// Print a script that lets your shell complete commands, options, games and searches
///
/// The script for bash also completes the settings of searches, such as `mcts:proof=`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  proofplay completions bash > ~/.local/share/bash-completion/completions/proofplay
  proofplay completions zsh > ~/.zfunc/_proofplay
  proofplay completions fish > ~/.config/fish/completions/proofplay.fish")]
pub struct Options {
    /// Your shell
    shell: Shell,
}

impl Options {
    /// Prints the script.
    pub fn run(&self, json: bool) -> Result<Status> {
        let mut script = Vec::new();
        generate(self.shell, &mut with_names(Cli::command()), "proofplay", &mut script);
        let mut script = String::from_utf8(script)?;
        if self.shell == Shell::Bash {
            script += &settings_for_bash();
        }
        if json {
            print_json(&Completions { shell: self.shell.to_string(), script })?;
        } else {
            print_raw(&script)?;
        }
        Ok(Status::Done)
    }
}

/// The command with the names that its arguments may begin with.
fn with_names(command: Command) -> Command {
    let name = command.get_name().to_owned();
    command.mut_args(|arg| with_names_of(&name, arg)).mut_subcommands(with_names)
}

fn with_names_of(command: &str, arg: Arg) -> Arg {
    let value = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    let games = || GAMES.iter().map(|entry| entry.name());
    let searches = || SearchKind::all().iter().map(|kind| kind.name);
    let names: Vec<&'static str> = match (command, value.as_deref()) {
        ("games", Some("NAME")) | (_, Some("GAME")) => games().collect(),
        ("searches", Some("NAME")) | (_, Some("SEARCH" | "PLAYER")) => searches().collect(),
        _ => return arg,
    };
    arg.value_parser(PossibleValuesParser::new(names))
}

/// What bash needs to complete the settings of a search. Bash ends words at `:` and `=`, so that
/// the script of the library does not see them.
fn settings_for_bash() -> String {
    let mut cases = String::new();
    for kind in SearchKind::all() {
        let mut words: Vec<String> = Vec::new();
        for setting in kind.settings() {
            words.push(format!("{}=", setting.key));
            let values = setting.values.strip_prefix("one of ").into_iter().flat_map(|all| all.split(", "));
            words.extend(values.map(|value| format!("{}={value}", setting.key)));
        }
        cases += &format!("        {}:*) words=\"{}\" ;;\n", kind.name, words.join(" "));
    }
    BASH.replace("CASES\n", &cases)
}

/// `$2` is what bash replaces: the end of the word as the user sees it.
const BASH: &str = r#"
_proofplay_settings() {
    local line="${COMP_LINE:0:COMP_POINT}" words="" before key
    local word="${line##*[[:space:]]}"
    case "$word" in
CASES
        *) _proofplay "$@"; return ;;
    esac
    key="${word##*[:,]}"
    before="${word%"$key"}"
    # Values are offered after their `=` only.
    [[ $key == *=* ]] || words=$(printf '%s\n' $words | grep '=$')
    COMPREPLY=( $(compgen -P "$before" -W "$words" -- "$key") )
    [[ $key == *=* ]] && COMPREPLY=( $(printf '%s\n' "${COMPREPLY[@]}" | grep -v '=$') )
    # Bash has the beginning of the word already.
    COMPREPLY=( "${COMPREPLY[@]#"${word%"$2"}"}" )
    compopt -o nospace
}
complete -F _proofplay_settings -o bashdefault -o default proofplay
"#;
