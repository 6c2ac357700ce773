/**
 * Finds parts of valid JSON that cannot be stored: nesting deeper than 64, numbers out of range,
 * and U+0000 and lone surrogates, which PostgreSQL rejects. The walk has an explicit stack, so deep
 * nesting cannot overflow the call stack. Lists are walked by index, since listing a million keys
 * costs more than reading the values.
 */
const deepestJson = 64;

export function jsonProblem(
  root: unknown,
  allowed: { readonly anyText?: boolean } = {},
): { path: string; message: string } | undefined {
  return isPlain(root, allowed.anyText ?? false) ? undefined : findProblem(root, allowed);
}

/**
 * A fast check that does not track positions, since almost every body is plain. Only if it fails, a
 * second walk locates the problem.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk with stacks of its own in place of recursion, which ends at the first thing that is not plain.
function isPlain(root: unknown, anyText: boolean): boolean {
  if (!isObject(root)) return isPlainLeaf(root, anyText);
  const objects: object[] = [root];
  const depths: number[] = [0];
  const take = (inner: unknown, depth: number): boolean => {
    if (!isObject(inner)) return isPlainLeaf(inner, anyText);
    objects.push(inner);
    depths.push(depth + 1);
    return true;
  };
  for (let value = objects.pop(); value !== undefined; value = objects.pop()) {
    const depth = depths.pop() as number;
    if (depth >= deepestJson) return false;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at += 1) if (!take(value[at], depth)) return false;
    } else {
      for (const key in value) {
        if (!isPlainName(key, anyText)) return false;
        if (!take((value as Record<string, unknown>)[key], depth)) return false;
      }
    }
  }
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isPlainLeaf(value: unknown, anyText: boolean): boolean {
  if (typeof value === 'string') return anyText || textProblem(value) === undefined;
  return typeof value !== 'number' || Number.isFinite(value);
}

function isPlainName(name: string, anyText: boolean): boolean {
  return name !== '__proto__' && (anyText || textProblem(name) === undefined);
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one walk with a stack of its own in place of recursion, which returns the first problem it finds.
function findProblem(
  root: unknown,
  { anyText = false }: { readonly anyText?: boolean },
): { path: string; message: string } | undefined {
  const open: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: 'body', depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') {
      const message = anyText ? undefined : textProblem(value);
      if (message !== undefined) return { path, message };
    } else if (isObject(value)) {
      if (depth >= deepestJson)
        return { path: 'body', message: `The body is nested deeper than ${deepestJson} levels.` };
      const names = Array.isArray(value) ? undefined : Object.keys(value);
      const count = names?.length ?? (value as unknown[]).length;
      for (let at = 0; at < count; at += 1) {
        const name = names?.[at];
        if (name !== undefined && !isPlainName(name, anyText))
          return { path, message: 'A field name contains characters that are not allowed.' };
        const inner = (value as Record<string | number, unknown>)[name ?? at];
        if (typeof inner === 'number' && !Number.isFinite(inner))
          return { path, message: 'A number is too large.' };
        if (!isObject(inner) && isPlainLeaf(inner, anyText)) continue;
        const step = name === undefined ? `[${at}]` : `.${name}`;
        open.push({ value: inner, path: path + step, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

export function textProblem(text: string): string | undefined {
  if (text.includes('\0'))
    return 'The text contains the character U+0000, which cannot be stored; remove it.';
  if (!text.isWellFormed())
    return 'The text contains half of a character (a lone surrogate), which cannot be stored; remove it.';
  return undefined;
}
