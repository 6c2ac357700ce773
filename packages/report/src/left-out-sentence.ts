import {
  count,
  join,
  type LeftOut,
  type RefusedTool,
  type Sentence,
  say,
  theirs,
} from '@proofmark/domain';

const shownNames = 5;

/** Skips tools with rejected calls, because another sentence names them. */
export function leftOutSentences(
  { cases, tools, unlisted }: LeftOut = {},
  refused: readonly RefusedTool[] = [],
): Sentence[] {
  const names = new Set(refused.map(({ toolName }) => toolName));
  const others = tools?.items.filter(({ toolName }) => !names.has(toolName)) ?? [];
  const total = (tools?.total ?? 0) - (tools?.items.length ?? 0) + others.length;
  return [
    ...(cases === undefined
      ? []
      : [
          say`Left out: ${count(cases.total, 'case')} switched off: ${named(cases.titles, cases)}.`,
        ]),
    ...(total === 0
      ? []
      : [
          say`Left out: ${count(total, 'tool')} held for writing: ${named(
            others.map(({ toolName }) => toolName),
            { total },
          )}; allowWrites allows tools by name.`,
        ]),
    ...(unlisted === undefined
      ? []
      : [
          say`Warning: allowWrites names ${count(unlisted.total, 'tool')} that no server listed: ${named(
            unlisted.toolNames,
            unlisted,
          )}; correct or remove ${unlisted.total === 1 ? 'the name' : 'the names'}.`,
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
