"""The boards, positions and lines that the data files hold."""

# Start positions whose perft is listed for every small depth.
PERFT = {
    "tictactoe": ["tictactoe"],
    "mnk": """mnk:1x1k1 mnk:1x1k2 mnk:2x2k1 mnk:2x2k2 mnk:2x2k3 mnk:1x5k3 mnk:5x1k3 mnk:2x3k2
        mnk:3x3k3 mnk:3x3k4 mnk:4x3k3 mnk:3x4k3 mnk:4x4k3 mnk:4x4k4 mnk:5x2k3 mnk:2x5k5
        mnk:6x5k4 mnk:7x7k5 mnk:8x8k5 mnk:9x9k5 mnk:10x10k5 mnk:11x11k5 mnk:12x10k6 mnk:30x2k4""".split(),
    "connect4": """connect4 connect4:7x6 connect4:1x1 connect4:1x6 connect4:1x6k2 connect4:6x1 connect4:5x1k2
        connect4:2x2k2 connect4:2x3k3 connect4:3x3k3 connect4:3x3 connect4:4x4 connect4:4x4k3
        connect4:5x4 connect4:4x5k3 connect4:5x5k5 connect4:6x6k7 connect4:7x6k3 connect4:6x7k5
        connect4:8x7 connect4:8x8 connect4:9x7 connect4:7x9k5 connect4:12x10 connect4:28x2k3""".split(),
    "domineering": """domineering:1x1 domineering:1x4 domineering:4x1 domineering:1x7 domineering:2x2
        domineering:3x2 domineering:2x3 domineering:3x3 domineering:4x3 domineering:4x4 domineering:5x5
        domineering:6x4 domineering:4x6 domineering:8x8 domineering:9x7 domineering:10x10
        domineering:11x11 domineering:12x10 domineering:30x2 domineering:1x1,first=H
        domineering:1x4,first=H domineering:4x1,first=H domineering:3x2,first=H domineering:2x3,first=H
        domineering:4x4,first=H domineering:5x4,first=H domineering:8x8,first=H domineering:10x10,first=H
        domineering:12x10,first=H""".split(),
    "nogo": """nogo:1x1 nogo:1x2 nogo:2x1 nogo:1x3 nogo:3x1 nogo:1x8 nogo:8x1 nogo:2x2 nogo:3x2 nogo:2x3
        nogo:3x3 nogo:4x3 nogo:3x4 nogo:4x4 nogo:5x4 nogo:5x5 nogo:6x6 nogo:7x7 nogo:8x8 nogo:9x9
        nogo:10x10 nogo:11x11 nogo:12x10 nogo:28x2""".split(),
    "y": ["y:%d" % n for n in range(1, 16)],
    "seki": """seki:1,1 seki:1,1,0 seki:1,1,1 seki:2,1 seki:1,2 seki:2,2 seki:2,2,0 seki:2,2,1 seki:2,1,3
        seki:3,2 seki:2,3,1 seki:3,3 seki:3,4 seki:4,3,0 seki:1,4,4 seki:3,3,3 seki:6,6 seki:6,1
        seki:1,6,0 seki:5,6,4 seki:10,11 seki:12,3,1""".split(),
    "amazons": """amazons amazons:10x10 amazons:4x4 amazons:5x4 amazons:4x5 amazons:5x5 amazons:6x5 amazons:6x6
        amazons:7x7 amazons:8x8 amazons:9x9 amazons:8x10 amazons:11x11 amazons:16x8 amazons:32x4
        amazons:4x32""".split(),
    "breakthrough": """breakthrough breakthrough:8x8 breakthrough:2x2,rows=1 breakthrough:2x3,rows=1
        breakthrough:3x3,rows=1 breakthrough:4x4 breakthrough:4x4,rows=1 breakthrough:5x4
        breakthrough:5x4,rows=1 breakthrough:5x5 breakthrough:5x5,rows=1 breakthrough:6x5 breakthrough:6x6
        breakthrough:7x7 breakthrough:8x8,rows=1 breakthrough:8x8,rows=3 breakthrough:9x8
        breakthrough:10x10 breakthrough:10x10,rows=5 breakthrough:16x8 breakthrough:2x64
        breakthrough:64x2,rows=1""".split(),
    "pentalath": """pentalath pentalath:2 pentalath:2,k=1 pentalath:2,k=2 pentalath:2,k=3 pentalath:3
        pentalath:3,k=2 pentalath:3,k=3 pentalath:3,k=4 pentalath:4 pentalath:4,k=3 pentalath:5
        pentalath:5,k=6 pentalath:6 pentalath:2,k=3,swap=yes pentalath:3,swap=yes pentalath:5,swap=yes
        pentalath:6,k=4,swap=yes""".split(),
    "go": """go go:1x1 go:1x2 go:2x1 go:1x3 go:1x4,suicide=yes go:2x2 go:2x2,suicide=yes go:3x2 go:2x3,suicide=yes
        go:3x3 go:3x3,suicide=yes go:4x3 go:4x4 go:5x5,komi=7.5 go:6x7 go:9x9 go:11x11 go:12x11 go:13x13 go:19x19
        go:seki=1,1 go:seki=2,3 go:seki=5,4""".split(),
    "loa": """loa loa:3x3 loa:4x4 loa:5x5 loa:6x6 loa:7x7 loa:8x8 loa:9x9 loa:10x10 loa:11x11""".split(),
    "checkers": """checkers checkers:4x4 checkers:5x5 checkers:6x6 checkers:7x7 checkers:8x8 checkers:9x9
        checkers:10x10 checkers:5x5,rows=2 checkers:7x7,rows=3 checkers:10x10,rows=4 checkers:8x8,rows=1
        checkers:8x8,rows=2,draw=none checkers:4x4,draw=none""".split(),
    "cannon": "cannon cannon:corners=yes cannon:overshoot=yes cannon:mate=yes cannon:corners=yes,overshoot=yes,mate=yes".split(),
    "chinese-checkers": ["chinese-checkers"] + ["chinese-checkers:%d" % n for n in range(1, 5)],
}

