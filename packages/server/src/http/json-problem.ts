/**
 * What valid JSON may still hold that we cannot keep: nesting deeper than 64, U+0000 and lone
 * surrogates, none of which PostgreSQL stores. Text of other tools may hold them; it is stored in
 * another spelling. The walk uses its own stack, so depth cannot overflow ours.
 */
const deepestJson = 64;

export function jsonProblem(
  root: unknown,
  allowed: { readonly anyText?: boolean } = {},
): { path: string; message: string } | undefined {
  const open: { value: unknown; path: string; depth: number }[] = [
    { value: root, path: 'body', depth: 0 },
  ];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, path, depth } = next;
    if (typeof value === 'string') {
      const message = textProblem(value);
      if (message !== undefined) return { path, message };
    } else if (typeof value === 'object' && value !== null) {
      if (depth >= deepestJson)
        return { path: 'body', message: `The body is nested deeper than ${deepestJson} levels.` };
      for (const [key, inner] of Object.entries(value)) {
        if (key === '__proto__' || (!allowed.anyText && textProblem(key) !== undefined))
          return { path, message: 'A field name holds characters that are not allowed.' };
        const isOpen = typeof inner === 'object' || (typeof inner === 'string' && !allowed.anyText);
        if (!isOpen) continue;
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
