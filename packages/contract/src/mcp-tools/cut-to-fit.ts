/**
 * Shortens a response so that it fits into a model's context. Long texts lose their end and long
 * lists their last items.
 */
export interface FittedValue {
  readonly value: unknown;
  /** Descriptions of the removed parts, each beginning with its path. */
  readonly cuts: readonly string[];
}

/** Maximum text length in characters and list length in items, from generous to strict. */
const steps = [
  { text: 8000, list: 400 },
  { text: 2000, list: 100 },
  { text: 500, list: 30 },
  { text: 200, list: 10 },
  { text: 100, list: 4 },
] as const;

/**
 * Returns undefined if even the strictest cut is too long. A page loses items only if shorter texts
 * do not suffice. Its cursor is then removed too, because the next page would skip the removed
 * items.
 */
export function cutToFit(
  value: unknown,
  mostCharacters: number,
  isPage: boolean,
): FittedValue | undefined {
  if (lengthOf(value) <= mostCharacters) return { value, cuts: [] };
  for (const most of steps) {
    const cuts: string[] = [];
    const cut = cutValue(value, '', most, isPage, cuts);
    if (lengthOf(cut) <= mostCharacters) return { value: cut, cuts };
  }
  return isPage ? cutRows(value, mostCharacters) : undefined;
}

function cutRows(page: unknown, mostCharacters: number): FittedValue | undefined {
  const { items, nextCursor: _behindAll, ...rest } = Object(page) as Record<string, unknown>;
  if (!Array.isArray(items)) return undefined;
  for (const most of steps.slice(-2)) {
    const cuts: string[] = [];
    const around = Object(cutValue({ ...rest, items: [] }, '', most, true, cuts)) as object;
    let left = mostCharacters - lengthOf(around);
    const kept: unknown[] = [];
    for (const [at, item] of items.entries()) {
      const ofRow: string[] = [];
      const row = cutValue(item, `items[${at}]`, most, true, ofRow);
      left -= lengthOf(row) + 1;
      if (left < 0) break;
      kept.push(row);
      cuts.push(...ofRow);
    }
    if (kept.length === 0) continue;
    const again = `call again with limit ${kept.length} to get these items and the nextCursor after them`;
    const ofRows = `items (${kept.length} of ${items.length}; ${again})`;
    return { value: { ...around, items: kept }, cuts: [ofRows, ...cuts] };
  }
  return undefined;
}

function cutValue(
  value: unknown,
  path: string,
  most: (typeof steps)[number],
  isPage: boolean,
  cuts: string[],
): unknown {
  if (typeof value === 'string') {
    if (value.length <= most.text) return value;
    cuts.push(`${path} (${most.text} of ${value.length} characters)`);
    return `${wholeCharacters(value, most.text - 1)}…`;
  }
  if (Array.isArray(value)) {
    const keepsAll = value.length <= most.list || (isPage && path === 'items');
    if (!keepsAll) cuts.push(`${path} (${most.list} of ${value.length})`);
    return (keepsAll ? value : value.slice(0, most.list)).map((inner, at) =>
      cutValue(inner, `${path}[${at}]`, most, isPage, cuts),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      // A cursor is never cut, because a part of it would be useless.
      key === 'nextCursor'
        ? inner
        : cutValue(inner, path === '' ? key : `${path}.${key}`, most, isPage, cuts),
    ]),
  );
}

/** Cuts a text without splitting a surrogate pair. */
function wholeCharacters(text: string, length: number): string {
  return text.slice(0, /[\uD800-\uDBFF]/.test(text[length - 1] ?? '') ? length - 1 : length);
}

function lengthOf(value: unknown): number {
  return JSON.stringify(value).length;
}
