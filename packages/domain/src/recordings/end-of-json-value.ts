/**
 * Returns the end of a JSON value inside a text, from its beginning. Its quotes are escaped as
 * often as those of its key.
 */
export function endOfJsonValue(text: string, from: number, escapes: string): number {
  const quote = `${escapes}"`;
  if (text.startsWith(quote, from)) return textEnd(text, from + quote.length, escapes);
  const first = text[from];
  if (first !== '{' && first !== '[') {
    const literal = /[^\s,;}\])\\"]*/y;
    literal.lastIndex = from;
    return from + (literal.exec(text)?.[0].length ?? 0);
  }
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const one = text[at];
    if (text.startsWith(quote, at)) at = textEnd(text, at + quote.length, escapes) - 1;
    else if (one === '{' || one === '[') depth += 1;
    else if (one === '}' || one === ']') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

/**
 * Returns the position behind the closing quote, which is the one with too few backslashes to be
 * part of the content.
 */
function textEnd(text: string, from: number, escapes: string): number {
  const level = escapes.length;
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (at - 1 - backslashes >= from && text[at - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % (2 * (level + 1)) === level) return at + 1;
  }
  return text.length;
}
