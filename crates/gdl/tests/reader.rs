//! What the reader accepts and what it refuses, with the words for it.

use proofplay_gdl::Sheet;

const REST: &str = "(role x)(init p)(legal x a)(<= (next q) (true p))(<= terminal (true q))(goal x 100)";

fn refused(text: &str) -> String {
    Sheet::read("t", text).expect_err(text).to_string()
}

/// The first line of the refusal of `text` in front of a sound sheet.
fn refused_with(text: &str) -> String {
    refused(&format!("{text}\n{REST}")).lines().next().unwrap_or_default().to_owned()
}

#[test]
fn sound_sheets_are_read() {
    let sheet = Sheet::read("t", REST).expect("sound");
    assert_eq!(sheet.roles(), ["x"]);
    assert_eq!(sheet.rules().len(), 6);
    assert!(sheet.warnings().is_empty());
    // A role is a role though nothing says so.
    let sheet =
        Sheet::read("t", &REST.replace("(goal x 100)", "(<= (goal ?p 100) (true p))")).expect("sound");
    assert_eq!(sheet.rules()[5], "(<= (goal ?0 100) (role ?0) (true p))");
}

#[test]
fn alternatives_and_negations_are_resolved() {
    let rules = |body: &str| {
        let text = format!("{REST}(d 1)(d 2)(<= (goal x 0) (d ?a) (d ?b) {body})");
        let rules = Sheet::read("t", &text).expect(body).rules();
        let rest = |rule: &String| rule.strip_prefix("(<= (goal x 0) (d ?0) (d ?1)").map(str::to_owned);
        rules.iter().filter_map(rest).collect::<Vec<_>>()
    };
    assert_eq!(rules("(or (true p) (true q))"), [" (true p))", " (true q))"]);
    assert_eq!(rules("(not (or (true p) (not (true q))))"), [" (not (true p)) (true q))"]);
    assert_eq!(rules("(not (and (true p) (true q)))"), [" (not (true p)))", " (not (true q)))"]);
    assert_eq!(rules("(not (distinct ?a ?b))"), [" (not (distinct ?0 ?1)))"]);
    assert_eq!(rules("(not (not (distinct ?a ?b)))"), [" (distinct ?0 ?1))"]);
    assert_eq!(rules("(or)"), [""; 0]);
    assert_eq!(rules("(and)"), [")"]);
}

