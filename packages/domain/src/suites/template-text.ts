/**
 * A text with templates: `{{name}}` is replaced by the row's value, and `\{{` by two braces. Any
 * other double brace is an error, since it would reach a model or a server unchanged.
 */
export type TemplatePart = string | { readonly name: string };

const template = /\\\{\{|\{\{([^{}]*)\}\}/g;

export function isTemplate(text: string): boolean {
  return text.includes('{{');
}

export function readTemplate(
  text: string,
): { readonly parts: readonly TemplatePart[] } | { readonly problem: string } {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const match of text.matchAll(template)) {
    const before = text.slice(end, match.index);
    if (isTemplate(before)) return { problem: notClosed };
    end = match.index + match[0].length;
    const name = match[1]?.trim();
    if (name === '') return { problem: 'Write the name of a column between {{ and }}.' };
    parts.push(before, name === undefined ? '{{' : { name });
  }
  const rest = text.slice(end);
  if (isTemplate(rest)) return { problem: notClosed };
  return { parts: [...parts, rest].filter((part) => part !== '') };
}

const notClosed =
  '{{ begins the name of a column, which ends with }}; for a literal {{ write \\{{.';

/** Escapes double braces, so that filling in a row returns the original text. */
export function escapeTemplate(text: string): string {
  return text.replaceAll('{{', '\\{{');
}

export function escapeTemplates<Value>(value: Value): Value {
  if (typeof value === 'string') return escapeTemplate(value) as Value;
  if (Array.isArray(value)) return value.map(escapeTemplates) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]) => [name, escapeTemplates(one)]);
  return Object.fromEntries(entries) as Value;
}

export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
