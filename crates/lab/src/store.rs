//! One SQLite file that holds every finished trial.
//!
//! ```text
//! experiment   id | kind | plan (JSON) | version | signature | begun
//! trial        experiment, number | outcome (JSON) | seconds | finished
//! worker       id | process | beat: a process that is at work, and when it was last heard of
//! claim        experiment, number | worker: a trial that a worker is doing
//! record       name | lines: the lines of results/NAME.jsonl that were imported
//! ```
//!
//! An experiment is the same if its kind, its plan and the signature of the behaviour it rests on
//! are; so a program that plays differently begins a new one. A trial is written in one transaction
//! when it is finished and never changes. Claims only prevent two processes from doing the same
//! work: what a dead process has claimed is free again, and if two do the same trial, only the
//! first result is written.

use crate::LabError;
use crate::system::is_gone;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// The application id of our files: "prfp".
const APPLICATION: i32 = 0x7072_6670;
/// The version of the tables.
const FORMAT: i32 = 1;
/// A process without a sign of life for this many seconds counts as dead.
const DEAD_AFTER: i64 = 30;

const TABLES: &str = "
    CREATE TABLE experiment(
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        plan TEXT NOT NULL,
        version TEXT NOT NULL,
        signature TEXT NOT NULL,
        begun TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        UNIQUE(kind, plan, signature)
    ) STRICT;
    CREATE TABLE trial(
        experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        outcome TEXT NOT NULL,
        seconds REAL NOT NULL,
        finished TEXT NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%SZ', 'now')),
        PRIMARY KEY(experiment, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE worker(id INTEGER PRIMARY KEY, process INTEGER NOT NULL, beat INTEGER NOT NULL) STRICT;
    CREATE TABLE claim(
        experiment INTEGER NOT NULL REFERENCES experiment(id) ON DELETE CASCADE,
        number INTEGER NOT NULL,
        worker INTEGER NOT NULL REFERENCES worker(id) ON DELETE CASCADE,
        PRIMARY KEY(experiment, number)
    ) STRICT, WITHOUT ROWID;
    CREATE VIEW game AS
        SELECT experiment, number, plan ->> 'game' AS game, plan ->> 'a' AS a, plan ->> 'b' AS b,
            outcome ->> 'a_moves' AS a_moves, outcome ->> 'half_points' / 2.0 AS points,
            outcome ->> 'plies' AS plies, outcome ->> 'moves' AS moves, seconds, finished
        FROM trial JOIN experiment ON experiment.id = trial.experiment WHERE kind = 'match';
";

/// An open store.
#[derive(Debug)]
pub struct Store {
    path: String,
    connection: Mutex<Connection>,
}

/// An experiment of the store.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Experiment {
    /// Its number in this store.
    pub id: i64,
    /// What is done: `match`, `solve`.
    pub kind: String,
    /// The whole plan.
    pub plan: serde_json::Value,
    /// The version of the program that began it.
    pub version: String,
    /// The signature of the behaviour it rests on.
    pub signature: String,
    /// When it was begun, in universal time.
    pub begun: String,
    /// How many trials are finished.
    pub trials: u64,
    /// The time these took together.
    pub seconds: f64,
}

/// What a worker may do next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// This trial, which is now claimed.
    Trial(u32),
    /// Nothing yet: others are doing the rest.
    Wait,
    /// Nothing: all are finished.
    Done,
}

/// The error of SQLite that comes first.
fn read_only() -> rusqlite::Error {
    let error = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_READONLY);
    rusqlite::Error::SqliteFailure(error, None)
}

