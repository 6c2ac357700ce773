import { sentenceWrapper } from './indented-lines.ts';
import type { TerminalAbility } from './terminal.ts';

export interface Offer {
  readonly name: string;
  readonly description?: string | undefined;
}

export function listingLines(
  offers: readonly Offer[],
  none: string,
  ability: TerminalAbility,
): string[] {
  if (offers.length === 0) return [none];
  const wrap = sentenceWrapper(ability);
  return offers.flatMap(({ name, description = '' }) => [
    ...wrap(name),
    ...(description.trim() === '' ? [] : wrap(description, '  ')),
  ]);
}

/** Returns a tool's signature, such as `add(a, b, note?)`. */
export function signatureOf(name: string, schema: unknown): string {
  const { properties, required } = Object(schema) as { properties?: object; required?: unknown };
  const needed = new Set(Array.isArray(required) ? required : []);
  const names = Object.keys(Object(properties)).map((one) => (needed.has(one) ? one : `${one}?`));
  return `${name}(${names.join(', ')})`;
}
