/**
 * Finds texts without quotes that YAML ends at a `#`, as in `ask: Where is order #5?`. A `#` with a
 * space after it is an intended comment, so only the others are reported.
 */
import { type Document, isCollection, isPair, isScalar, type Node, type Pair, visit } from 'yaml';

export interface CutText {
  readonly path: string;
  readonly offset: number;
  readonly message: string;
}

/** The keys of a case whose values are texts for a person, a model or a tool. */
const textKeys: ReadonlySet<unknown> = new Set([
  ...['ask', 'says', 'returns', 'fails', 'title', 'prompt', 'text', 'substring', 'value'],
  ...['needle', 'pattern', 'reference', 'outcome', 'contains', 'equals', 'messageContains'],
]);

/** Keys whose values have keys of any name: the arguments of a call, and the rows of a case. */
const openKeys: ReadonlySet<unknown> = new Set(['arguments', 'args', 'rows']);

/** Returns the texts of the cases that end at a `#`; `text` is what the document was read from. */
export function cutTexts(document: Document.Parsed, text: string): CutText[] {
  const found: CutText[] = [];
  visit(document, {
    Scalar(key, node, parents) {
      const { type, value, range } = node;
      if (key === 'key' || type !== 'PLAIN' || typeof value !== 'string' || !range) return;
      const line = text.slice(range[1], range[1] + longestLine);
      const [, lost] = /^[ \t]+(#[\p{L}\p{N}][^\r\n]*)/u.exec(line) ?? [];
      if (lost === undefined || !isText(keysOf(parents))) return;
      const path = pathOf(node, parents);
      if (!path.startsWith('cases[')) return;
      const shown = lost.length > longestShown ? `${lost.slice(0, longestShown)}…` : lost;
      const message = `YAML takes ${JSON.stringify(shown)} for a comment, so the text ends before it; put the text in quotes.`;
      found.push({ path, offset: range[0], message });
    },
  });
  return found.slice(0, mostTold);
}

const longestLine = 500;
const longestShown = 40;
const mostTold = 20;

type Parents = readonly (Document | Node | Pair)[];

function keysOf(parents: Parents): unknown[] {
  return parents.filter(isPair).map(({ key }) => (isScalar(key) ? key.value : undefined));
}

function isText(keys: readonly unknown[]): boolean {
  return textKeys.has(keys.at(-1)) || keys.some((key) => openKeys.has(key));
}

function pathOf(node: Node, parents: Parents): string {
  const steps = parents.flatMap((parent, index) => {
    const inner = parents[index + 1] ?? node;
    if (isPair(parent)) return [`.${isScalar(parent.key) ? String(parent.key.value) : ''}`];
    if (!isCollection(parent) || isPair(inner)) return [];
    const items: readonly unknown[] = parent.items;
    return [`[${items.indexOf(inner)}]`];
  });
  return steps.join('').slice(1);
}