# Start positions whose exact value is listed.
VALUES = {
    "tictactoe": ["tictactoe"],
    "mnk": """mnk:1x1k1 mnk:1x1k2 mnk:2x2k1 mnk:2x2k2 mnk:2x2k3 mnk:1x3k2 mnk:3x1k2 mnk:1x4k2 mnk:4x1k2
        mnk:1x8k3 mnk:8x1k3 mnk:3x2k2 mnk:2x3k3 mnk:3x3k2 mnk:3x3k3 mnk:3x3k4 mnk:5x2k3 mnk:2x5k3
        mnk:4x3k3 mnk:3x4k3 mnk:4x3k4 mnk:3x4k4 mnk:4x4k4""".split(),
    "connect4": """connect4:1x1 connect4:1x4 connect4:4x1 connect4:1x6k2 connect4:6x1k2 connect4:2x2k2
        connect4:2x3k2 connect4:3x3k3 connect4:3x4k3 connect4:4x3k3 connect4:4x4k3 connect4:5x3k3
        connect4:5x4k3 connect4:3x3 connect4:2x6 connect4:6x2 connect4:4x2 connect4:2x4 connect4:4x3
        connect4:3x4 connect4:4x4 connect4:5x3 connect4:3x5 connect4:5x4 connect4:4x5
        connect4:4x4k5""".split(),
    "domineering": ["domineering:%dx%d" % (c, r) for c in range(1, 6) for r in range(1, 6)]
        + """domineering:4x6 domineering:6x4 domineering:1x9 domineering:9x1 domineering:2x9
        domineering:9x2 domineering:3x6 domineering:6x3""".split()
        + ["domineering:%dx%d,first=H" % (c, r) for c in range(1, 5) for r in range(1, 5)]
        + """domineering:5x5,first=H domineering:4x6,first=H domineering:6x4,first=H
        domineering:1x9,first=H domineering:9x1,first=H""".split(),
    "nogo": ["nogo:1x%d" % n for n in range(1, 12)] + ["nogo:%dx1" % n for n in range(2, 12)]
        + """nogo:2x2 nogo:3x2 nogo:2x3 nogo:4x2 nogo:2x4 nogo:5x2 nogo:2x5 nogo:3x3 nogo:4x3
        nogo:3x4""".split(),
    "y": ["y:1", "y:2", "y:3", "y:4"],
    "seki": ["seki:%d,%d" % (a, b) for b in range(1, 7) for a in range(1, 7)]
        + ["seki:%d,%d,%d" % (a, b, s) for s in (0, 1, 3) for b in range(1, 4) for a in range(1, 4)]
        + "seki:2,4,1 seki:4,2,1 seki:1,4,3 seki:4,1,3 seki:2,2,4".split(),
    "amazons": ["amazons:4x4"],
    "breakthrough": """breakthrough:2x2,rows=1 breakthrough:2x3,rows=1 breakthrough:2x4,rows=1
        breakthrough:2x5,rows=1 breakthrough:2x4 breakthrough:2x5 breakthrough:2x6 breakthrough:2x7
        breakthrough:2x6,rows=3 breakthrough:3x2,rows=1 breakthrough:3x3,rows=1 breakthrough:3x4,rows=1
        breakthrough:3x5,rows=1 breakthrough:3x4 breakthrough:3x5 breakthrough:4x2,rows=1
        breakthrough:4x3,rows=1 breakthrough:4x4,rows=1 breakthrough:4x5,rows=1 breakthrough:4x4
        breakthrough:5x2,rows=1 breakthrough:5x3,rows=1 breakthrough:5x4,rows=1 breakthrough:5x4""".split(),
    "pentalath": """pentalath:2,k=1 pentalath:2,k=2 pentalath:3,k=2 pentalath:2,k=1,swap=yes
        pentalath:2,k=2,swap=yes""".split(),
    "go": """go:1x1 go:1x2 go:2x1 go:1x3 go:3x1,suicide=yes go:1x3,komi=2.5 go:1x3,komi=3 go:1x4
        go:seki=1,1 go:seki=1,2 go:seki=2,1""".split(),
}

