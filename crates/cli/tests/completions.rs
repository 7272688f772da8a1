//! What bash completes with our script, by its own function for it.
#![cfg(target_os = "linux")]

use std::process::Command;

/// Calls the function as bash does, with the words that bash makes of a line, and prints the
/// answers.
const CALL: &str = r#"
compopt() { :; }
COMP_LINE="$1"; COMP_POINT=${#1}; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
end="${COMP_WORDS[COMP_CWORD]}"
# A word that is a separator is complete: what follows it is still empty.
[[ $end == [:=] ]] && end=""
_proofplay_settings proofplay "$end" "${COMP_WORDS[COMP_CWORD - 1]}"
echo "${COMPREPLY[@]}"
"#;

/// The words of a line: bash ends them at blanks, `:` and `=`, which are words themselves.
fn words(line: &str) -> Vec<String> {
    let apart = line.replace(':', " : ").replace('=', " = ");
    let mut words: Vec<String> = apart.split_whitespace().map(str::to_owned).collect();
    if line.ends_with(' ') {
        words.push(String::new());
    }
    words
}

fn completed(script: &str, line: &str) -> Vec<String> {
    let mut bash = Command::new("bash");
    bash.args(["--norc", "-c", &format!("{script}\n{CALL}"), "bash", line]).args(words(line));
    let output = bash.output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors, "", "{line}");
    String::from_utf8(output.stdout).unwrap().split_whitespace().map(str::to_owned).collect()
}

#[test]
fn bash_completes_games_searches_and_settings() {
    let output = Command::new(env!("CARGO_BIN_EXE_proofplay")).args(["completions", "bash"]).output();
    let script = String::from_utf8(output.unwrap().stdout).unwrap();
    for (line, expected) in [
        ("proofplay solve con", "connect4"),
        ("proofplay games che", "checkers"),
        ("proofplay match --game br", "breakthrough"),
        ("proofplay solve connect4 --algorithm df", "dfpn dfpp"),
        ("proofplay solve connect4 --algorithm au", "auto"),
        ("proofplay searches exa", "exact-win"),
        ("proofplay match --a score", "score-bounded"),
        ("proofplay solve connect4 --algorithm alphabeta:de", "depth= deepen="),
        ("proofplay solve connect4 --algorithm alphabeta:deepen=", "on off"),
        ("proofplay solve connect4 --algorithm mcts:c=0.5,fin", "0.5,final="),
        ("proofplay solve connect4 --algorithm mcts:c=0.5,proof=so", "solver"),
        ("proofplay solve connect4 --algorithm mcts:nonsense", ""),
        ("proofplay solve connect4 --shor", "--shortest"),
    ] {
        assert_eq!(completed(&script, line).join(" "), expected, "{line}");
    }
    // Every setting of the search, and no value before its key.
    let settings = completed(&script, "proofplay analyze go --engine dfpn:");
    assert!(!settings.is_empty() && settings.iter().all(|setting| setting.ends_with('=')), "{settings:?}");
}
