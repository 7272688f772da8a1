//! What is read is what was written.

use proofplay::{Bounds, Limits, NodeView, Player, Report, Resources, Score, SearchSpec};
use serde_json::{from_str, json, to_string, to_value};
use std::fmt::Debug;

fn back<T: serde::Serialize + serde::de::DeserializeOwned + PartialEq + Debug>(value: &T) {
    let text = to_string(value).unwrap();
    assert_eq!(from_str::<T>(&text).unwrap(), *value, "{text}");
}

#[test]
fn reads_back() {
    back(&Player::Second);
    back(&Bounds::new(Score(-3), Score::WIN));
    back(&Resources::default());
    let mut report: Report<u8> = Report::new(Bounds::WDL);
    report.best = Some(4);
    report.pv = vec![4, 2];
    back(&report);
    back(&NodeView::new("a1".to_owned(), Bounds::exact(Score::DRAW)));
}

#[test]
fn what_it_looks_like() {
    assert_eq!(to_value(Bounds::WDL).unwrap(), json!({"pess": -1, "opti": 1}));
    let spec: SearchSpec = "mcts:c=0.5".parse().unwrap();
    assert_eq!(to_value(&spec).unwrap(), json!(spec.to_string()));
    back(&spec);
    let error = from_str::<SearchSpec>("\"mcst\"").unwrap_err().to_string();
    assert!(error.contains("no such search"), "{error}");
    // A clock is code, not data.
    let limits = Limits { nodes: Some(5), clock: Some(std::time::Duration::default), ..Limits::default() };
    let read: Limits = from_str(&to_string(&limits).unwrap()).unwrap();
    assert_eq!((read.nodes, read.clock.is_none()), (Some(5), true));
}
