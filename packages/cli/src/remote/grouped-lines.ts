import type { WrapSentence } from './indented-lines.ts';

export interface TitledSentences {
  readonly title: string;
  readonly sentences: readonly string[];
}

/**
 * Prints rows with the same sentences together, first their titles and then the sentences once. Ten
 * cases that came out alike then fit on a screen. A group has the place of its first row.
 */
export function groupedLines(rows: readonly TitledSentences[], wrap: WrapSentence): string[] {
  const groups = new Map<string, { titles: string[]; sentences: readonly string[] }>();
  for (const { title, sentences } of rows) {
    const key = JSON.stringify(sentences);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { titles: [title], sentences });
    else group.titles.push(title);
  }
  return [...groups.values()].flatMap(({ titles, sentences }) => [
    ...titles.flatMap((title) => wrap(title)),
    ...sentences.flatMap((sentence) => wrap(sentence, '  ')),
  ]);
}
