/**
 * Lines below a verdict: tools and cases that were left out, each with its reason, and generated
 * prompts that nobody has reworded yet. Tools with the same reason share a line.
 */
import { cleanText, count } from '@proofmark/domain';

export interface LeftOutItem {
  readonly name: string;
  /** Follows the name as a clause. */
  readonly reason: string;
}

const mostGroups = 6;
const mostPrompts = 2;

/** Empty if nothing was left out. A tool that several suites leave out is listed once. */
export function leftOutLines(items: readonly LeftOutItem[], width: number): string[] {
  if (items.length === 0) return [];
  const groups = new Map<string, Set<string>>();
  for (const { name, reason } of items) {
    const key = sharedReason(reason);
    groups.set(key, (groups.get(key) ?? new Set()).add(cleanText(name, false)));
  }
  const shown = [...groups].slice(0, mostGroups);
  const rest = [...groups].slice(mostGroups).reduce((sum, [, names]) => sum + names.size, 0);
  return [
    'Left out:',
    ...shown.map(([reason, names]) => cut(`  ${[...names].join(', ')}`, reason, width)),
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** Empty if a person has worded every prompt. */
export function ownWordsLines(prompts: readonly string[], width: number): string[] {
  if (prompts.length === 0) return [];
  const shown = prompts.slice(0, mostPrompts);
  const rest = prompts.length - shown.length;
  return [
    `Put into your own words: ${count(prompts.length, 'prompt')} made of names alone${rest > 0 ? ', such as' : ''}`,
    ...shown.map((prompt) => shortened(`  ${cleanText(prompt, false)}`, width)),
  ];
}

/**
 * Replaces the part of a reason that differs between tools, so that similar tools share a reason.
 */
function sharedReason(reason: string): string {
  return cleanText(reason, false).replace(
    /^held for writing: not annotated readOnlyHint: true, and its (name says|parameter) .*$/,
    (_, by: string) =>
      `may write by its ${by === 'parameter' ? by : 'name'}, without readOnlyHint: true`,
  );
}

/** Shortens the names before the reason, because the reason states what to do. */
function cut(names: string, reason: string, width: number): string {
  const namesWidth = Math.max(width - reason.length - 2, 20);
  return shortened(`${shortened(names, namesWidth)}: ${reason}`, width);
}

function shortened(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}
