//! Rule sheets by name: those that ship, and files that were opened.

use proofplay_gdl::{Flaw, SHIPPED, Sheet, SheetGame};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

/// Rule sheets by name. Names are those of files without folder and ending, and each stands for the same rules as long as the program
/// runs.
///
/// ```
/// use proofplay_compiled_sheets::Shelf;
/// use proofplay_core::Game;
/// let shelf = Shelf::default();
/// assert_eq!(shelf.find("tictactoe")?.name(), "gdl:tictactoe");
/// let error = shelf.find("secret.gdl").unwrap_err().to_string();
/// assert!(error.contains("opens no files"), "{error}");
/// # Ok::<(), proofplay_compiled_sheets::SheetError>(())
/// ```
#[derive(Debug, Default)]
pub struct Shelf {
    opens_files: AtomicBool,
    open: Mutex<Vec<Open>>,
    tell: OnceLock<fn(&str)>,
}

/// A sheet with its name and, once somebody asked for it, its game.
#[derive(Debug)]
struct Open {
    name: String,
    sheet: Sheet,
    game: Option<SheetGame>,
}

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SheetError {
    /// No sheet has this name.
    #[error(
        "no rule sheet is called `{name}`; {names} ship; a file is written with its folder or with the ending `.gdl` or `.kif`, \
         e.g. `gdl:./{name}`"
    )]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// All names, separated by commas.
        names: String,
    },
    /// No sheet has these rules.
    #[error("no rule sheet that is open has the rules of `gdl:{asked}`: name its file, `--sheet FILE`")]
    Elsewhere {
        /// The name and the digest that were asked for.
        asked: String,
    },
    /// Files are not opened by their names here.
    #[error(
        "`gdl:{file}`: a game that is named here opens no files: name the sheet when the program starts, `--sheet FILE`"
    )]
    Closed {
        /// The file.
        file: String,
    },
    /// The file cannot be read.
    #[error("cannot read the rule sheet `{file}`: {error}")]
    Unreadable {
        /// The file.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// Another sheet has the name.
    #[error(
        "the rule sheet `{file}` is called `gdl:{name}`, as another one with other rules: rename the file"
    )]
    Taken {
        /// The file.
        file: String,
        /// The name.
        name: String,
    },
    /// The rules are refused.
    #[error("{0}")]
    Flaw(String),
}

impl From<Flaw> for SheetError {
    fn from(flaw: Flaw) -> SheetError {
        SheetError::Flaw(flaw.to_string())
    }
}

/// A sheet has at most this many bytes, as its reader wants it.
const LARGEST: u64 = 4 << 20;

impl Shelf {
    /// Whether `gdl:FILE` opens a file from now on. Sheets that are open stay so. Programs that read names of games from strangers must
    /// not allow it; it is off at first.
    pub fn open_files(&self, may: bool) {
        self.opens_files.store(may, Relaxed);
    }

    /// What is called with a note for a person; the first call counts.
    pub fn tell(&self, tell: fn(&str)) {
        let _ = self.tell.set(tell);
    }

    /// Reads the sheet in a file and gives its name: `gdl:` and this name is the game.
    pub fn open(&self, file: &Path) -> Result<String, SheetError> {
        let shown = file.display().to_string();
        let unreadable = |error| SheetError::Unreadable { file: shown.clone(), error };
        let mut bytes = Vec::new();
        let read = File::open(file).and_then(|open| open.take(LARGEST + 1).read_to_end(&mut bytes));
        read.map_err(unreadable)?;
        if bytes.len() as u64 > LARGEST {
            return Err(unreadable(io::Error::other("it has more than 4 MiB")));
        }
        let text =
            String::from_utf8(bytes).map_err(|_| unreadable(io::Error::other("it is not UTF-8 text")))?;
        let sheet = Sheet::read(&shown, &text)?;
        let name = name_of(file);
        let mut open = self.lock();
        let same = match place(&open, &name) {
            Some(at) => Some(open[at].sheet.identity()),
            None => shipped(&name).map(|sheet| sheet.identity()),
        };
        match same {
            Some(identity) if identity != sheet.identity() => {
                return Err(SheetError::Taken { file: shown, name });
            }
            Some(_) => {}
            None => open.push(Open { name: name.clone(), sheet, game: None }),
        }
        Ok(name)
    }

