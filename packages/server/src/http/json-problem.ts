/**
 * What valid JSON may still hold that we cannot keep: nesting deeper than 64, numbers beyond every
 * number we know, U+0000 and lone surrogates, none of which PostgreSQL stores. Text of other tools may hold them; it is stored in
 * another spelling. The walk uses its own stack, so depth cannot overflow ours.
 */
const deepestJson = 64;

export function jsonProblem(
  root: unknown,
  allowed: { readonly anyText?: boolean } = {},
): { path: string; message: string } | undefined {
  return isPlain(root, allowed.anyText ?? false) ? undefined : findProblem(root, allowed);
}

/** Nearly every body is plain, so finding out where a problem lies is left to a second look. */
function isPlain(root: unknown, anyText: boolean): boolean {
  const values: unknown[] = [root];
  const depths: number[] = [0];
  while (values.length > 0) {
    const value = values.pop();
    const depth = depths.pop() as number;
    if (typeof value === 'string') {
      if (!anyText && textProblem(value) !== undefined) return false;
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return false;
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= deepestJson) return false;
      for (const key in value) {
        if (key === '__proto__' || (!anyText && textProblem(key) !== undefined)) return false;
        values.push((value as Record<string, unknown>)[key]);
        depths.push(depth + 1);
      }
    }
  }
  return true;
}

function findProblem(
  root: unknown,
  allowed: { readonly anyText?: boolean },
): { path: string; message: string } | undefined {
  const open: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: 'body', depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') {
      const message = allowed.anyText ? undefined : textProblem(value);
      if (message !== undefined) return { path, message };
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= deepestJson)
        return { path: 'body', message: `The body is nested deeper than ${deepestJson} levels.` };
      for (const [key, inner] of Object.entries(value)) {
        if (key === '__proto__' || (!allowed.anyText && textProblem(key) !== undefined))
          return { path, message: 'A field name holds characters that are not allowed.' };
        if (typeof inner === 'number' && !Number.isFinite(inner))
          return { path, message: 'A number is too large.' };
        const step = Array.isArray(value) ? `[${key}]` : `.${key}`;
        open.push({ value: inner, path: path + step, depth: depth + 1 });
      }
    }
  }
  return undefined;
}

export function textProblem(text: string): string | undefined {
  if (text.includes('\0')) return 'The text holds the character U+0000.';
  if (!text.isWellFormed()) return 'The text holds half of a character (a lone surrogate).';
  return undefined;
}
