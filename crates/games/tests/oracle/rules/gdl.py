"""Games from rule sheets (GDL), read and played without anything of the program.

Every rule becomes a Python function of nested loops. Relations are computed bottom up: what depends
on no position once, the rest for each position.
"""

import re


class Relation:
    """Rows in the order in which they were found, with an index for each set of known places."""

    def __init__(self):
        self.rows, self.list, self.indexes = set(), [], {}

    def add(self, row):
        if row in self.rows:
            return False
        self.rows.add(row)
        self.list.append(row)
        for places, index in self.indexes.items():
            index.setdefault(tuple(row[place] for place in places), []).append(row)
        return True

    def get(self, places, key):
        if not places:
            return self.list
        if places not in self.indexes:
            index = self.indexes[places] = {}
            for row in self.list:
                index.setdefault(tuple(row[place] for place in places), []).append(row)
        return self.indexes[places].get(key, [])


def nodes(text):
    """Words, and tuples of nodes."""
    stack = [[]]
    for token in re.findall(r"[()]|[^\s();]+", re.sub(r";[^\n]*", "", text)):
        if token == "(":
            stack.append([])
        elif token == ")":
            node = tuple(stack.pop())
            stack[-1].append(node)
        else:
            stack[-1].append(token.lower())
    (found,) = stack
    return found


def is_variable(term):
    return isinstance(term, str) and term.startswith("?")


def variables(term):
    if is_variable(term):
        return {term}
    return set().union(*map(variables, term)) if isinstance(term, tuple) else set()


def plain(term):
    """A list of one word is the word."""
    if isinstance(term, tuple):
        return term[0] if len(term) == 1 else tuple(map(plain, term))
    return term


def atom(node):
    """A relation and its arguments. What is true, next and initial is a relation for each kind of fact."""
    name, *arguments = node if isinstance(node, tuple) else (node,)
    arguments = tuple(map(plain, arguments))
    if name in ("true", "next", "init"):
        (fact,) = arguments
        if is_variable(fact):
            raise ValueError("a variable for a whole fact is not read here")
        name += " " + (fact[0] if isinstance(fact, tuple) else fact)
        arguments = fact[1:] if isinstance(fact, tuple) else ()
    return name + "/%d" % len(arguments), arguments


def alternatives(node, holds=True):
    """A condition as a list of conjunctions of (kind, relation, arguments)."""
    name = node[0] if isinstance(node, tuple) else node
    if name == "not":
        return alternatives(node[1], not holds)
    if name in ("and", "or"):
        parts = [alternatives(part, holds) for part in node[1:]]
        if (name == "or") == holds:
            return [conjunction for part in parts for conjunction in part]
        return together(parts)
    if name == "distinct":
        return [[("differ" if holds else "same", None, tuple(map(plain, node[1:])))]]
    return [[("is" if holds else "not", *atom(node))]]


def together(parts):
    found = [[]]
    for part in parts:
        found = [first + more for first in found for more in part]
    return found


