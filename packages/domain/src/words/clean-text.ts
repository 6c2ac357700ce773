/**
 * Makes untrusted text safe for one line on a screen. White space becomes one space. Characters
 * that control a terminal or the direction of text become U+FFFD. Long text is cut, and the number
 * of missing characters is appended.
 */
const maximumLength = 400;
// Control characters, marks that change the direction of text, and line separators.
const steering = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export function cleanText(text: string, ascii: boolean): string {
  const whole = text.toWellFormed().replaceAll(/\s+/g, ' ').replaceAll(steering, '\ufffd').trim();
  const signs = [...whole];
  const missing = signs.length - maximumLength;
  const shown =
    missing > 0 ? `${signs.slice(0, maximumLength).join('')}… (${missing} more characters)` : whole;
  return (ascii ? toAscii(shown) : shown) || '(empty)';
}

export function toAscii(text: string): string {
  return text
    .replaceAll('…', '...')
    .replaceAll('–', '-')
    .replaceAll('·', '-')
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[^\n\x20-\x7e]/gu, '?');
}
