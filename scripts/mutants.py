#!/usr/bin/env python3
"""Finds places for errors in the core, and keeps the list of mutants, tests/mutants.tsv, up to date with the core.

A mutant has an address: a file of lib/, a function (or a macro, or a table outside of functions), a kind of error, and
the number of the place among the places of this kind in the function, counted from 1. A line of the list holds

    file|function|kind|ordinal|shape|noticed by|tried|what is broken

"shape" has two hashes, of the tokens near the place without names, and of the names in its statement; they identify a
mutant after lines before it have changed, or after its function or file got another name. "noticed by" lists tests and
files of claims, as test:NAME and claims:NAME. It is empty as long as the mutant has not been tried; with a question
mark it is a guess. Other values are "equal" (the mutant changes nothing), "nobody" (nothing noticed it) and "broken"
(it does not build; the next call of redraw draws another). "tried" is a hash of the function and of these tests and
claims, all without comments, at the time when the mutant was noticed. The record is current as long as the hash is the
same.

Usage: scripts/mutants.py check                      prints mutants without a place; exit status 1 if there are any
       scripts/mutants.py redraw [KIND=COUNT ...]    makes the list fit the sources, and adds new errors
       scripts/mutants.py list [FILE]                prints a list for scripts/mutate
       scripts/mutants.py guesses [FILE]             prints this list; lines without a current record become guesses
       scripts/mutants.py current                    prints the lines whose record is current
       scripts/mutants.py draw COUNT SEED            prints errors drawn at random, for scripts/mutate
       scripts/mutants.py sample COUNT SEED          prints COUNT lines of standard input; the seed determines which
       scripts/mutants.py apply FILE FUNCTION KIND ORDINAL    prints the broken file
       scripts/mutants.py equal REASON WORD          notes that mutants whose line has a word change nothing
       scripts/mutants.py again WORD                 notes that mutants whose line has a word are to be tried again
       scripts/mutants.py note FILE                  writes findings into the list: lines "address|noticed by" """
import collections
import functools
import gc
import hashlib
import re
import sys
from pathlib import Path

LIST = Path("tests/mutants.tsv")
KINDS = {
    "sign": "a sign is reversed",
    "factor": "a number or quantity is a tenth greater",
    "term": "a term is left out",
    "product": "a factor is left out",
    "value": "a result is zero",
    "statement": "a statement is left out",
    "index": "an index or a side is the neighbour's",
    "name": "a name stands for its neighbour",
    "argument": "two arguments are exchanged",
    "comparison": "a comparison or its limit is another",
    "condition": "a condition or limit is ignored",
    "rows": "two elements of a table are exchanged",
}
RANDOM_KINDS = ["sign", "factor", "index", "term", "name"]
PAIRS = """x y|y z|z x|fx fy|fy fz|fz fy|mx my|my mz|mz mx|vx vy|vy vx|ax ay|ay ax|front rear|rear front|roll pitch
pitch yaw|yaw roll|kappa alpha|alpha kappa|sin cos|cos sin|sine cosine|cosine sine|stiffness damping|damping stiffness
ahead left|left right|right left|bump rebound|rebound bump|drive brake|brake drive|least most|most least|min max|max min
plus minus|minus plus|low high|high low|lowest highest|begin end|end begin|first last|last first|across along
along across|up down|down up|inner outer|sprung unsprung|unsprung sprung|radius width"""
WORDS = dict(pair.split() for pair in PAIRS.replace("\n", "|").split("|"))
SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}
SIGN_WORDS = {"plus": "minus", "minus": "plus", "add": "sub", "sub": "add"}
LIMITS = ["least", "most", "min", "max", "within", "copysign", "remainder", "fabs", "abs"]
COMPARED = {"<": [">=", "<="], ">": ["<=", ">="], "<=": [">", "<"], ">=": ["<", ">"], "==": ["!="], "!=": ["=="],
            "&&": ["||"], "||": ["&&"]}
OTHER_SIDE = {"VD_FRONT": "VD_REAR", "VD_REAR": "VD_FRONT", "VD_FL": "VD_FR", "VD_FR": "VD_FL", "VD_RL": "VD_RR",
              "VD_RR": "VD_RL"}