    /// The game of `NAME`, `NAME#DIGEST` or, if files are opened, `FILE`. With a digest the rules alone count, and the game has the name
    /// that is asked for.
    pub fn find(&self, asked: &str) -> Result<SheetGame, SheetError> {
        if let Some((name, digest)) = asked.rsplit_once('#')
            && digest.len() == 16
            && let Ok(identity) = u64::from_str_radix(digest, 16)
        {
            return self.find_rules(asked, name, identity);
        }
        let opened;
        let name = match is_file(asked) {
            false => asked,
            true if self.opens_files.load(Relaxed) => {
                opened = self.open(Path::new(asked))?;
                &opened
            }
            true => return Err(SheetError::Closed { file: asked.to_owned() }),
        };
        let mut open = self.lock();
        let at = match place(&open, name) {
            Some(at) => at,
            None => {
                let Some(sheet) = shipped(name) else {
                    let shipped = SHIPPED.iter().map(|sheet| sheet.name.to_owned());
                    let mut names: Vec<String> =
                        open.iter().map(|open| open.name.clone()).chain(shipped).collect();
                    names.sort_unstable();
                    names.dedup();
                    return Err(SheetError::Unknown { name: name.to_owned(), names: names.join(", ") });
                };
                open.push(Open { name: sheet.name().to_owned(), sheet, game: None });
                open.len() - 1
            }
        };
        self.game(&mut open, at)
    }

    /// The game with these rules, which is called `name`.
    fn find_rules(&self, asked: &str, name: &str, identity: u64) -> Result<SheetGame, SheetError> {
        if !name.chars().all(is_plain) || is_file(name) {
            return Err(SheetError::Elsewhere { asked: asked.to_owned() });
        }
        let mut open = self.lock();
        let with_rules = |open: &[Open]| open.iter().position(|open| open.sheet.identity() == identity);
        let at = with_rules(&open).or_else(|| {
            // The one of this name first: usually it is the one.
            let named = shipped(name).into_iter();
            let all = SHIPPED.iter().filter_map(|sheet| shipped(sheet.name));
            let sheet = named.chain(all).find(|sheet| sheet.identity() == identity)?;
            open.push(Open { name: sheet.name().to_owned(), sheet, game: None });
            Some(open.len() - 1)
        });
        let Some(at) = at else { return Err(SheetError::Elsewhere { asked: asked.to_owned() }) };
        let found = self.game(&mut open, at)?;
        // Whoever asks for the game by its name later gets the same rules.
        let here = match place(&open, name) {
            Some(other) => Some(open[other].sheet.identity()),
            None => shipped(name).map(|sheet| sheet.identity()),
        };
        let found = found.named(name);
        match here {
            Some(other) if other != identity => {
                return Err(SheetError::Taken { file: asked.to_owned(), name: name.to_owned() });
            }
            Some(_) => {}
            None => {
                let sheet = open[at].sheet.clone();
                open.push(Open { name: name.to_owned(), sheet, game: Some(found.clone()) });
            }
        }
        Ok(found)
    }

    /// The game of an open sheet, made at most once.
    fn game(&self, open: &mut [Open], at: usize) -> Result<SheetGame, SheetError> {
        let Open { name, sheet, game } = &mut open[at];
        if let Some(game) = game {
            return Ok(game.clone());
        }
        let made = SheetGame::new(sheet)?.named(name);
        if let (false, Some(tell)) = (made.is_grounded(), self.tell.get()) {
            tell(&format!(
                "the rules of `gdl:{name}` are too many for a network: the interpreter plays them, which is slow"
            ));
        }
        *game = Some(made.clone());
        Ok(made)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The open sheet of a name, written in any case.
fn place(open: &[Open], name: &str) -> Option<usize> {
    open.iter().position(|open| open.name.eq_ignore_ascii_case(name))
}

/// The sheet of this name that ships.
fn shipped(name: &str) -> Option<Sheet> {
    let shipped = SHIPPED.iter().find(|sheet| sheet.name.eq_ignore_ascii_case(name))?;
    Some(Sheet::read(shipped.name, shipped.text).expect("sheets that ship are right"))
}

/// Whether a file is meant and not a name.
fn is_file(asked: &str) -> bool {
    asked.contains(['/', '\\']) || [".gdl", ".kif"].iter().any(|ending| asked.ends_with(ending))
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.".contains(c)
}

/// The name of the game in a file: letters, digits, `-`, `_` and dots.
fn name_of(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let name: String = stem.chars().map(|c| if is_plain(c) { c } else { '-' }).collect();
    if name.is_empty() || is_file(&name) { "sheet".to_owned() } else { name }
}
