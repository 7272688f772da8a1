//! The rule sheets that ship with this crate.

/// A sheet that ships: its name and its text.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Shipped {
    /// The name of its file without the ending.
    pub name: &'static str,
    /// The text of the file.
    pub text: &'static str,
}

macro_rules! sheets {
    ($($name:literal)*) => {
        &[$(Shipped { name: $name, text: include_str!(concat!("../sheets/", $name, ".gdl")) }),*]
    };
}

/// All sheets that ship, by name.
pub const SHIPPED: &[Shipped] = sheets! {
    "amazons-4x4"
    "amazons-5x5"
    "breakthrough-4x4"
    "breakthrough-6x6"
    "breakthrough-8x8"
    "connect4-4x4"
    "connect4-5x4"
    "connect4-7x6"
    "connect4-8x6"
    "dots-and-boxes-2x2"
    "dots-and-boxes-3x3"
    "hex-5x5"
    "hex-7x7"
    "knightthrough-5x5"
    "knightthrough-8x8"
    "nim-3-4-5"
    "nine-boards"
    "othello-4x4"
    "othello-6x6"
    "pegs"
    "six-mens-morris"
    "tictactoe"
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_sheet_is_left_out() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sheets");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        files.sort_unstable();
        let shipped: Vec<String> = SHIPPED.iter().map(|sheet| format!("{}.gdl", sheet.name)).collect();
        assert_eq!(shipped, files);
    }
}
