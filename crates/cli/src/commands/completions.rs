//! `proofplay completions`: scripts that let a shell complete our commands and options.

use crate::output::{print_json, print_raw};
use crate::{Cli, Status};
use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};
use proofplay_front::json::Completions;

/// Print a script that lets your shell complete commands and options
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
        generate(self.shell, &mut Cli::command(), "proofplay", &mut script);
        let script = String::from_utf8(script)?;
        if json {
            print_json(&Completions { shell: self.shell.to_string(), script })?;
        } else {
            print_raw(&script)?;
        }
        Ok(Status::Done)
    }
}
