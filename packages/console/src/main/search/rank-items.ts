export interface SearchItem {
  readonly href: string;
  readonly kind: string;
  readonly name: string;
  readonly place?: string;
  readonly words?: string;
}

/**
 * Returns the items that contain every typed word. Items whose names begin with the whole typed
 * text come first; equally ranked items keep their order.
 */
export function rankItems(items: readonly SearchItem[], typed: string): SearchItem[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...items];
  return items
    .map((item) => ({ item, score: scoreOf(item, words, words.join(' ')) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ item }) => item);
}

function scoreOf(item: SearchItem, words: readonly string[], whole: string): number {
  const name = item.name.toLowerCase();
  const beside = `${item.kind} ${item.place ?? ''}`.toLowerCase();
  let score = 0;
  for (const word of words) {
    const isAlsoCalled = hasWordOf(item.words?.toLowerCase() ?? '', word);
    const found = placeOfWord(name, word) || (isAlsoCalled ? 2 : beside.includes(word) ? 1 : 0);
    if (found === 0) return 0;
    score += found;
  }
  return score + (name === whole ? 20 : name.startsWith(whole) ? 10 : 0);
}

/** A match at the start of a word ranks above a match inside a word. */
function placeOfWord(name: string, word: string): number {
  if (!name.includes(word)) return 0;
  return hasWordOf(name, word) ? 4 : 2;
}

function hasWordOf(text: string, beginning: string): boolean {
  return text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(beginning));
}

/**
 * Returns a search item for a pasted run id. The link contains no project, because the run's page
 * finds the project.
 */
export function runOfId(typed: string): SearchItem | undefined {
  const [id] = /\brun_[0-9a-z]{10,}\b/i.exec(typed) ?? [];
  return id === undefined
    ? undefined
    : { href: `/evals/suite/-/runs/${id}`, kind: 'run', name: `Open ${id}` };
}
