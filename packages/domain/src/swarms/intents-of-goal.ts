/**
 * Splits a goal into intents (single requests). Quoted text stays whole. A piece of one or two
 * words without a quote or a digit is no request and is left out. If no piece is left, the whole
 * goal is one intent.
 */
export function intentsOfGoal(goal: string): string[] {
  const quotes: string[] = [];
  const masked = goal.replaceAll(quotedText, (quote) => {
    quotes.push(quote);
    return quoteMark;
  });
  const pieces = masked.split(/\r?\n/).flatMap((line) => line.replace(listMark, '').split(between));
  let shown = 0;
  const whole = pieces.map((piece) =>
    piece
      .replaceAll(quoteMark, () => quotes[shown++] ?? '')
      .replace(leadingWord, '')
      .trim()
      .replace(/\.+$/, ''),
  );
  const asked = whole.filter(asksForSomething);
  return asked.length === 0 ? [goal.trim()] : asked.slice(0, mostIntents);
}

export const quotedText =
  /"[^"\n]+"|“[^“”\n]+”|«[^«»\n]+»|`[^`\n]+`|(?<![\p{L}\p{N}])'[^'\n]+'(?![\p{L}\p{N}])/gu;

const mostIntents = 20;
/** A placeholder for quoted text: a private use character, which people's texts do not contain. */
const quoteMark = '\uE000';
const listMark = /^\s*(?:[-*•–]|\d{1,3}[.)]|\p{L}\))\s+/u;
const between = /\.\s+|;\s+|,?\s+(?:and then|then|after that|finally),?\s+/i;
const leadingWord = /^\s*(?:and then|then|after that|finally),?\s+/i;

function asksForSomething(piece: string): boolean {
  const words = piece.split(/\s+/).filter((word) => word !== '').length;
  return words >= 3 || (words > 0 && (/\d/.test(piece) || piece.search(quotedText) >= 0));
}