#[test]
fn mistakes_are_named() {
    for (text, expected) in [
        ("(a 1)(a 1 2)", "t:1:6: `a` has 2 arguments here; before 1 argument"),
        ("(a (f 1))(a (f 1 2))", "t:1:13: `f` has 2 arguments here; before 1 argument"),
        ("(legal x)", "t:1:1: `legal` has 1 arguments here; always 2 arguments"),
        ("(<= (goal x 0) (distinct 1))", "t:1:16: `distinct` has two arguments"),
        ("(<= (true p) (true q))", "t:1:5: `true` cannot be a head: no rule may define it"),
        ("(<= (does x a) (true q))", "t:1:5: `does` cannot be a head: no rule may define it"),
        ("(<= (or a b) (true q))", "t:1:5: `or` cannot be a head: no rule may define it"),
        ("(<= (role ?x) (true ?x))", "t:1:5: a role is a fact, not a rule"),
        ("(<= (goal x 0) (next p))", "t:1:16: `next` says what follows; it cannot be a condition"),
        ("(<= (goal x 0) (not))", "t:1:16: `not` has one argument"),
        ("(<= (goal x 0) (?a b))", "t:1:16: a variable has no arguments"),
        ("(<= (goal x 0) ?a)", "t:1:16: a variable cannot stand for a relation"),
        ("(<= (goal x 0) ((a) b))", "t:1:16: a relation begins with a word"),
        ("(<= (goal x 0) (<= a b))", "t:1:16: a rule inside a rule"),
        ("(<=)", "t:1:1: `<=` needs a head: (<= head condition …)"),
        ("<= a b", "t:1:1: a rule is a list: (<= head condition …)"),
        ("(a ?b)", "t:1:4: a fact has no variables, but this one has `?b`"),
        ("(<= (goal ?x ?y) (true p))", "t:1:5: unsafe: no condition without `not` says what `?y` is"),
        (
            "(<= (goal x 0) (not (true ?y)))",
            "t:1:21: unsafe: no condition without `not` and `distinct` says what `?y` is",
        ),
        (
            "(<= (goal x 0) (distinct ?y a))",
            "t:1:16: unsafe: no condition without `not` and `distinct` says what `?y` is",
        ),
        (
            "(<= (goal x 0) a)(<= a (not b))(<= b a)",
            "t:1:29: not stratified: `a` depends on the negation of `b`, which itself depends on `a`",
        ),
        (
            "(<= (goal x 0) (a 1))(<= (a (s ?n)) (a ?n))",
            "t:1:37: `a` depends on itself and could build ever larger terms: every argument of a recursive condition must be an argument of the head or of another condition",
        ),
        (
            "(<= (goal x 0) a)(<= a (does x b))",
            "t:1:16: `goal` may not depend on `does`: it is asked before anything is played",
        ),
        (
            "(<= (init r) a)(<= a (true p))",
            "t:1:14: `init` may not depend on `true` or `does`: there is no position yet",
        ),
    ] {
        assert_eq!(refused_with(text), expected, "{text}");
    }
    for (part, expected) in [
        ("(role x)", "t: no role: a sheet needs (role NAME)"),
        ("(legal x a)", "t: no rule for `legal`: nobody could ever move"),
        ("(<= terminal (true q))", "t: no rule for `terminal`: the game would never end"),
        ("(goal x 100)", "t: no rule for `goal`: the end would be worth nothing"),
    ] {
        assert_eq!(refused(&REST.replace(part, "")), expected);
    }
}

#[test]
fn sizes_are_bounded() {
    let alternatives = "(or (true p) (true q))".repeat(9);
    assert!(
        refused_with(&format!("(<= (goal x 0) {alternatives})"))
            .ends_with("more than 256 alternatives by `or`")
    );
    let conditions = "(true p)".repeat(257);
    assert!(
        refused_with(&format!("(<= (goal x 0) {conditions})"))
            .ends_with("more than 256 conditions in a rule")
    );
    let variables: Vec<String> = (0..65).map(|i| format!("(true ?{i})")).collect();
    assert!(
        refused_with(&format!("(<= (goal x 0) {})", variables.join(" ")))
            .ends_with("more than 64 variables in a rule")
    );
    assert!(refused_with(&format!("(a {})", "b ".repeat(33))).ends_with("more than 32 arguments"));
}

#[test]
fn odd_but_harmless_rules_are_warned_of() {
    let text = format!("{REST}(<= (goal x 0) squee)(<= (other ?a ?b) (distinct ?a ?b))");
    let sheet = Sheet::read("t", &text).expect("harmless");
    let warnings: Vec<_> = sheet.warnings().iter().map(|warning| warning.message()).collect();
    assert_eq!(
        warnings,
        [
            "unsafe: no condition without `not` says what `?a` is; the game does not need this rule",
            "no rule defines `squee`: it never holds",
        ]
    );
}

#[test]
fn the_digest_is_that_of_the_rules() {
    let digest = |text: &str| Sheet::read("t", text).expect(text).digest();
    let same = REST.to_uppercase().replace(")(", ")\n;; a comment\n(") + "(UNUSED 7)";
    assert_eq!(digest(REST), digest(&same));
    let rules = ["(<= (goal x 0) (true ?a) (true ?b))", "(<= (goal x 50) (true ?a))"];
    let other = "(<= (goal x 50) (true ?z))(<= (goal x 0) (true ?y) (true ?a))";
    assert_eq!(digest(&(REST.to_owned() + rules[0] + rules[1])), digest(&(REST.to_owned() + other)));
    assert_ne!(digest(REST), digest(&(REST.to_owned() + rules[0])));
    assert_ne!(digest(&(REST.to_owned() + rules[0])), digest(&(REST.to_owned() + rules[1])));
}
