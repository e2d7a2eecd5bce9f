# Converts Markdown to HTML: headings, paragraphs, lists with one paragraph for each item, tables, indented code; within
# text also code, links, pictures, **strong** words and \ before a sign. Other elements of Markdown are not supported.
# These have the syntax of CommonMark, tables that of GitHub.
# Usage: awk -v pages='README.md=index.html ...' -f scripts/markdown.awk FILE.md    (writes the contents of <body>)
# A link to a page in `pages' leads to its HTML. A link to another file leads to the section of this page that has the
# text of the link as its name; without such a section it becomes plain text.

function escape(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  gsub(/"/, "\\&quot;", text)
  return text
}
# Returns the name of a section in links, as GitHub makes it.
function slug(text) {
  gsub(/[`*]/, "", text)
  text = tolower(text)
  gsub(/[^a-z0-9_ -]/, "", text)
  gsub(/ /, "-", text)
  return text
}
function link(text, to,    anchor) {
  if (to in page) to = page[to]
  else if (to !~ /^#/) {
    anchor = slug(text)
    if (!(anchor in section)) return inline(text)
    to = "#" anchor
  }
  return "<a href=\"" escape(to) "\">" inline(text) "</a>"
}
function inline(text,    out, word, i) {
  while (text != "") {
    if (match(text, /^`[^`]+`/)) {
      word = substr(text, 2, RLENGTH - 2)
      text = substr(text, RLENGTH + 1)
      gsub(/\n/, " ", word)
      out = out "<code>" escape(word) "</code>"
    } else if (match(text, /^!?\[[^]]*\]\([^)]*\)/)) {
      word = substr(text, 1, RLENGTH - 1)
      text = substr(text, RLENGTH + 1)
      i = index(word, "](")
      if (word ~ /^!/)
        out = out "<img src=\"" escape(substr(word, i + 2)) "\" alt=\"" escape(substr(word, 3, i - 3)) "\" />"
      else out = out link(substr(word, 2, i - 2), substr(word, i + 2))
    } else if (match(text, /^\*\*[^*]+\*\*/)) {
      word = substr(text, 3, RLENGTH - 4)
      text = substr(text, RLENGTH + 1)
      out = out "<strong>" inline(word) "</strong>"
    } else if (match(text, /^\\[!-\/:-@\[-`{-~]/)) {
      out = out escape(substr(text, 2, 1))
      text = substr(text, 3)
    } else {
      match(text, /^.[^`!\[*\\]*/)
      out = out escape(substr(text, 1, RLENGTH))
      text = substr(text, RLENGTH + 1)
    }
  }
  return out
}
function blank(i) { return line[i] ~ /^ *$/ }
function is_table(i) { return line[i] ~ /^\|/ && line[i + 1] ~ /^\|[: ]*-[-:| ]*\|$/ }
function is_item(i) { return line[i] ~ /^([-*]|[0-9]+\.) / }
# Returns the lines of a paragraph from line i on, without their indentation; sets `next_one` to the line after it.
function paragraph(i, text,    word) {
  while (++i <= count && !blank(i) && !is_item(i) && !is_table(i) && line[i] !~ /^#+ /) {
    word = line[i]
    sub(/^ +/, "", word)
    text = text "\n" word
  }
  next_one = i
  sub(/ +$/, "", text)
  return text
}
function put_table(i,    n, cell, k, tag) {
  print "<table>\n<thead>"
  for (tag = "th"; i <= count && line[i] ~ /^\|/; i++) {
    if (tag == "th" && line[i] ~ /^\|[: ]*-[-:| ]*\|$/) { print "</thead>\n<tbody>"; tag = "td"; continue }
    gsub(/\\\|/, "\001", line[i])
    n = split(line[i], cell, "|")
    print "<tr>"
    for (k = 2; k < n; k++) {
      gsub(/^ +| +$/, "", cell[k])
      gsub(/\001/, "|", cell[k])
      print "<" tag ">" inline(cell[k]) "</" tag ">"
    }
    print "</tr>"
  }
  print "</tbody>\n</table>"
  return i
}
# Writes a list. If there are empty lines between its items, each item becomes a paragraph.
function put_list(i,    tag, items, item, loose, k, word) {
  tag = line[i] ~ /^[0-9]/ ? "ol" : "ul"
  while (i <= count && is_item(i) && (line[i] ~ /^[0-9]/) == (tag == "ol")) {
    word = line[i]
    sub(/^[^ ]+ +/, "", word)
    item[++items] = paragraph(i, word)
    for (i = next_one; i <= count && blank(i); i++) ;
    if (i > next_one && i <= count && is_item(i) && (line[i] ~ /^[0-9]/) == (tag == "ol")) loose = 1
  }
  print "<" tag ">"
  for (k = 1; k <= items; k++) print loose ? "<li>\n<p>" inline(item[k]) "</p>\n</li>" : "<li>" inline(item[k]) "</li>"
  print "</" tag ">"
  return i
}
function put_code(i,    text, blanks) {
  for (; i <= count && (line[i] ~ /^    / || blank(i)); i++) {
    if (blank(i)) { blanks = blanks substr(line[i], 5) "\n"; continue }
    text = text blanks substr(line[i], 5) "\n"
    blanks = ""
  }
  printf "<pre><code>%s</code></pre>\n", escape(text)
  return i
}
BEGIN {
  n = split(pages, one, " ")
  for (i = 1; i <= n; i++) {
    k = index(one[i], "=")
    page[substr(one[i], 1, k - 1)] = substr(one[i], k + 1)
  }
}
{ line[++count] = $0 }
END {
  for (i = 1; i <= count; i++) if (match(line[i], /^#+ /)) section[slug(substr(line[i], RLENGTH + 1))] = 1
  for (i = 1; i <= count;) {
    if (blank(i)) i++
    else if (match(line[i], /^#+ /)) {
      k = RLENGTH - 1
      title = substr(line[i++], RLENGTH + 1)
      name = slug(title)
      name = named[name]++ ? name "-" (named[name] - 1) : name
      printf "<h%d id=\"%s\">%s</h%d>\n", k, name, inline(title), k
    } else if (is_table(i)) i = put_table(i)
    else if (is_item(i)) i = put_list(i)
    else if (line[i] ~ /^    /) i = put_code(i)
    else {
      print "<p>" inline(paragraph(i, line[i])) "</p>"
      i = next_one
    }
  }
}