# Games whose positions can repeat: all that can follow from here is solved, some of it is listed.
ENDINGS = {
    "loa": ["loa:3x3|", "loa:4x4|position b..b/..../.w../...w b", "loa:4x4|position b..b/...w/w.../..b. w",
            "loa:5x5|position b...b/...../...../.w.../...w. b"],
    "checkers": ["checkers:4x4|", "checkers:4x4,draw=none|",
                 "checkers:5x5|position ..W../...../..B../...../W.... w",
                 "checkers:5x5,draw=none|position ..b../.b.../...../...w./..w.. w",
                 "checkers:6x6,draw=none|position ...W../....../....../....B./.W..../...... b",
                 "checkers:6x6,draw=none|position ....../..B.../....../....W./....../w..... w",
                 "checkers:7x7,draw=none|position ..W..../......./......./...B.../......./...W.../....... w"],
    "cannon": ["cannon|position ....W...../........../...b....../....b...../........../........../.....w..../..w......./........../...B...... b",
               "cannon|position ...W....../........../...b....../...b....../...b....../........../........../........../..w......./..B....... w",
               "cannon:mate=yes|position ....W...../........../....b...../...b....../........../........../.....w..../........../........../...B...... b",
               "cannon:corners=yes|position W........./........../.b......../........../........../........../........w./.......w../........../.........B w"],
    "chinese-checkers": ["chinese-checkers:1|",
                         "chinese-checkers:2|position 2/2./......./..1.../...../....../....2../.1/1 1",
                         "chinese-checkers:2|position 2/../......2/..1.../...../....../......./11/2 1"],
}

