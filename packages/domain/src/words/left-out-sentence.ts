/** What a run left out on purpose, in words, and how to have it played. */
import type { LeftOut } from '../trials/left-out.ts';
import { count, join, type Sentence, say, theirs } from './say.ts';

const shownNames = 5;

export function leftOutSentences({ cases, tools }: LeftOut = {}): Sentence[] {
  return [
    ...(cases === undefined
      ? []
      : [
          say`Left out: ${count(cases.total, 'case')} switched off: ${named(cases.titles, cases)}.`,
        ]),
    ...(tools === undefined
      ? []
      : [
          say`Left out: ${count(tools.total, 'tool')} held for writing: ${named(
            tools.items.map(({ toolName }) => toolName),
            tools,
          )}; allowWrites allows tools by name.`,
        ]),
  ];
}

function named(names: readonly string[], { total }: { readonly total: number }): Sentence {
  const shown = names.slice(0, shownNames);
  const more = total - shown.length;
  return join(
    [...shown.map((one) => say`${theirs(one)}`), ...(more > 0 ? [say`${more} more`] : [])],
    ', ',
    ' and ',
  );
}
