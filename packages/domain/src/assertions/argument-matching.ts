/**
 * Ways to compare the expected with the actual arguments of a call.
 *
 * - `ignore`: every call matches.
 * - `exact`: deep equality, in any order of keys.
 * - `partial`: each expected top-level key must be present with a deeply equal value. Further keys
 *   are allowed, and an empty expectation always matches. A top-level word such as `any` or
 *   `number` matches every value of that type.
 */
export const argumentMatchings = ['partial', 'exact', 'ignore'] as const;
export type ArgumentMatching = (typeof argumentMatchings)[number];

export function argumentsMatch(
  expected: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
  mode: ArgumentMatching,
): boolean {
  if (mode === 'ignore') return true;
  if (mode === 'exact') return deepEqual(expected, actual);
  return Object.keys(expected).every(
    (key) => Object.hasOwn(actual, key) && meets(expected[key], actual[key]),
  );
}

/**
 * Uses its own stack instead of recursion, so that deeply nested hostile input cannot overflow the
 * call stack.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one comparison whose refusals follow each other; each kind of difference is one line.
export function deepEqual(one: unknown, other: unknown): boolean {
  const pairs: [unknown, unknown][] = [[one, other]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [left, right] = pair;
    if (left === right || (Number.isNaN(left) && Number.isNaN(right))) continue;
    if (!isObject(left) || !isObject(right)) return false;
    if (Array.isArray(left) !== Array.isArray(right)) return false;
    const keys = Object.keys(left);
    if (keys.length !== Object.keys(right).length) return false;
    for (const key of keys) {
      if (!Object.hasOwn(right, key)) return false;
      pairs.push([left[key], right[key]]);
    }
  }
  return true;
}

const placeholders: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['any', (value) => value !== undefined],
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => typeof value === 'number'],
  ['boolean', (value) => typeof value === 'boolean'],
  ['object', (value) => isObject(value) && !Array.isArray(value)],
  ['array', (value) => Array.isArray(value)],
  ['null', (value) => value === null],
]);

/**
 * Whether `partial` matching reads the value as a type name, such as `any` or `number`. Such a word
 * cannot be expected literally.
 */
export function isTypeWord(expected: unknown): boolean {
  return placeholderOf(expected) !== undefined;
}

function placeholderOf(expected: unknown): ((value: unknown) => boolean) | undefined {
  return typeof expected === 'string' ? placeholders.get(expected.trim().toLowerCase()) : undefined;
}

function meets(expected: unknown, actual: unknown): boolean {
  const placeholder = placeholderOf(expected);
  return placeholder === undefined ? deepEqual(expected, actual) : placeholder(actual);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