KEYWORDS = set("""if else for while do switch case default return break continue sizeof static const struct enum union
void double int bool char unsigned float long size_t true false NULL NAN INFINITY inline extern typedef goto""".split())
ASSIGNED = ("=", "+=", "-=", "*=", "/=")
BEFORE_SUM = ("(", ",", "return", "?", ":", "&&", "||", "<", ">", "<=", ">=", "==", "{") + ASSIGNED
BEFORE_OPERAND = ("return", "<", ">", "<=", ">=", "?", ":", ",") + ASSIGNED
UNSAFE = re.compile(r"(static_)?assert|sizeof|offsetof|mem(cpy|move|set)|\w*alloc\w*|free|size_t|case|for|while|goto")
TOKEN = re.compile(r"""(?P<name>[A-Za-z_]\w*)|/\*.*?\*/|//[^\n]*|\\\n|(?P<number>0[xX][0-9a-fA-F]+[uUlL]*|
(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?[uUlLfF]*)|(?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+')
|(?P<sign>[();,\[\]{}]|->|\+\+|--|<<=|>>=|[-+*/%&|^<>=!]=|&&|\|\||<<|>>|\.\.\.|\S)""", re.S | re.X)
DIRECTIVE = re.compile(r"^[ \t]*#(?:\\\n|/\*.*?\*/|[^\n])*", re.M | re.S)
MACRO = re.compile(r"[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?")
OPEN, CLOSE = "([{", ")]}"


Token = collections.namedtuple("Token", "text kind start end")


def tokens_of(text, start, end):
    make = tuple.__new__
    return [make(Token, (m[0], m.lastgroup, *m.span())) for m in TOKEN.finditer(text, start, end) if m.lastgroup]


@functools.lru_cache(None)
def names_of_lib():
    return {name for path in Path("lib").glob("*/*.[ch]") for name in re.findall(r"\b[A-Za-z_]\w*", path.read_text())}


class Source:
    """A source file. Its parts map the name of each function, macro and table to lists of tokens."""

    def __init__(self, path):
        self.text = Path(path).read_text()
        self.parts = {}
        blank = list(self.text)
        plain = re.sub(r"/\*.*?\*/", lambda m: re.sub(r"[^\n]", " ", m.group()), self.text, flags=re.S)
        for match in DIRECTIVE.finditer(plain):
            blank[match.start():match.end()] = re.sub(r"[^\n]", " ", self.text[match.start():match.end()])
            macro = MACRO.match(self.text, match.start())
            if macro:
                self.add(macro.group(1), tokens_of(self.text, macro.end(), match.end()))
        self.find_parts(tokens_of("".join(blank), 0, len(self.text)))

    def add(self, name, tokens):
        if tokens:
            self.parts.setdefault(name, []).append(tokens)

    def find_parts(self, tokens):
        first = i = 0
        while i < len(tokens):
            text = tokens[i].text
            if text == "(":
                i = closing(tokens, i)
            elif text == "=":
                end = i
                while end < len(tokens) and tokens[end].text != ";":
                    end = closing(tokens, end) + 1 if tokens[end].text in OPEN else end + 1
                bracket = next((j for j in range(first, i) if tokens[j].text == "["), i)
                self.add(tokens[bracket - 1].text, tokens[i:end + 1])
                i = end
                first = i + 1
            elif text == "{":
                end = closing(tokens, i)
                if i > first and tokens[i - 1].text == ")":
                    depth, j = 0, i - 1
                    while j > first:
                        depth += (tokens[j].text == ")") - (tokens[j].text == "(")
                        if depth == 0:
                            break
                        j -= 1
                    self.add(tokens[j - 1].text, tokens[i:end + 1])
                    first = end + 1
                elif not any(t.text in ("struct", "enum", "union") for t in tokens[first:i]):
                    end = i  # extern "C"
                    first = end + 1
                i = end
            elif text == ";":
                first = i + 1
            i += 1


def closing(tokens, i):
    depth = 0
    for j in range(i, len(tokens)):
        text = tokens[j].text
        if text in OPEN and len(text) == 1:
            depth += 1
        elif text in CLOSE and len(text) == 1:
            depth -= 1
            if depth == 0:
                return j
    return len(tokens) - 1


def hashed(text, digits):
    return hashlib.sha256(text.encode()).hexdigest()[:digits]