class Rule:
    def __init__(self, head, body):
        self.relation, self.head = atom(head)
        self.body = body
        self.run = None

    def uses(self):
        return {relation for kind, relation, _ in self.body if relation}

    def compile(self):
        """Nested loops over the conditions that bind variables; the others are tests as soon as they can be."""
        lines, bound, left, depth = ["def run(relations, emit):"], {}, list(self.body), 1
        names = iter(range(1 << 20))

        def write(text):
            lines.append("    " * depth + text)

        def value(term):
            if is_variable(term):
                return bound[term]
            if isinstance(term, tuple):
                return "(%s,)" % ", ".join(map(value, term))
            return repr(term)

        def match(term, at):
            """Tests that what stands `at` is the term, and binds its variables."""
            if is_variable(term) and term not in bound:
                bound[term] = "v%d" % next(names)
                write("%s = %s" % (bound[term], at))
            elif isinstance(term, tuple) and not variables(term) <= set(bound):
                write("if not isinstance(%s, tuple) or len(%s) != %d: continue" % (at, at, len(term)))
                for place, part in enumerate(term):
                    match(part, "%s[%d]" % (at, place))
            else:
                write("if %s != %s: continue" % (at, value(term)))

        write("for _ in (0,):")
        depth += 1
        while left:
            known = lambda condition: set().union(set(), *map(variables, condition[2])) <= set(bound)
            for condition in [c for c in left if c[0] != "is" and known(c)]:
                kind, relation, arguments = condition
                left.remove(condition)
                if kind == "not":
                    write("if %s in relations[%r].rows: continue" % (value(arguments) if arguments else "()", relation))
                else:
                    sides = tuple(map(value, arguments))
                    write("if %s %s %s: continue" % (sides[0], "==" if kind == "differ" else "!=", sides[1]))
            choices = [c for c in left if c[0] == "is"]
            if not choices:
                if left:
                    raise ValueError("a variable that nothing binds")
                break
            free = lambda condition: sum(not variables(a) <= set(bound) for a in condition[2])
            condition = min(choices, key=free)
            left.remove(condition)
            _, relation, arguments = condition
            places = tuple(p for p, a in enumerate(arguments) if variables(a) <= set(bound))
            row = "r%d" % next(names)
            key = "(%s)" % "".join(value(arguments[p]) + ", " for p in places)
            write("for %s in relations[%r].get(%r, %s):" % (row, relation, places, key))
            depth += 1
            for place, argument in enumerate(arguments):
                if place not in places:
                    match(argument, "%s[%d]" % (row, place))
        write("emit((%s))" % "".join(value(a) + ", " for a in self.head))
        scope = {}
        exec("\n".join(lines), scope)
        self.run = scope["run"]


class Sheet:
    """The rules of a file."""

    def __init__(self, text):
        self.rules = []
        for node in nodes(text):
            if isinstance(node, tuple) and node[0] == "<=":
                for body in together([alternatives(part) for part in node[2:]]):
                    self.rules.append(Rule(node[1], body))
            else:
                self.rules.append(Rule(node, []))
        self.of = {}
        for rule in self.rules:
            rule.compile()
            self.of.setdefault(rule.relation, []).append(rule)
        self.names = set(self.of).union(*(rule.uses() for rule in self.rules))
        # What depends on the position, and on what is played there.
        self.changing = self.reached(lambda name: name.startswith("true "))
        self.played = self.reached(lambda name: name == "does/2")
        facts = {name: Relation() for name in self.names}
        starts = lambda *kinds: [name for name in self.of if name.split("/")[0].split(" ")[0] in kinds]
        self.constant = self.compute(facts, self.order(set(self.names) - self.changing - self.played))
        self.roles = [role for (role,) in self.constant["role/1"].list]
        self.first = self.order(self.below(starts("terminal", "legal")) & self.changing)
        self.goals = self.order(self.below(starts("goal")) & self.changing - set(sum(self.first, [])))
        after = self.below(starts("next")) - set(sum(self.first, []))
        self.then = self.order(after & (self.changing | self.played))
        self.waits = set()
        goals = {rule.head[1] for rule in self.of["goal/2"]}
        values = [int(goal) for goal in goals if not is_variable(goal)]
        is_open = len(values) < len(goals)
        self.simple = not is_open and set(values) <= {0, 50, 100}
        low, high = (0, 100) if is_open else (min(values), max(values))
        self.sum = 100 if self.simple else low + high
        points = lambda value: 2 * value - self.sum if len(self.roles) == 2 else value
        self.range = (-1, 1) if self.simple else (points(low), points(high))

    def reached(self, is_source):
        """Relations that depend on some of these."""
        found = {name for name in self.names if is_source(name)}
        while True:
            more = {r.relation for r in self.rules if r.uses() & found} - found
            if not more:
                return found
            found |= more

    def below(self, relations):
        """These relations and all that they depend on."""
        found, left = set(), list(relations)
        while left:
            name = left.pop()
            if name not in found:
                found.add(name)
                left += [used for rule in self.of.get(name, []) for used in rule.uses()]
        return found

    def order(self, relations):
        """Groups of relations, each after those it depends on."""
        below = {name: self.below([name]) & relations for name in relations}
        left, groups = sorted(relations, key=lambda name: (len(below[name]), name)), []
        while left:
            group = [name for name in left if name in below[left[0]] and left[0] in below[name]]
            groups.append(group)
            left = [name for name in left if name not in group]
        return groups

    def compute(self, relations, groups):
        """Adds everything that follows."""
        for group in groups:
            rules = [rule for name in group for rule in self.of.get(name, [])]
            recursive = any(rule.uses() & set(group) for rule in rules)
            for name in group:
                # What is true or played is given.
                if name in self.of:
                    relations[name] = Relation()
            while True:
                grown = [False]
                for rule in rules:
                    add = relations[rule.relation].add

                    def emit(row):
                        grown[0] |= add(row)

                    rule.run(relations, emit)
                if not (recursive and grown[0]):
                    break
        return relations

    def facts(self, relations, kind):
        found = set()
        for name in self.names:
            if name.startswith(kind + " "):
                word = name[len(kind) + 1 :].rsplit("/", 1)[0]
                found |= {(word, *row) for row in relations[name].list}
        return frozenset(found)

    def start(self):
        return Gdl(self, self.facts(self.constant, "init"))


