% An independent reading of rule sheets: every rule becomes a Prolog clause, and random games are played.
%
%     swipl oracle.pl FILE GAMES STEPS SEED
%
% prints, for every position, what is true, what is legal for each role, whether it is terminal, what the goals
% are at an end, and what is played. A line is a word and its terms, separated by tabs.
%
% Relations that have rules are tabled, so recursion ends. Negations come behind all other conditions.

:- initialization(main, main).
:- dynamic 'r:true'/1, 'r:does'/2, head/2.
:- discontiguous 'r:true'/1.

main :-
    current_prolog_flag(argv, [File | Numbers]),
    maplist(atom_number, Numbers, [Games, Steps, Seed]),
    set_prolog_flag(stack_limit, 4 000 000 000),
    set_random(seed(Seed)),
    read_file_to_codes(File, Codes, [encoding(utf8)]),
    tokens(Codes, Tokens),
    phrase(nodes(Nodes), Tokens),
    forall(member(Node, Nodes), declare(Node)),
    forall(member(Node, Nodes), add(Node)),
    roles(Roles),
    forall(between(1, Games, _), game(Roles, Steps)).

% --- text to nested lists of words

tokens([], []).
tokens([0'; | Rest], Tokens) :- !, comment(Rest, Tokens).
tokens([0'( | Rest], [open | Tokens]) :- !, tokens(Rest, Tokens).
tokens([0') | Rest], [close | Tokens]) :- !, tokens(Rest, Tokens).
tokens([Code | Rest], Tokens) :- code_type(Code, space), !, tokens(Rest, Tokens).
tokens(Codes, [word(Word) | Tokens]) :-
    word(Codes, Letters, Rest),
    atom_codes(Mixed, Letters),
    downcase_atom(Mixed, Word),
    tokens(Rest, Tokens).

comment([], []).
comment([0'\n | Rest], Tokens) :- !, tokens(Rest, Tokens).
comment([_ | Rest], Tokens) :- comment(Rest, Tokens).

word([Code | Rest], [Code | Letters], End) :-
    \+ memberchk(Code, `();`), \+ code_type(Code, space), !,
    word(Rest, Letters, End).
word(Rest, [], Rest).

nodes([Node | Nodes]) --> node(Node), !, nodes(Nodes).
nodes([]) --> [].
node(Word) --> [word(Word)].
node(list(Nodes)) --> [open], nodes(Nodes), [close].

% --- nested lists to clauses

% Each relation exists; those with rules are tabled.
declare(list(['<=', Head | _])) :- !, relation(Head, Name/Arity), functor_of(Name, Functor),
    ( head(Functor, Arity) -> true
    ; assertz(head(Functor, Arity)), table_relation(Functor, Arity) ).
declare(_).

table_relation(Functor, Arity) :- functor(Pattern, Functor, Arity), dynamic(Functor/Arity), table(Pattern).

relation(list([Name | Args]), Name/Arity) :- !, length(Args, Arity).
relation(Name, Name/0).
functor_of(Name, Functor) :- atom_concat('r:', Name, Functor).

add(list(['<=', Head | Body])) :- !,
    atom_term(Head, H, [], Vars),
    conditions(Body, Vars, Goals),
    assertz((H :- Goals)).
add(Node) :- atom_term(Node, H, [], _), assertz(H).

atom_term(list([Name | Args]), Term, Vars0, Vars) :- !,
    functor_of(Name, Functor), terms(Args, Terms, Vars0, Vars), Term =.. [Functor | Terms].
atom_term(Name, Functor, Vars, Vars) :- functor_of(Name, Functor).

terms([], [], Vars, Vars).
terms([Node | Nodes], [Term | Terms], Vars0, Vars) :- term(Node, Term, Vars0, Vars1), terms(Nodes, Terms, Vars1, Vars).

term(list([Name]), Name, Vars, Vars) :- !.
term(list([Name | Args]), Term, Vars0, Vars) :- !, terms(Args, Terms, Vars0, Vars), Term =.. [Name | Terms].
term(Name, Var, Vars, Vars) :- memberchk(Name-Var, Vars), !.
term(Name, Var, Vars, [Name-Var | Vars]) :- sub_atom(Name, 0, 1, _, ?), !.
term(Name, Name, Vars, Vars).

conditions(Body, Vars, Goals) :-
    goals(Body, Vars, _, All),
    partition(test, All, Last, First),
    append(First, Last, Ordered),
    foldl([G, A, (A, G)]>>true, Ordered, true, Goals).

test(\+ _).
test(_ \== _).
test((A ; B)) :- ( test(A) ; test(B) ; A = (_, _) ; B = (_, _) ), !.
test((_, _)).
test(fail).

goals([], Vars, Vars, []).
goals([Node | Nodes], Vars0, Vars, [Goal | Goals]) :- goal(Node, Vars0, Vars1, Goal), goals(Nodes, Vars1, Vars, Goals).

goal(list([not, Node]), Vars0, Vars, \+ Goal) :- !, goal(Node, Vars0, Vars, Goal).
goal(list([or | Nodes]), Vars0, Vars, Goal) :- !,
    goals(Nodes, Vars0, Vars, Goals), foldl([G, A, (A ; G)]>>true, Goals, fail, Goal).
goal(list([and | Nodes]), Vars0, Vars, Goal) :- !,
    goals(Nodes, Vars0, Vars, Goals), foldl([G, A, (A, G)]>>true, Goals, true, Goal).
goal(list([distinct, A, B]), Vars0, Vars, S \== T) :- !, terms([A, B], [S, T], Vars0, Vars).
goal(Node, Vars0, Vars, call_known(Goal)) :- atom_term(Node, Goal, Vars0, Vars).

% A relation that nothing defines never holds.
call_known(Goal) :- catch(Goal, error(existence_error(procedure, _), _), fail).

% --- play

roles(Roles) :- findall(R, call_known('r:role'(R)), Roles).

set_state(Facts) :-
    retractall('r:true'(_)), retractall('r:does'(_, _)),
    forall(member(F, Facts), assertz('r:true'(F))),
    abolish_all_tables.

game(Roles, Steps) :-
    line(game, []),
    set_state([]),
    setof_or_none(F, call_known('r:init'(F)), Start),
    play(Roles, Start, Steps).

setof_or_none(Template, Goal, Set) :- findall(Template, Goal, List), sort(List, Set).

play(Roles, State, Steps) :-
    set_state(State),
    line(state, State),
    ( call_known('r:terminal') -> line(terminal, [yes]), forall(member(R, Roles), goal_line(R))
    ; line(terminal, [no]),
      maplist(legal, Roles, Lists),
      ( Steps > 0, \+ memberchk([], Lists) ->
          maplist(random_member, Joint, Lists),
          line(play, Joint),
          maplist([R, M]>>assertz('r:does'(R, M)), Roles, Joint),
          abolish_all_tables,
          setof_or_none(F, call_known('r:next'(F)), Next),
          Left is Steps - 1,
          play(Roles, Next, Left)
      ; true ) ).

legal(Role, Moves) :- setof_or_none(M, call_known('r:legal'(Role, M)), Moves), line(legal, [Role | Moves]).
goal_line(Role) :- setof_or_none(V, call_known('r:goal'(Role, V)), Values), line(goal, [Role | Values]).

line(Word, Terms) :-
    write(Word), forall(member(T, Terms), (put_char('\t'), kif(T))), nl.

kif(Term) :- compound(Term), !, Term =.. Parts, put_char('('), kif_list(Parts), put_char(')').
kif(Term) :- write(Term).
kif_list([Part]) :- !, kif(Part).
kif_list([Part | Parts]) :- kif(Part), put_char(' '), kif_list(Parts).