class Place:
    """One error: the text between two offsets of the file is replaced."""

    def __init__(self, part, kind, a, b, new, at, variant):
        self.part, self.kind, self.a, self.b, self.new, self.at, self.variant = part, kind, a, b, new, at, variant
        self.start, self.end = part.t[a].start, part.t[b].end

    @property
    def shape(self):
        """Returns a hash of the tokens near the error, without names, and a hash of the names in its statement."""
        part, at = self.part, self.at
        plain, names, before = [], [], 0
        for i in range(part.first[at], part.last[at]):
            token = part.t[i]
            before += i < at and not part.is_member(i)
            if not part.is_member(i):
                plain.append("i" if token.kind == "name" and token.text not in KEYWORDS else token.text)
            if token.kind == "name":
                names.append(token.text)
        near = "".join(plain[max(0, before - 8):before + 9])
        end = "last" if part.word(at + 1) not in (".", "->") else "inner"
        kind = f"{self.kind} {self.variant} {part.is_member(at)} {end}"
        return hashed(f"{kind} {near}", 4) + "." + hashed(" ".join(names), 3)

    @property
    def names(self):
        """Returns the names in the text that the error replaces, and the new name if a name is exchanged."""
        found = [t.text for t in self.part.t[self.a:self.b + 1] if t.kind == "name" and t.text not in KEYWORDS]
        return list(dict.fromkeys(found + [self.new] if self.kind == "name" else found))