def written(term):
    if isinstance(term, tuple):
        return term[0] + ("(%s)" % ",".join(map(written, term[1:])) if len(term) > 1 else "")
    return term


class Gdl:
    def __init__(self, sheet, facts):
        self.sheet, self.facts, self.range = sheet, facts, sheet.range
        self.relations = dict(sheet.constant)
        for name in sheet.names:
            if name.startswith("true "):
                self.relations[name] = Relation()
        for word, *row in facts:
            name = "true %s/%d" % (word, len(row))
            if name in self.relations:
                self.relations[name].add(tuple(row))
        sheet.compute(self.relations, sheet.first)
        self.over = bool(self.relations["terminal/0"].rows)
        self.turn, self.legal = 0, []
        if self.over:
            return
        self.legal = [[move for _, move in self.relations["legal/2"].get((0,), (role,))] for role in sheet.roles]
        busy = [role for role, moves in enumerate(self.legal) if len(moves) > 1]
        if not all(self.legal) or len(busy) > 1:
            raise ValueError("no game in turns: " + self.text())
        if busy:
            waiting = {(role, moves[0]) for role, moves in enumerate(self.legal) if role != busy[0]}
            sheet.waits |= waiting
        else:
            waits = lambda role: (role, self.legal[role][0]) in sheet.waits
            busy = [role for role in range(len(self.legal)) if not waits(role)]
        self.turn = busy[0] if len(busy) == 1 else 0

    def moves(self):
        return [] if self.over else [written(move) for move in self.legal[self.turn]]

    def play(self, text):
        relations = dict(self.relations)
        does = relations["does/2"] = Relation()
        for role, moves in enumerate(self.legal):
            (move,) = [m for m in moves if role != self.turn or written(m) == text]
            does.add((self.sheet.roles[role], move))
        self.sheet.compute(relations, self.sheet.then)
        return Gdl(self.sheet, self.sheet.facts(relations, "next"))

    def score(self):
        relations = self.sheet.compute(dict(self.relations), self.sheet.goals)
        values = []
        for role in self.sheet.roles:
            ((_, value),) = set(relations["goal/2"].get((0,), (role,)))
            values.append(int(value))
        if len(values) == 2 and sum(values) != self.sheet.sum:
            raise ValueError("goals have another sum: %s" % values)
        if self.sheet.simple:
            return values[0] // 50 - 1
        return values[0] - values[1] if len(values) == 2 else values[0]

    def text(self):
        return " ".join(sorted(map(written, self.facts)))

    def key(self):
        return self.facts
