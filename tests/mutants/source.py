"""Where an edit of a C++ source lies: its statement, and whether a switch at run time can hold both forms of it.

A rough reader, not a parser: it knows comments, strings, preprocessor lines and brackets. What it cannot place goes into a
build of its own, so a mistake here costs time and never a wrong mutant.
"""

import dataclasses
import re

CONTROL = re.compile(r"(if|while|for|switch)\s*(constexpr\s*)?\(")
# "Type name = …;" and not an assignment: two words before the sign of equality.
DECLARATION = re.compile(
    r"(?P<type>(?:const\s+)?[A-Za-z_][\w:]*(?:<[^;=]*>)?(?:\s+const)?\s*[*&]?)\s+(?P<name>[A-Za-z_]\w*)\s*=(?!=)\s*(?P<value>.*);\s*$",
    re.S)
STATEMENT_WORDS = re.compile(r"(return|throw|break|continue|goto|delete|if|for|while|do)\b")
NOT_SWITCHABLE = re.compile(r"\b(constexpr|static|case|default|template|using|namespace|struct|class|enum|public|private)\b|^\s*#")


def blanked(text):
    """The text with comments, strings and preprocessor lines replaced by blanks of the same length."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
    return pattern.sub(blank, text)


def without_comments(text):
    return re.sub(r'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', lambda match: match.group(1) or re.sub(r"[^\n]", " ", match.group(0)),
                  text, flags=re.S)


@dataclasses.dataclass
class Place:
    """A stretch of text [first, last) that a switch replaces, and how."""
    first: int
    last: int
    form: str  # "statement", "value", "build"
    cast: str = ""


def balanced(text):
    depth = 0
    for c in text:
        depth += (c in "([{") - (c in ")]}")
        if depth < 0:
            return False
    return depth == 0


def changed_span(old, new):
    """The part of `old` that `new` replaces: [first, last) with what both share at either end left out, but for what closes
    the brackets of either. @returns first, last and what stands there in `new`"""
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    wide = first, last
    while not (balanced(old[first:len(old) - last]) and balanced(new[first:len(new) - last])):
        if last > 0:
            last -= 1
        elif first > 0:
            first, last = first - 1, wide[1]
        else:
            first, last = wide
            break
    part = new[first:len(new) - last]
    # A dropped statement leaves the blanks around it.
    if part == "" and ";" in old[first:len(old) - last]:
        dropped = old[first:len(old) - last]
        last += len(dropped) - len(dropped.rstrip())
        first += len(dropped) - len(dropped.lstrip())
    return first, len(old) - last, part


def statement_start(code, at):
    depth = 0
    i = at - 1
    while i >= 0:
        c = code[i]
        if c in ")]":
            depth += 1
        elif c in "([":
            if depth == 0:
                return i + 1, c
            depth -= 1
        elif depth == 0 and c in ";{}":
            if c == "}" and not block_ends(code, i):
                i = opening_of(code, i) - 1
                continue
            if c == "{" and not block_begins(code, i):
                i -= 1
                continue
            return i + 1, c
        i -= 1
    return 0, ""


def statement_end(code, at):
    depth = 0
    for i in range(at, len(code)):
        c = code[i]
        if c in "([":
            depth += 1
        elif c in ")]":
            if depth == 0:
                return i, c
            depth -= 1
        elif depth == 0 and c == ";":
            return i + 1, c
        elif depth == 0 and c == "{" and block_begins(code, i):
            return i, c
        elif depth == 0 and c == "}" and block_ends(code, i):
            return i, c
    return len(code), ""


def block_begins(code, at):
    before = code[:at].rstrip()
    return before.endswith((")", "else", "do", "const", "noexcept", "override", "final", ";", "{", "}", ":", "mutable", "try"))


def opening_of(code, at):
    depth = 0
    for i in range(at, -1, -1):
        depth += (code[i] == "}") - (code[i] == "{")
        if depth == 0:
            return i
    return 0


def block_ends(code, at):
    return block_begins(code, opening_of(code, at))


def place_of(text, first, last, part=""):
    """Where the change of [first, last) to `part` can be switched: the largest piece of its statement that one can hold."""
    code = blanked(text)
    if first < last and without_comments(text)[first:last].strip() == "":
        return Place(first, last, "build")
    place = for_clause(code, first, last) or statement_place(code, first, last)
    if place.form == "build" and not at_file_scope(code, first):
        place = (one_value(part) and argument_place(code, first, last)) or assigned_place(code, first, last) or place
    return place


def statement_place(code, first, last):
    begin, opener = statement_start(code, first)
    end, closer = statement_end(code, last) if code[last - 1:last] != ";" or last == first else (last, ";")
    # Out of brackets that belong to a larger statement.
    while opener in ("(", "[") and closer in (")", "]") and not re.search(r"\b(if|while)\s*$", code[:begin - 1]):
        begin, opener = statement_start(code, begin - 1)
        end, closer = statement_end(code, end + 1)
    begin += len(code[begin:]) - len(code[begin:].lstrip())
    begin = min(begin, first)
    if opener in ("(", "["):
        return condition_place(code, begin, end, closer)
    statement = code[begin:end]
    if re.match(r"else\b", statement):
        return Place(first, last, "build")
    if closer == ";" and NOT_SWITCHABLE.search(statement) is None:
        outside = at_file_scope(code, begin)
        if code[end:].lstrip().startswith("else") or code[:begin].rstrip().endswith(")") or code[:begin].rstrip().endswith("else"):
            return Place(first, last, "build")
        declaration = DECLARATION.match(statement)
        if declaration and not STATEMENT_WORDS.match(statement):
            value_first = begin + declaration.start("value")
            value_last = begin + declaration.end("value")
            kind = declaration.group("type").strip()
            if first < value_first or "{" in declaration.group("value")[:1]:
                return Place(first, last, "build")
            named = kind.split()[-1] != "auto" and not kind.endswith(("&", "*"))
            return Place(value_first, value_last, "value", kind.removeprefix("const").strip() if named else "")
        if outside:
            return Place(first, last, "build")
        if STATEMENT_WORDS.match(statement) or re.match(r"[\w\]\[.()>*&:+\-<, ]+?(=|\+\+|--|\()", statement) or statement[:2] in ("++", "--"):
            if re.match(r"[A-Za-z_][\w:<>]*\s+[A-Za-z_]\w*\s*(\(|\{|;|,)", statement) and not STATEMENT_WORDS.match(statement):
                return Place(first, last, "build")
            return Place(begin, end, "statement")
    return Place(first, last, "build")


def bracket_before(code, at):
    """Where the innermost bracket around a place opens; None outside of all."""
    depth = 0
    for i in range(at - 1, -1, -1):
        if code[i] in ")]}":
            depth += 1
        elif code[i] in "([{":
            if depth == 0:
                return i
            depth -= 1
    return None


def within(code, first, last):
    """The innermost brackets around [first, last): their kind and what they hold; None outside of all."""
    opening = bracket_before(code, first)
    if opening is None:
        return None
    depth = 0
    for j in range(opening + 1, len(code)):
        depth += (code[j] in "([{") - (code[j] in ")]}")
        if depth < 0:
            return (code[opening], opening + 1, j) if j >= last else None
    return None


def one_value(text):
    """Whether no comma outside of brackets parts a text, as one between two arguments would."""
    depth = 0
    for c in blanked(text):
        depth += (c in "([{") - (c in ")]}")
        if depth == 0 and c == ",":
            return False
    return True


def argument_place(code, first, last):
    """One argument of a call, a subscript or an element of a list: no larger statement that could not hold a switch."""
    held = within(code, first, last)
    if held is None:
        return None
    kind, begin, end = held
    if kind == "{" and (block_begins(code, begin - 1) or ";" in code[begin:end]) or re.search(r"\b(for|if|while|switch|catch|constexpr)\s*$", code[:begin - 1]):
        return None
    depth, cuts = 0, [begin]
    for i in range(begin, end):
        depth += (code[i] in "([{") - (code[i] in ")]}")
        if depth == 0 and code[i] == ",":
            cuts.append(i + 1)
    a = max(cut for cut in cuts if cut <= first)
    b = min([cut - 1 for cut in cuts if cut > first] + [end])
    # A comma of a template's arguments, a parameter's declaration or a list of captures is none of these.
    if b < last or code[a:b].count("<") != code[a:b].count(">") or kind == "[" and code[end + 1:].lstrip()[:1] in ("(", "{"):
        return None
    a += len(code[a:b]) - len(code[a:b].lstrip())
    value = code[a:b].rstrip()
    if value == "" or re.search(r"[^=!<>]=[^=]|;|\bconstexpr\b", value) or re.match(r"(const\s+)?[\w:<>]+([&*]\s+|\s+)[A-Za-z_]\w*$", value):
        return None
    return Place(a, a + len(value), "value")


def assigned_place(code, first, last):
    """What a statement after a condition assigns or returns."""
    begin, opener = statement_start(code, first)
    end, closer = statement_end(code, last)
    if opener in ("(", "[") or closer != ";" or NOT_SWITCHABLE.search(code[begin:end]):
        return None
    before = re.match(r"(?s).*?[\w\])]\s*=(?!=)\s*|.*?\breturn\s+(?!\{)", code[begin:end])
    if before is None or begin + before.end() > first:
        return None
    return Place(begin + before.end(), end - 1, "value")


def condition_place(code, begin, end, closer):
    """The condition of an if or while, or a clause of a for."""
    head = code[:begin - 1].rstrip()
    word = re.search(r"(if|while|for)$", head)
    if closer != ")" and not (word and word.group(1) == "for"):
        return Place(begin, end, "build")
    inside = code[begin:end]
    if word is None or ":" in inside.replace("::", "") or "constexpr" in head[-20:]:
        return Place(begin, end, "build")
    if word.group(1) == "for" or ";" in inside or re.match(r"\s*(const\s+)?(auto|[A-Z]\w*)\b[^=]*[^=!<>]=[^=]", inside):
        return Place(begin, end, "build")
    return Place(begin, end, "value")


def for_clause(code, first, last):
    """The place of a change within the brackets of a for; None elsewhere."""
    i = bracket_before(code, first)
    if i is None or code[i] != "(" or not re.search(r"\bfor\s*$", code[:i]):
        return None
    bounds, depth = [i + 1], 0
    for j in range(i + 1, len(code)):
        depth += (code[j] in "([{") - (code[j] in ")]}")
        if depth < 0:
            bounds.append(j + 1)
            break
        if depth == 0 and code[j] == ";":
            bounds.append(j + 1)
    if len(bounds) == 4 and bounds[1] <= first and last < bounds[2]:
        return Place(bounds[1], bounds[2] - 1, "value")
    return Place(first, last, "build")


def at_file_scope(code, at):
    """Whether the statement stands outside of every function."""
    depth = 0
    for i in range(at - 1, -1, -1):
        if code[i] == "}":
            depth += 1
        elif code[i] == "{":
            if depth > 0:
                depth -= 1
                continue
            before = code[:i].rstrip()
            if re.search(r"(namespace(\s+[\w:]+)?|struct\s+[\w:<> ,]+|class\s+[\w:<> ,]+|enum\s+.*)$", before.splitlines()[-1] if before else ""):
                return True
            return False
    return True