class Part:
    """All places of one function, macro or table."""

    def __init__(self, text, tokens, kinds):
        self.text, self.t, self.kinds = text, tokens, kinds
        self.n = len(tokens)
        self.close, self.level, self.opener, stack = {}, [""] * self.n, [-1] * self.n, []
        for i, token in enumerate(tokens):
            self.opener[i], self.level[i] = stack[-1] if stack else (-1, "")
            if token.kind == "sign" and token.text in OPEN:
                stack.append((i, token.text))
            elif token.kind == "sign" and token.text in CLOSE and stack:
                self.close[stack.pop()[0]] = i
        self.mark_statements()
        self.places = []
        for i in range(self.n):
            if not self.unsafe[i]:
                self.at_token(i)
        if "name" in kinds:
            self.names()
        self.places.sort(key=lambda p: (p.start, p.end))

    def word(self, i):
        return self.t[i].text if 0 <= i < self.n else ""

    def is_member(self, i):
        """Whether token i is the name of a member, or the . or -> before a member."""
        return self.word(i) in (".", "->") and self.word(i - 1) not in ("{", ",") or self.word(i - 1) in (".", "->")

    def mark_statements(self):
        """Finds for every token the first token of its statement, and whether the statement is unsafe: errors in it are
        not tried, because they could crash or have no effect."""
        self.first, self.unsafe, self.last = [0] * self.n, [False] * self.n, [0] * self.n
        begin = depth = 0
        for i in range(self.n + 1):
            word = self.word(i)
            depth += (word == "(") - (word == ")")
            if i < self.n and not (word in ("{", "}") or (word == ";" and depth == 0)):
                continue
            unsafe = any(t.kind == "string" or UNSAFE.fullmatch(t.text) for t in self.t[begin:i])
            header = begin
            while unsafe and self.word(header) in ("for", "while", "case", "default"):  # only the head is unsafe
                colon = next((j for j in range(header, i) if self.word(j) == ":"), i)
                header = (self.close.get(header + 1, header) if self.word(header) in ("for", "while") else colon) + 1
            unsafe = any(t.kind == "string" or UNSAFE.fullmatch(t.text) for t in self.t[header:i])
            for j in range(begin, min(i + 1, self.n)):
                self.first[j], self.last[j], self.unsafe[j] = begin, i, unsafe or j < header
            begin = i + 1

    def binary(self, i):
        """Whether token i is a binary operator: it stands between blanks."""
        token = self.t[i]
        return self.text[token.start - 1].isspace() and (token.end >= len(self.text) or self.text[token.end].isspace())

    def put(self, kind, a, b, new, at, variant=""):
        """Adds an error in which tokens a to b become another text; at: the token that the error is about."""
        if kind in self.kinds:
            self.places.append(Place(self, kind, a, b, new, at, variant))

    def cut(self, a, b):
        return self.text[self.t[a].start:self.t[b].end]

    def factor_end(self, i):
        """Returns the last token of the operand that begins at i, or -1."""
        while self.word(i) in ("-", "+", "!", "*", "&", "~") and not self.binary(i):
            i += 1
        if i >= self.n:
            return -1
        token = self.t[i]
        if token.text == "(":
            i = self.close.get(i, -1)
            if i < 0:
                return -1
            following = self.t[i + 1] if i + 1 < self.n else None
            if following and (following.kind in ("name", "number") or following.text == "("):  # a cast
                return self.factor_end(i + 1)
            if following and following.text == "{":
                i = self.close.get(i + 1, -1)
        elif token.kind not in ("name", "number") or (token.kind == "name" and token.text in KEYWORDS):
            return -1
        while 0 <= i < self.n - 1:
            following = self.word(i + 1)
            if following in ("(", "["):
                i = self.close.get(i + 1, -1)
            elif following in (".", "->"):
                i += 2
            else:
                break
        return i

    def sum_at(self, i):
        """Returns the sum that begins at i: [(operator, [(operator, first, last) of factors]) of terms]."""
        terms, operator = [], -1
        while True:
            factors, times = [], -1
            while True:
                end = self.factor_end(i)
                if end < 0:
                    return terms
                factors.append((times, i, end))
                times = end + 1
                if self.word(times) not in ("*", "/", "%") or not self.binary(times):
                    break
                i = times + 1
            terms.append((operator, factors))
            operator = times
            if self.word(operator) not in ("+", "-") or not self.binary(operator):
                return terms
            i = operator + 1

    def end_of(self, i, stops):
        """Returns the last token before one of the stops on the same level of brackets."""
        while i < self.n and self.word(i) not in stops:
            if self.word(i) in CLOSE:
                break
            i = self.close.get(i, i) + 1
        return i - 1

    def at_token(self, i):
        token, word = self.t[i], self.word(i)
        if self.level[i] != "[":
            if token.kind == "sign" and word in SIGNS:
                self.put("sign", i, i, SIGNS[word], i)
            elif set(word.split("_")[1:]) & set(SIGN_WORDS) and self.word(i + 1) == "(":
                opposite = "_".join(SIGN_WORDS.get(part, part) for part in word.split("_"))
                if opposite in names_of_lib():
                    self.put("sign", i, i, opposite, i)
            if word in BEFORE_SUM or i == 0:
                self.at_expression(i + (i > 0 or word in ("(", "=", "{")), word)
            if word in COMPARED and self.binary(i):
                for variant in COMPARED[word]:
                    self.put("comparison", i, i, variant, i, variant)
            self.at_condition(i, word)
        if token.kind == "name" and self.word(i + 1) == "(" and word not in KEYWORDS:
            self.at_call(i)
        if word == "{" and i > 0 and self.word(i - 1) in ("=", ",", "{", ")", "]"):
            self.at_list(i)
        self.at_index(i, word)
        if i == self.first[i] or self.word(i - 1) in (")", "else", ":"):
            self.at_statement(i)

    def at_expression(self, i, before):
        if i >= self.n:
            return
        terms = self.sum_at(i)
        many = sum(len(factors) for _, factors in terms) > 1
        for k, (operator, factors) in enumerate(terms):
            last = factors[-1][2]
            if k > 0:
                self.put("term", operator, last, "", operator)
            elif len(terms) > 1:
                following = terms[1][0]
                self.put("term", i, following, "-" if self.word(following) == "-" else "", i)
            for j, (times, a, b) in enumerate(factors):
                if j > 0 and self.word(times) != "%":
                    self.put("product", times, b, "", times)
                    self.put("product", times, times, "/" if self.word(times) == "*" else "*", times, "other")
                elif j == 0 and len(factors) > 1:
                    if self.word(factors[1][0]) == "*":
                        self.put("product", a, factors[1][0], "", a)
                    elif self.word(factors[1][0]) == "/":
                        self.put("product", a, b, "1.0", a)
                word, number = self.word(a), self.t[a].kind == "number"
                if number and (word.isdigit() or not re.fullmatch(r"[\d.]*[1-9][\d.]*([eE][-+]?\d+)?", word)):
                    continue
                if word in ("!", "&", "~") or (a == b and word.isupper() and word != "VD_PI"):
                    continue
                if number or many or before in BEFORE_OPERAND:
                    self.put("factor", a, b, f"(1.1 * {self.cut(a, b)})", a)
        end = self.end_of(i, (",", ";", "?", ":"))
        bare = before in ("(", ",") and (end == i or not (self.level[i] == "{" or self.is_call(self.opener[i])))
        if before in ("=", "+=", "-=", "return", "?", ":", "(", ",", "{") and end >= i and not bare:
            nothing = self.word(i) in ("{", "false", "true", "NULL", "&") or self.cut(i, end) in ("0.0", "0")
            if not nothing and self.word(end + 1) != "?":
                self.put("value", i, end, f"0.0 * ({self.cut(i, end)})", i)
                if self.word(i) != "-":
                    self.put("sign", i, end, f"-({self.cut(i, end)})", i, "all")

    def at_condition(self, i, word):
        if word == "?":
            start = self.start_of(i, ("(", ",", "=", "+=", "-=", "return", "{", ";", ":", "?", "["))
            colon = self.end_of(i + 1, (":",)) + 1
            end = self.end_of(colon + 1, (",", ";", ":"))
            if self.word(colon) == ":" and end > colon:
                self.put("condition", start, end, self.cut(i + 1, colon - 1), i, "first")
                self.put("condition", start, end, self.cut(colon + 1, end), i, "second")
        elif word in ("&&", "||"):
            stops = ("&&", "||", "?", ":", ",", ";")
            end = self.end_of(i + 1, stops)
            self.put("condition", i, end, "", i, "right")
            start = self.start_of(i, stops + ("(", "=", "return", "{"))
            self.put("condition", start, i, "", i, "left")
        elif word == "if" and self.word(i + 1) == "(" and i + 1 in self.close:
            self.put("condition", i + 1, self.close[i + 1], "(true)", i, "true")
            self.put("condition", i + 1, self.close[i + 1], "(false)", i, "false")

    def start_of(self, i, stops):
        """Returns the first token after the stop that precedes token i on its level of brackets or opens the level."""
        depth = 0
        while i > 0:
            word = self.word(i - 1)
            if depth == 0 and word in stops:
                break
            depth += (word in CLOSE) - (word in OPEN)
            i -= 1
        return i

    def items(self, i):
        """Returns the elements between brackets, [(first, last)]."""
        found, end = [], self.close.get(i, i)
        at = i + 1
        while at < end:
            last = self.end_of(at, (",",))
            if last < at:
                break
            found.append((at, last))
            at = last + 2
        return found

    def exchange(self, kind, i, alike):
        items = self.items(i)
        for (a, b), (c, d) in zip(items, items[1:]):
            if alike(a, c) and self.cut(a, b) != self.cut(c, d):
                between = self.text[self.t[b].end:self.t[c].start]
                self.put(kind, a, d, self.cut(c, d) + between + self.cut(a, b), a, str(d - c))

    def is_call(self, i):
        """Whether a function is called by the bracket at token i."""
        return i > 0 and self.word(i) == "(" and self.t[i - 1].kind == "name" and self.word(i - 1) not in KEYWORDS

    def at_call(self, i):
        if i > 0 and self.t[i - 1].kind == "name" and self.word(i - 1) not in KEYWORDS:
            return
        self.exchange("argument", i + 1, lambda a, c: True)
        words, items = self.word(i).split("_"), self.items(i + 1)
        kind = "term" if set(words) & set(SIGN_WORDS) else "condition" if set(words) & set(LIMITS) else ""
        for k, (a, b) in enumerate(items if kind and len(items) > 1 else []):
            self.put(kind, i, self.close[i + 1], f"({self.cut(a, b)})", i, str(k))

    def at_list(self, i):
        def alike(a, c):
            return (self.word(a) == "{") == (self.word(c) == "{") and "." not in (self.word(a), self.word(c))
        self.exchange("rows", i, alike)

    def at_index(self, i, word):
        if self.word(i - 1) == "[" and self.word(i + 1) == "]":
            if word in ("0", "1", "2"):
                for step in (1, 2):
                    self.put("index", i, i, str((int(word) + step) % 3), i, str(step))
            elif self.t[i].kind == "name" and word in ("i", "j", "k", "side", "w", "wheel"):
                self.put("index", i, i, f"({word} + 1) % 2", i)
        if word in OTHER_SIDE:
            self.put("index", i, i, OTHER_SIDE[word], i)

    def at_statement(self, i):
        last = self.last[i]
        if self.word(last) != ";" or self.t[i].kind not in ("name", "sign") or self.word(i) in KEYWORDS:
            return
        end = self.factor_end(i)
        if end < 0:
            return
        call = end == last - 1 and self.word(end) == ")" and self.t[i].kind == "name"
        if call or (self.word(end + 1) in ("=", "+=", "-=", "*=", "/=", "|=", "&=") and end < last):
            self.put("statement", i, last - 1, "(void)0", i)

    def names(self):
        """Adds errors that exchange a name: by a pair of words, or for the next or last other name in the function."""
        uses, order = [], {}
        for i, token in enumerate(self.t):
            if token.kind != "name" or token.text in KEYWORDS:
                continue
            following = self.t[i + 1] if i + 1 < self.n else None
            if following and (following.kind == "name" or (following.text == "*" and not self.binary(i + 1))):
                continue  # a type
            called = following and following.text == "("
            if re.match(r"vd_|.*_t$", token.text) and not called and self.word(i - 1) not in (".", "->"):
                continue  # a type, or a constant of another file
            if self.word(i - 1) in (".", "->"):
                group = "member" if self.word(i - 2) not in ("{", ",") or self.word(i - 1) == "->" else "designator"
            elif called:
                group = "function"
            elif token.text.isupper():
                group = re.sub(r"^((?:VD_)?[A-Z]+_)?.*", r"\1", token.text) or "constant"
            else:
                group = "variable"
            uses.append((i, group))
            order.setdefault(group, {}).setdefault(token.text)
        for i, group in uses:
            if self.unsafe[i]:
                continue
            word, new = self.word(i), []
            parts = word.split("_")
            for k, part in enumerate(parts):
                if part in WORDS:
                    new.append("_".join(parts[:k] + [WORDS[part]] + parts[k + 1:]))
            digit = re.fullmatch(r"([a-z]+)([123])", word)
            if digit:
                new.append(digit.group(1) + {"1": "2", "2": "1", "3": "2"}[digit.group(2)])
            if group not in ("function", "designator"):
                known = list(order[group])
                at = known.index(word)
                new += [known[(at + 1) % len(known)], known[at - 1]]
            for k, other in enumerate(dict.fromkeys(new)):
                if other != word:
                    self.put("name", i, i, other, i, str(k))


