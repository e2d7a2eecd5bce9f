// Searches INDEX (index.js, by scripts/site.py) for the words in the field; places whose name has the words come first.
const field = document.querySelector('input'), list = document.querySelector('#found')
const look = () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(w => w)
  const scored = []
  for (const [page, name, title, head, text] of words.length ? INDEX : []) {
    const first = head.toLowerCase(), all = `${first} ${title} ${text}`.toLowerCase()
    if (!words.every(w => all.includes(w))) continue
    let score = 0
    for (const w of words) score += first === w ? 8 : first.startsWith(w) ? 4 : first.includes(w) ? 2 : 0
    scored.push([score, page, name, title, head, text])
  }
  scored.sort((a, b) => b[0] - a[0])
  list.replaceChildren(...scored.slice(0, 40).map(([, page, name, title, head, text]) => {
    const item = document.createElement('li'), link = document.createElement('a')
    link.href = `${page}#${encodeURIComponent(name)}`
    link.textContent = head
    item.append(link, ` ${title}. ${text}`)
    return item
  }))
  document.querySelector('#count').textContent = words.length ? `${scored.length} places` : ''
}
field.value = new URLSearchParams(location.search).get('q') || ''
field.addEventListener('input', look)
look()