# Boards for random lines into the middle of the game.
MIDDLE = {
    "tictactoe": ["tictactoe"],
    "mnk": """mnk:3x3k3 mnk:4x3k3 mnk:3x4k3 mnk:4x4k4 mnk:5x3k4 mnk:5x5k4 mnk:1x9k3 mnk:6x6k5 mnk:7x7k6
        mnk:6x4k7 mnk:9x9k5 mnk:10x10k5 mnk:27x2k3""".split(),
    "connect4": """connect4 connect4:4x4 connect4:5x4 connect4:5x5k3 connect4:6x6k5 connect4:7x6k5
        connect4:8x7 connect4:8x8k5 connect4:9x7k6 connect4:12x3 connect4:1x9k3 connect4:11x2k3""".split(),
    "domineering": """domineering:4x4 domineering:5x5 domineering:6x4,first=H domineering:4x6 domineering:6x6
        domineering:7x5,first=H domineering:8x8 domineering:8x8,first=H domineering:1x12 domineering:12x1,first=H
        domineering:9x10 domineering:28x3""".split(),
    "nogo": """nogo:3x3 nogo:4x3 nogo:3x4 nogo:4x4 nogo:5x5 nogo:6x5 nogo:7x7 nogo:9x9 nogo:1x12 nogo:12x1
        nogo:11x11 nogo:28x2""".split(),
    "y": "y:2 y:3 y:4 y:5 y:6 y:7 y:8 y:9 y:11 y:13 y:15".split(),
    "seki": """seki:1,1 seki:2,2 seki:3,4 seki:4,3,1 seki:3,3,0 seki:2,3,3 seki:2,2,4 seki:6,6 seki:5,4,3
        seki:1,5,2 seki:10,9,2""".split(),
    "amazons": """amazons:4x4 amazons:5x4 amazons:4x5 amazons:5x5 amazons:6x5 amazons:6x6 amazons:8x8
        amazons:10x10 amazons:7x9 amazons:12x10 amazons:4x20""".split(),
    "breakthrough": """breakthrough:4x4 breakthrough:5x4,rows=1 breakthrough:4x5 breakthrough:5x5
        breakthrough:5x6,rows=1 breakthrough:6x6 breakthrough:7x7,rows=3 breakthrough:8x8 breakthrough:10x10
        breakthrough:9x12 breakthrough:2x20 breakthrough:28x4""".split(),
    "pentalath": """pentalath:2 pentalath:2,k=3 pentalath:3 pentalath:3,k=4 pentalath:3,k=3,swap=yes pentalath:4
        pentalath:5 pentalath:5,swap=yes pentalath:6 pentalath:6,k=7 pentalath:4,k=6""".split(),
    "go": """go:2x2 go:3x2 go:3x3 go:4x3,suicide=yes go:4x4 go:5x5,komi=0.5 go:7x6 go:1x7 go:9x9 go:seki=2,3
        go:3x3,komi=-1.5,suicide=yes""".split(),
    "loa": "loa:4x4 loa:5x5 loa:6x6 loa:7x7 loa:8x8 loa:3x3 loa:4x4 loa:9x9".split(),
    "checkers": """checkers checkers:4x4 checkers:5x5 checkers:6x6 checkers:7x7 checkers:8x8,draw=none
        checkers:9x9 checkers:10x10 checkers:10x10,rows=4 checkers:6x6,rows=1 checkers:8x8,rows=1,draw=none
        checkers:5x5,rows=2""".split(),
    "cannon": "cannon cannon:corners=yes cannon cannon:overshoot=yes cannon:mate=yes cannon:overshoot=yes".split(),
    "chinese-checkers": """chinese-checkers:3 chinese-checkers:4 chinese-checkers:2 chinese-checkers:2 chinese-checkers
        chinese-checkers:1""".split(),
}