class Tree:
    """The sources of lib/. Each source is read when it is first used. Errors may be limited to some kinds, or to the
    kinds of given mutants."""

    def __init__(self, mutants=None, kinds=KINDS):
        self.sources, self.known = {}, {}
        self.kinds = collections.defaultdict(lambda: set() if mutants else kinds)
        for m in mutants or []:
            self.kinds[m.file, m.function] |= {m.kind}

    def source(self, file):
        if file not in self.sources:
            path = Path("lib") / file
            self.sources[file] = Source(path) if path.is_file() else None
        return self.sources[file]

    def places(self, file, function):
        """Returns the places of a function, by kind of error."""
        key = (file, function)
        if key not in self.known:
            found = self.known[key] = {}
            source = self.source(file)
            for tokens in source.parts.get(function, []) if source else []:
                for place in Part(source.text, tokens, self.kinds[key]).places:
                    found.setdefault(place.kind, []).append(place)
        return self.known[key]

    def place(self, m):
        found = self.places(m.file, m.function).get(m.kind, [])
        return found[m.ordinal - 1] if 0 < m.ordinal <= len(found) else None

    def line(self, m):
        return self.source(m.file).text.count("\n", 0, self.place(m).start) + 1

    def all_functions(self):
        for path in sorted(Path("lib").glob("*/*.[ch]")):
            file = str(path.relative_to("lib"))
            for function in self.source(file).parts:
                yield file, function

    def broken(self, m):
        place, text = self.place(m), self.source(m.file).text
        return text[:place.start] + place.new + text[place.end:]