impl Store {
    /// Opens a store, and makes it if there is none. `:memory:` is not saved.
    pub fn open(path: &Path) -> Result<Store, LabError> {
        let name = path.display().to_string();
        let wrong = |error| LabError::Store { path: name.clone(), error };
        let mut connection = Connection::open(path).map_err(wrong)?;
        connection.busy_timeout(Duration::from_secs(60)).map_err(wrong)?;
        let number = |connection: &Connection, pragma: &str| {
            connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get::<_, i32>(0))
        };
        let empty = |connection: &Connection| {
            connection.query_row("SELECT count(*) = 0 FROM sqlite_schema", [], |row| row.get::<_, bool>(0))
        };
        if empty(&connection).map_err(wrong)? {
            connection.pragma_update(None, "journal_mode", "WAL").map_err(wrong)?;
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(wrong)?;
            // Another process may have been faster.
            if empty(&tx).map_err(wrong)? {
                tx.execute_batch(TABLES).map_err(wrong)?;
                tx.pragma_update(None, "application_id", APPLICATION).map_err(wrong)?;
                tx.pragma_update(None, "user_version", FORMAT).map_err(wrong)?;
            }
            tx.commit().map_err(wrong)?;
        }
        let foreign = |what: String| LabError::Foreign { path: name.clone(), what };
        if number(&connection, "application_id").map_err(wrong)? != APPLICATION {
            return Err(foreign("this is a database of another program".to_owned()));
        }
        let format = number(&connection, "user_version").map_err(wrong)?;
        if format != FORMAT {
            return Err(foreign(format!("its format is {format}, this program knows {FORMAT}")));
        }
        connection.pragma_update(None, "foreign_keys", true).map_err(wrong)?;
        connection.pragma_update(None, "synchronous", "NORMAL").map_err(wrong)?;
        Ok(Store { path: name, connection: Mutex::new(connection) })
    }

    /// Opens a store for work whose results go there: one that can only be read is refused.
    pub fn open_to_write(path: &Path) -> Result<Store, LabError> {
        let store = Store::open(path)?;
        match store.connection().is_readonly(rusqlite::MAIN_DB) {
            Ok(false) => {}
            Ok(true) => return Err(store.wrong(read_only())),
            Err(error) => return Err(store.wrong(error)),
        }
        Ok(store)
    }

    fn connection(&self) -> MutexGuard<'_, Connection> {
        self.connection.lock().expect("no thread panics while it uses the store")
    }

    fn wrong(&self, error: rusqlite::Error) -> LabError {
        LabError::Store { path: self.path.clone(), error }
    }

    /// The number of an experiment, which is begun if it is new.
    pub fn experiment(&self, kind: &str, plan: &serde_json::Value, signature: &str) -> Result<i64, LabError> {
        let plan = plan.to_string();
        let find = |connection: &Connection| -> rusqlite::Result<i64> {
            connection.execute(
                "INSERT OR IGNORE INTO experiment(kind, plan, version, signature) VALUES (?, ?, ?, ?)",
                params![kind, plan, env!("CARGO_PKG_VERSION"), signature],
            )?;
            connection.query_row(
                "SELECT id FROM experiment WHERE kind = ? AND plan = ? AND signature = ?",
                params![kind, plan, signature],
                |row| row.get(0),
            )
        };
        find(&self.connection()).map_err(|error| self.wrong(error))
    }

    /// All experiments, oldest first.
    pub fn experiments(&self) -> Result<Vec<Experiment>, LabError> {
        let connection = self.connection();
        let all = || -> rusqlite::Result<Vec<Experiment>> {
            let mut query = connection.prepare(
                "SELECT id, kind, plan, version, signature, begun, count(number), total(seconds)
                 FROM experiment LEFT JOIN trial ON trial.experiment = experiment.id
                 GROUP BY id ORDER BY id",
            )?;
            let rows = query.query_map([], |row| {
                Ok(Experiment {
                    id: row.get(0)?,
                    kind: row.get(1)?,
                    plan: serde_json::from_str(&row.get::<_, String>(2)?).unwrap_or_default(),
                    version: row.get(3)?,
                    signature: row.get(4)?,
                    begun: row.get(5)?,
                    trials: row.get::<_, i64>(6)? as u64,
                    seconds: row.get(7)?,
                })
            })?;
            rows.collect()
        };
        all().map_err(|error| self.wrong(error))
    }

    /// The finished trials of an experiment by number, and the seconds each took.
    pub fn trials<T: DeserializeOwned>(&self, experiment: i64) -> Result<Vec<(u32, T, f64)>, LabError> {
        let connection = self.connection();
        let all = || -> rusqlite::Result<Vec<(u32, String, f64)>> {
            let mut query = connection.prepare_cached(
                "SELECT number, outcome, seconds FROM trial WHERE experiment = ? ORDER BY number",
            )?;
            let rows = query.query_map([experiment], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            rows.collect()
        };
        let rows = all().map_err(|error| self.wrong(error))?;
        let read = |(number, text, seconds): (u32, String, f64)| {
            let outcome = serde_json::from_str(&text).map_err(|error| LabError::Foreign {
                path: self.path.clone(),
                what: format!("trial {number} of experiment {experiment} cannot be read: {error}"),
            })?;
            Ok((number, outcome, seconds))
        };
        rows.into_iter().map(read).collect()
    }

    /// A new worker, which must give a sign of life soon.
    pub(crate) fn worker(&self) -> Result<i64, LabError> {
        let connection = self.connection();
        connection
            .execute("INSERT INTO worker(process, beat) VALUES (?, unixepoch())", [std::process::id()])
            .map_err(|error| self.wrong(error))?;
        Ok(connection.last_insert_rowid())
    }

    /// A sign of life of the worker.
    pub(crate) fn beat(&self, worker: i64) -> Result<(), LabError> {
        let done = self.connection().execute("UPDATE worker SET beat = unixepoch() WHERE id = ?", [worker]);
        done.map(|_| ()).map_err(|error| self.wrong(error))
    }

    /// The worker ends; what it has claimed is free.
    pub(crate) fn dismiss(&self, worker: i64) {
        // Should this fail, the worker counts as dead after a while.
        let _ = self.connection().execute("DELETE FROM worker WHERE id = ?", [worker]);
    }

    /// Claims the first trial below `count` that is neither finished nor claimed.
    pub(crate) fn claim(&self, experiment: i64, count: u32, worker: i64) -> Result<Next, LabError> {
        let mut connection = self.connection();
        let mut next = || -> rusqlite::Result<Next> {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            // A worker that was only slow, and counted as dead meanwhile, is back.
            tx.execute(
                "INSERT INTO worker(id, process, beat) VALUES (?, ?, unixepoch())
                 ON CONFLICT(id) DO UPDATE SET beat = excluded.beat",
                params![worker, std::process::id()],
            )?;
            tx.execute(
                "DELETE FROM worker WHERE beat < unixepoch() - ? AND id != ?",
                params![DEAD_AFTER, worker],
            )?;
            let workers: Vec<(i64, i32)> = tx
                .prepare_cached("SELECT id, process FROM worker")?
                .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
                .collect::<rusqlite::Result<_>>()?;
            for (id, _) in workers.into_iter().filter(|(_, process)| is_gone(*process)) {
                tx.execute("DELETE FROM worker WHERE id = ?", [id])?;
            }
            let taken = |table: &str| -> rusqlite::Result<Vec<u32>> {
                let sql =
                    format!("SELECT number FROM {table} WHERE experiment = ? AND number < ? ORDER BY 1");
                let mut query = tx.prepare_cached(&sql)?;
                query.query_map(params![experiment, count], |row| row.get(0))?.collect()
            };
            let (finished, claimed) = (taken("trial")?, taken("claim")?);
            let is_free = |number: &u32| {
                finished.binary_search(number).is_err() && claimed.binary_search(number).is_err()
            };
            let next = match (0..count).find(is_free) {
                Some(number) => {
                    tx.prepare_cached("INSERT INTO claim VALUES (?, ?, ?)")?
                        .execute(params![experiment, number, worker])?;
                    Next::Trial(number)
                }
                None if finished.len() as u32 == count => Next::Done,
                None => Next::Wait,
            };
            tx.commit()?;
            Ok(next)
        };
        next().map_err(|error| self.wrong(error))
    }

    /// Stores a finished trial; a second one of the same number is not stored.
    pub(crate) fn finish(
        &self,
        experiment: i64,
        number: u32,
        outcome: &impl Serialize,
        time: Duration,
    ) -> Result<(), LabError> {
        let outcome = serde_json::to_string(outcome).expect("outcomes are plain data");
        let mut connection = self.connection();
        let mut keep = || -> rusqlite::Result<()> {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            tx.prepare_cached(
                "INSERT OR IGNORE INTO trial(experiment, number, outcome, seconds) VALUES (?, ?, ?, ?)",
            )?
            .execute(params![experiment, number, outcome, time.as_secs_f64()])?;
            tx.prepare_cached("DELETE FROM claim WHERE experiment = ? AND number = ?")?
                .execute(params![experiment, number])?;
            tx.commit()
        };
        keep().map_err(|error| self.wrong(error))
    }

    /// The records of a table, if some were put here.
    pub(crate) fn records(&self, table: &str) -> Result<Option<String>, LabError> {
        let connection = self.connection();
        // Stores of older programs have no such table.
        let read = || -> rusqlite::Result<Option<String>> {
            match connection.table_exists(None, "record")? {
                false => Ok(None),
                true => connection
                    .query_row("SELECT lines FROM record WHERE name = ?", [table], |row| row.get(0))
                    .optional(),
            }
        };
        read().map_err(|error| self.wrong(error))
    }

    /// Puts records of a table here, instead of those that were.
    pub(crate) fn set_records(&self, table: &str, lines: &str) -> Result<(), LabError> {
        let mut connection = self.connection();
        let mut write = || -> rusqlite::Result<()> {
            let tx = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            tx.execute_batch(
                "CREATE TABLE IF NOT EXISTS record(name TEXT PRIMARY KEY, lines TEXT NOT NULL) STRICT",
            )?;
            tx.execute("INSERT OR REPLACE INTO record VALUES (?, ?)", params![table, lines])?;
            tx.commit()
        };
        write().map_err(|error| self.wrong(error))
    }

    /// The plan of an experiment.
    pub fn plan(&self, experiment: i64) -> Result<Option<(String, serde_json::Value)>, LabError> {
        let found = self
            .connection()
            .query_row("SELECT kind, plan FROM experiment WHERE id = ?", [experiment], |row| {
                Ok((row.get(0)?, row.get::<_, String>(1)?))
            })
            .optional()
            .map_err(|error| self.wrong(error))?;
        Ok(found.map(|(kind, plan)| (kind, serde_json::from_str(&plan).unwrap_or_default())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory() -> Store {
        Store::open(Path::new(":memory:")).unwrap()
    }

    #[test]
    fn experiments_are_told_apart_by_plan_and_signature() {
        let store = memory();
        let plan = serde_json::json!({"game": "nim", "a": "mcts"});
        let id = store.experiment("match", &plan, "1").unwrap();
        assert_eq!(store.experiment("match", &plan, "1").unwrap(), id);
        let others = [
            store.experiment("solve", &plan, "1").unwrap(),
            store.experiment("match", &plan, "2").unwrap(),
            store.experiment("match", &serde_json::json!({"game": "go"}), "1").unwrap(),
        ];
        assert!(!others.contains(&id));
        store.finish(id, 3, &7, Duration::from_millis(1500)).unwrap();
        let all = store.experiments().unwrap();
        assert_eq!((all.len(), all[0].trials, all[0].seconds, &all[0].plan), (4, 1, 1.5, &plan));
        assert_eq!((all[1].trials, all[1].seconds), (0, 0.0));
        assert_eq!(store.plan(id).unwrap(), Some(("match".to_owned(), plan)));
        assert_eq!(store.plan(99).unwrap(), None);
    }

    #[test]
    fn nobody_does_a_trial_twice() {
        let store = memory();
        let id = store.experiment("match", &serde_json::json!({}), "").unwrap();
        let (one, two) = (store.worker().unwrap(), store.worker().unwrap());
        let done = |number| store.finish(id, number, &number, Duration::ZERO).unwrap();
        assert_eq!(store.claim(id, 3, one).unwrap(), Next::Trial(0));
        assert_eq!(store.claim(id, 3, two).unwrap(), Next::Trial(1));
        done(0);
        assert_eq!(store.claim(id, 3, one).unwrap(), Next::Trial(2));
        assert_eq!(store.claim(id, 3, two).unwrap(), Next::Wait);
        // A worker that goes leaves its trials to others, and so does one that has died.
        store.dismiss(one);
        assert_eq!(store.claim(id, 3, two).unwrap(), Next::Trial(2));
        let three = store.worker().unwrap();
        store.connection().execute("UPDATE worker SET beat = beat - 31 WHERE id = ?", [two]).unwrap();
        assert_eq!(store.claim(id, 3, three).unwrap(), Next::Trial(1));
        done(1);
        done(2);
        // The dead one was only slow: its trial is there already.
        store.finish(id, 1, &100, Duration::ZERO).unwrap();
        assert_eq!(store.claim(id, 3, three).unwrap(), Next::Done);
        let trials: Vec<(u32, u32, f64)> = store.trials(id).unwrap();
        assert_eq!(trials, [(0, 0, 0.0), (1, 1, 0.0), (2, 2, 0.0)]);
        assert_eq!(store.claim(id, 4, three).unwrap(), Next::Trial(3));
        assert_eq!(store.claim(id, 5, two).unwrap(), Next::Trial(4), "it may go on");
    }

    #[test]
    fn other_files_are_refused() {
        let folder = std::env::temp_dir().join(format!("proofplay-store-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let refused = |name: &str| Store::open(&folder.join(name)).unwrap_err().to_string();
        std::fs::write(folder.join("text"), "no database at all, but long enough to be looked at").unwrap();
        assert!(refused("text").contains("not a database"), "{}", refused("text"));
        Connection::open(folder.join("other")).unwrap().execute("CREATE TABLE t(x)", []).unwrap();
        assert!(refused("other").contains("another program"));
        drop(Store::open(&folder.join("ours")).unwrap());
        assert!(Store::open(&folder.join("ours")).is_ok());
        let ours = Connection::open(folder.join("ours")).unwrap();
        ours.pragma_update(None, "user_version", 9).unwrap();
        assert!(refused("ours").contains("its format is 9, this program knows 1"));
        assert!(refused("no/such").contains("no/such"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