# Lines chosen by hand for the positions files.
SPECIAL = {
    "tictactoe": ["c3 b3 b1 a2 a3 c2 c1 a1 b2",  # a win with the last cell
                  "b2 a1 c1 a3 a2 c2 b1 b3 c3"],  # a draw
    "mnk": ["mnk:5x2k3|a1 a2 b1 b2 d1 d2 e1 e2 c1"],  # five in a row where three win
    "connect4": ["connect4:7x2|1 1 2 2 3 3 5 5 6 6 7 7 4", "connect4:12x4|10 12 1"],
    "seki": ["seki:1,1,1|o1 o1", "seki:1,1,1|o1 o1 s1",  # capture without own liberty
             "seki:1,2,1|pass o1",  # s1 would be suicide
             "seki:2,2|pass", "seki:2,2|pass pass", "seki:3,3|o2 o3 m1 m1"],
    "amazons": ["amazons:4x4|a2-b3/a2"],  # an arrow on the cell just left
    "breakthrough": ["breakthrough:3x3,rows=1|a1-b2 a3xb2 c1xb2",  # captures to both sides
                     "breakthrough:26x2,rows=1|x1xw2"],  # a column of the name of the capture sign
    # A ko that may not be taken back, and may after moves elsewhere; suicide of two stones.
    "go": ["go:4x4|b4 c4 a3 d3 b2 c2 c3 b3", "go:4x4|b4 c4 a3 d3 b2 c2 c3 b3 a1 d1", "go:2x1|a1 b1",
           "go:3x2,suicide=yes|a1 b1 pass b2", "go:3x2,suicide=yes|a1 b1 pass b2 a2", "go:2x2,komi=0.5|a1 pass pass",
           "go:seki=1,1|a5 c5", "go:seki=1,1|pass pass"],
    # A stone alone on the board for the first, second and third time; taking over the first stone.
    "pentalath": ["pentalath:2|a1" + " a2 b1 b2 c1 c2 a1 b3 b1 c1 a1 b1 a1" * n for n in (0, 1, 2)]
        + ["pentalath:3,swap=yes|c3", "pentalath:3,swap=yes|c3 swap", "pentalath:3,swap=yes|c3 swap c2"],
    "loa": ["loa:8x8|b1-b3 a2-c2 b3-b1 c2-a2", "loa:8x8|b1-b3 a2-c2 b3-b1 c2-a2 b1-b3 a2-c2 b3-b1 c2-a2",
            "loa:6x6|position ....bw/....bb/....../...b../bb..../wb.... w",  # pass
            "loa:5x5|position ...../.b.../..w../....w/..b.w b", "loa:5x5|position ...../.b.../..b../....w/....w w"],
    "checkers": ["checkers:8x8|position ......../......../......../......../.b.b..../......../.b.b..../..W..... w",
                 "checkers:8x8|position ......../..b.b.../.w....../......../......../......../......../........ w",
                 "checkers:8x8|position ......../......../......../......../......../......../.B....../W....... w",
                 "checkers:8x8,draw=none|position ......../......../......../......../......../......../.B....../W....... w",
                 "checkers:8x8|position ......../......../......../......../......../W.W...../......../B....... w 24",
                 "checkers:8x8|position .......B/......../......../......../......../W.W...../......../........ w 25",
                 "checkers:10x10,rows=4|position ........../........../...b...b../........../.b.b.b..../"
                 "........../.b...b.b../W........./.b.b...b../.......... w"],
    # Shots at the second and third point, over a piece, towns taken, a player without a move.
    "cannon": ["cannon|position ....W...../w........./....w...../...w....../....bw..../....b...../....b...../..bb....../........../...Bw..... b",
               "cannon:overshoot=yes|position .......W../........../........../........../www.ww..../....b..bbb/........../..b......./.b......../b..B...... b",
               "cannon:overshoot=yes|position .......W../........../........../........../www.ww..../....b..bbb/........../..b......./.b......../b..B...... w",
               "cannon:mate=yes|position ....W...../.........w/...w....../..w......./......w.../..bbb...../........../........../....wb..../...B...... b",
               "cannon|position ........../........../........../...w....../........../........../........../..b......./........../...B...... w",
               "cannon|position b...W...../........../........../........../........../.........w/........../........../........../...B...... b",
               "cannon:corners=yes|position W........./........../b........./b........./b........./........../.......w../........w./.........w/.........B w",
               "cannon|Td1", "cannon|Td1 Te10", "cannon:corners=yes|Tj1 Ta10"],
    # A full target arm, by the own move and by the opponent's; nothing but pass.
    "chinese-checkers": ["chinese-checkers:1|position 2/..../.1./..../. 1", "chinese-checkers:1|position ./..../.2./..../1 2",
                         "chinese-checkers:2|position 2/21/......./....../..2../....../......./11/. 1",
                         "chinese-checkers:2|position 2/21/......./....../..1../....../......./.1/2 2",
                         "chinese-checkers:2|position 2/21/......./....../..1../....../......./.1/2 1",
                         "chinese-checkers:2|position 2/2./......./..1.../...../....../......./11/2 1",
                         "chinese-checkers|position 2/../.../122......./2......../2......./......./......../........./........../111/11/2 1",
                         "chinese-checkers|3-9"],
}

NOTES = {
    "tictactoe": "Summed over all depths, 255168 games finish, the well-known total (checked).",
    "checkers": "The 8x8 counts 7, 49, 302, 1469, 7361, 36768, 179740 are the published ones (checked).",
    "connect4": "The 7x6 counts 7, 49, 343, 2401, 16807, 117649, 823536 are the known sequence (checked).",
    "amazons": "The 10x10 counts 2176, 4307152 are the known ones (checked).",
    "breakthrough": "The 8x8 counts begin with the known 22, 484 (checked).",
}

# The longest lines into the middle of the game; finished games are listed whole.
LONGEST = {"chinese-checkers": 120}