class Mutant:
    def __init__(self, file, function, kind, ordinal, shape="", noticed="", tried="", what=""):
        self.file, self.function, self.kind, self.ordinal = file, function, kind, int(ordinal)
        self.shape, self.noticed, self.tried, self.what = shape, noticed, tried, what

    def address(self):
        return f"{self.file} {self.function} {self.kind} {self.ordinal}"

    def row(self):
        return "|".join((self.file, self.function, self.kind, str(self.ordinal), self.shape, self.noticed, self.tried,
                         self.what))

    def is_noticed(self):
        return ":" in self.noticed and "?" not in self.noticed


def described(m, place):
    """Describes an error in words that quote no source."""
    names = ", ".join(place.names[:3])
    return f"{m.function}, {m.kind} {m.ordinal}: {KINDS[m.kind]}" + (f" ({names})" if names else "")


def is_described(m):
    return not m.what or re.match(r"\w+, [a-z]+ \d+: ", m.what)


def read_list(path=LIST):
    lines = Path(path).read_text().splitlines()
    return [Mutant(*line.split("|", 7)) for line in lines if line and not line.startswith("#")]


HEAD = "# Written by scripts/mutants.py, which says what the columns are: no line is edited by hand.\n"
SOURCE = re.compile(r"->|[;={}\[\]]|(^|[^\w])s/.*/.*/| [-+*/] ")  # of C, or an expression of sed


def write_list(mutants):
    mutants.sort(key=lambda m: (m.file, m.function, list(KINDS).index(m.kind), m.ordinal))
    LIST.write_text(HEAD + "".join(m.row() + "\n" for m in mutants))


YAML_COMMENT = re.compile(r"^[ \t]*#.*\n|[ \t]+#[^\"'\n]*$", re.M)


