/**
 * A text with templates: `{{name}}` stands for what the row calls so, `\{{` for two braces. Braces that are neither are
 * a mistake worth telling, for they would reach a model or a server as they stand.
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
    if (name === '') return { problem: 'Between {{ and }} stands the name of a column.' };
    parts.push(before, name === undefined ? '{{' : { name });
  }
  const rest = text.slice(end);
  if (isTemplate(rest)) return { problem: notClosed };
  return { parts: [...parts, rest].filter((part) => part !== '') };
}

const notClosed =
  '{{ begins the name of a column, which ends with }}; for two braces as they stand write \\{{.';

/** As it stands inside a text. */
export function textOfValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
