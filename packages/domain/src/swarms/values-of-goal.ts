/** Values for replies to a question: from the goal and from the persona's notes. */
import { quotedText } from './intents-of-goal.ts';

/**
 * Returns the value whose name is in the question: `city: Oslo`, `the city is Oslo`, `city=Oslo`.
 */
export function namedValue(texts: readonly string[], question: string): string | undefined {
  const asked = new Set(wordsOf(question));
  for (const text of texts) {
    for (const { groups } of text.matchAll(namedPattern)) {
      const name = groups?.['name']?.toLowerCase() ?? '';
      const value = withoutQuotes(groups?.['value'] ?? '');
      if (value !== '' && asked.has(name) && !pointingWords.has(name)) return value;
    }
  }
  return undefined;
}

/** Returns quoted texts, dates and numbers, in order. */
export function valuesOf(goal: string): string[] {
  const taken: { readonly at: number; readonly value: string }[] = [];
  let rest = goal;
  for (const pattern of [quotedText, datePattern, numberPattern]) {
    rest = rest.replaceAll(pattern, (found, ...more) => {
      const at = more.find((one): one is number => typeof one === 'number') ?? 0;
      taken.push({ at, value: withoutQuotes(found) });
      return ' '.repeat(found.length);
    });
  }
  return taken.sort((one, other) => one.at - other.at).map(({ value }) => value);
}

const namedPattern =
  /(?<name>[\p{L}_][\p{L}\p{N}_-]*)(?:\s*[:=]\s*|\s+is\s+)(?!\/\/)(?<value>"[^"\n]+"|“[^”\n]+”|(?:(?!\.(?:\s|$))[^,;\n]){1,200})/gu;
const datePattern = /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b/g;
const numberPattern = /(?<![\p{L}\p{N}_])-?\d+(?:[.,]\d+)*(?![\p{L}\p{N}_])/gu;
/** Words that name no value before `is`. */
const pointingWords = new Set(
  'he here how i it she that there they this what when where which who why you'.split(' '),
);

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
}

function withoutQuotes(text: string): string {
  const trimmed = text.trim();
  return /^(?:"[^"]*"|“[^”]*”|«[^»]*»|`[^`]*`|'[^']*')$/u.test(trimmed)
    ? trimmed.slice(1, -1).trim()
    : trimmed;
}