@functools.lru_cache(None)
def text_of_noticer(noticer):
    """Returns the text of a test or of a file of claims, without its comments."""
    kind, name = noticer.split(":")
    found = Path("tests").glob(f"*/{name}.c") if kind == "test" else [Path(f"validation/{name}.yaml")]
    texts = [path.read_text() for path in sorted(found) if path.is_file()]
    if kind == "test":
        return "".join(" ".join(t.text for t in tokens_of(text, 0, len(text))) for text in texts)
    return "".join(YAML_COMMENT.sub("", text) for text in texts)


def record(tree, m):
    """Returns the hash of a mutant's function and of the tests and claims that notice it; "" if one does not exist."""
    source, texts = tree.source(m.file), [text_of_noticer(one) for one in m.noticed.split()]
    parts = source.parts.get(m.function, []) if source else []
    if not parts or not all(texts):
        return ""
    return hashed(" ".join(t.text for tokens in parts for t in tokens) + "".join(texts), 6)


def is_current(tree, m):
    return m.is_noticed() and m.tried != "" and m.tried == record(tree, m)


def check():
    mutants, bad, seen = read_list(), [], set()
    tree = Tree(mutants)
    for m in mutants:
        place = tree.place(m) if m.kind in KINDS else None
        if not place or place.shape != m.shape:
            bad.append(f"{LIST}: {m.address()} has another place in lib/, or none: run scripts/mutate --redraw")
        elif m.address() in seen:
            bad.append(f"{LIST}: {m.address()} is in the list twice")
        elif SOURCE.search(m.what) or (m.kind != "name" and len(place.new) > 12 and place.new in m.what):
            bad.append(f"{LIST}: {m.address()} quotes source")
        seen.add(m.address())
    print("\n".join(bad), end="\n" if bad else "")
    return 1 if bad else 0


def nearest(places, m):
    """Returns the ordinal of the place that is most like a mutant's, or 0. Equal names count more than nearness."""
    shapes = [(place.shape.split("."), k) for k, place in enumerate(places, 1)]
    tokens, names = m.shape.split(".")
    near = [(shape[1] != names, abs(k - m.ordinal), k) for shape, k in shapes if shape[0] == tokens]
    return min(near)[2] if near else 0


def fits(tree, group, file, function):
    """Returns the number of mutants of one function that have a place in another function."""
    places = tree.places(file, function)
    return sum(1 for m in group if nearest(places.get(m.kind, []), m))


def follow(tree, group):
    """Returns the function that replaces a missing function: a function of this name, or of its file, of its folder or
    of lib/, in this order, that has places for at least half of the mutants."""
    old = group[0]
    functions = list(tree.all_functions())
    named = [at for at in functions if at[1] == old.function]
    near = [at for at in functions if at[0] == old.file]
    beside = [at for at in functions if at[0].split("/")[0] == old.file.split("/")[0]]
    # one equal place elsewhere in lib/ may be chance; two equal places in one function are not
    for candidates, least in ((named, 0), (near, 0), (beside, 0), (functions, 2)):
        best = max(candidates, key=lambda at: fits(tree, group, *at), default=None)
        if best and fits(tree, group, *best) >= max(len(group) / 2, least):
            return best
    return named[0] if named else None


def redraw(wanted):
    """Moves mutants to their places. A mutant whose place is gone is replaced by another of its kind and folder."""
    tree, mutants, groups, new, lost = Tree(), read_list() if LIST.exists() else [], {}, [], []
    for m in mutants:
        groups.setdefault((m.file, m.function), []).append(m)
    for (file, function), group in groups.items():
        if not tree.places(file, function):
            file, function = follow(tree, group) or (file, function)
        for m in group:
            ordinal = nearest(tree.places(file, function).get(m.kind, []), m)
            others = [] if ordinal or not tree.source(file) else [
                other for other in tree.source(file).parts if nearest(tree.places(file, other).get(m.kind, []), m)]
            m.file, m.function = file, others[0] if len(others) == 1 else function
            ordinal = nearest(tree.places(file, m.function).get(m.kind, []), m)
            if ordinal and m.noticed != "broken":
                m.ordinal = ordinal
                new.append(m)
            else:
                lost.append(m)
    unique = {}
    for m in new:
        if unique.setdefault(m.address(), m) is not m:
            lost.append(m)
    new = list(unique.values())
    taken = set(unique)

    def add(kind, seed, folder="", instead=None):
        for m in candidates(tree, kind, seed, folder, r"\.c$"):
            if m.address() not in taken:
                taken.add(m.address())
                m.noticed = "" if instead is None else guess(instead)
                new.append(m)
                return m.address()
        return "none"

    for m in lost:
        instead = add(m.kind, m.address(), m.file.split("/")[0] + "/", m)
        print(f"{m.address()} ({m.what}) is gone; in its place: {instead}")
    for kind, count in wanted:
        for _ in range(count):
            add(kind, f"{kind} {len(new)}")
    for m in new:
        if is_described(m):
            m.what = described(m, tree.place(m))
        m.shape = tree.place(m).shape
    write_list(new)


