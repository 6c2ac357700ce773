/**
 * Finds addresses in an assistant's text to show them as links. Everything else stays plain text.
 */
export type TextPiece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string; readonly host: string };

const address = /\bhttps?:\/\/[^\s<>"'`\\^{|}]+/gi;
/** Punctuation directly after an address belongs to the sentence, not to the address. */
const sentenceEnd = /[.,;:!?)\]*_]+$/;

export function piecesOf(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (const match of text.matchAll(address)) {
    const found = match[0].replace(sentenceEnd, '');
    const url = readUrl(found);
    if (url === undefined) continue;
    if (match.index > at) pieces.push({ kind: 'text', text: text.slice(at, match.index) });
    pieces.push({ kind: 'link', text: found, href: url.href, host: url.host });
    at = match.index + found.length;
  }
  if (at < text.length) pieces.push({ kind: 'text', text: text.slice(at) });
  return pieces;
}

function readUrl(text: string): URL | undefined {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.host !== '' ? url : undefined;
}