PHYSICS = "(course|ground|linkage|compliance|kc|metrics|math|model|sim|control|suspension|track_car|tyre|vehicle)/"
NO_PHYSICS = re.compile(r"_(def|read|check|rows)\.[ch]$|_write\.c$|tyre/tir_")


def candidates(tree, kind, seed, folder="", files=""):
    """Returns all errors of a kind, in an order that depends only on the seed and their addresses."""
    found = []
    for file, function in tree.all_functions():
        if re.match(folder or PHYSICS, file) and re.search(files, file) and not NO_PHYSICS.search(file):
            for k in range(1, len(tree.places(file, function).get(kind, [])) + 1):
                found.append(Mutant(file, function, kind, k))
    return sorted(found, key=lambda m: hashed(f"{seed} {m.address()}", 16))


def print_for_mutate(tree, mutants, guesses=False):
    for m in mutants:
        if not tree.place(m):
            sys.exit(f"mutants.py: {m.address()} is no place of lib/")
        if guesses and m.is_noticed() and not is_current(tree, m):
            m.noticed = guess(m)
        print(f"{m.noticed}|{m.file}|{tree.line(m)} {m.function} {m.kind} {m.ordinal}|{m.what}")


def draw(count, seed):
    tree = Tree(kinds=RANDOM_KINDS)
    each = [candidates(tree, kind, seed) for kind in RANDOM_KINDS]
    if sum(map(len, each)) < count:
        sys.exit("mutants.py: too few places")
    mutants, k = [], 0
    while len(mutants) < count:
        for found in each:
            if k < len(found) and len(mutants) < count:
                mutants.append(found[k])
        k += 1
    for m in mutants:
        line = tree.source(m.file).text.splitlines()[tree.line(m) - 1].strip()
        m.what = f"{m.kind}, line {tree.line(m)}: " + line.replace("|", "/")
    print_for_mutate(tree, mutants)


def guess(m):
    return " ".join(word.strip("?") + "?" for word in m.noticed.split() if ":" in word)


def note(path):
    found = dict(line.rstrip("\n").split("|", 1) for line in open(path))
    mutants, tree = read_list(), Tree([])
    for m in mutants:
        if m.address() in found:
            m.noticed = found[m.address()]
            m.tried = record(tree, m) if m.is_noticed() else ""
    write_list(mutants)


def judge(word, reason=None):
    """Notes with a reason that mutants change nothing; without a reason, notes that they are to be tried again."""
    mutants = read_list()
    chosen = [m for m in mutants if word in m.row()]
    if not chosen:
        sys.exit(f"mutants.py: no mutant has '{word}'")
    for m in chosen:
        if reason:
            m.noticed, m.what = "equal", f"changes nothing: {reason}"
        else:
            m.noticed = guess(m)
        m.tried = ""
    write_list(mutants)


def main(args):
    command, rest = (args[0], args[1:]) if args else ("", [])
    if command == "check":
        return check()
    if command == "redraw":
        redraw([(kind, int(count)) for kind, count in (a.split("=") for a in rest)])
    elif command in ("list", "guesses"):
        mutants = read_list(*rest)
        print_for_mutate(Tree(mutants), mutants, command == "guesses")
    elif command == "current":
        mutants, tree = read_list(), Tree([])
        print("".join(m.row() + "\n" for m in mutants if is_current(tree, m)), end="")
    elif command == "draw":
        draw(int(rest[0]), rest[1])
    elif command == "sample":
        lines = sys.stdin.readlines()
        chosen = sorted(lines, key=lambda line: hashlib.sha256((rest[1] + line).encode()).digest())[:int(rest[0])]
        sys.stdout.writelines(line for line in lines if line in chosen)
    elif command == "apply":
        m = Mutant(*rest)
        sys.stdout.write(Tree([m]).broken(m))
    elif command in ("equal", "again"):
        judge(*rest[::-1])
    elif command == "note":
        note(rest[0])
    else:
        print(__doc__, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    gc.disable()  # saves time: there are hundreds of thousands of tokens, none of which is freed
    sys.exit(main(sys.argv[1:]))
