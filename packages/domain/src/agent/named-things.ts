import { isRecord } from '../kernel/json.ts';
import type { AgentCall, AgentOperation } from './agent-operations.ts';
import { nameGivenTo, ordersIn, withoutSuiteName } from './words-of-message.ts';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

export function thingsIn(result: unknown): NamedThing[] {
  const items = isRecord(result) && Array.isArray(result['items']) ? result['items'] : [];
  return items.filter(isRecord).map((item) => {
    const names = [item['name'], item['title'], item['uri'], item['uriTemplate'], item['id']];
    const name = names.find(isText) ?? '';
    return { id: isText(item['id']) ? item['id'] : name, name };
  });
}

export type Found = { readonly thing: NamedThing } | { readonly ask: string };

export const longList = { limit: 200 } as const;

/** Whether a list has further items: `hasMore` is true, or an MCP server returned a cursor. */
export function hasMore(result: unknown): boolean {
  return isRecord(result) && (result['hasMore'] === true || isText(result['nextCursor']));
}

/**
 * Finds the item whose exact name occurs in the message. Without a name in the message, returns the
 * listed item if there is only one.
 */
export function findNamed(message: string, listed: unknown, what: 'server' | 'suite'): Found {
  const things = thingsIn(listed);
  const names = things.map(({ name }) => name);
  const given = nameGivenTo(what, message, names);
  const ofThings = what === 'server' ? withoutSuiteName(message) : message;
  const mentioned = new Set(namesIn(ordersIn(ofThings, names), names));
  const isKnown = given === undefined || names.includes(given);
  const meant = isKnown ? things.filter(({ name }) => name === given || mentioned.has(name)) : [];
  const [only, ...others] = meant.length > 0 ? meant : things;
  const isOnly = others.length === 0 && (meant.length > 0 || !hasMore(listed));
  if (only !== undefined && isOnly && isKnown) return { thing: only };
  if (things.length === 0) return { ask: `There is no ${what} in this project yet.` };
  const shownNames = names.slice(0, 10).map((name) => JSON.stringify(name));
  const more = names.length > shownNames.length || hasMore(listed) ? ' and others' : '';
  const which = `${shownNames.join(', ')}${more}`;
  return {
    ask: isKnown
      ? `Which ${what} do you mean: ${which}? Write its exact name.`
      : `I know no ${what} called ${JSON.stringify(given)}. There is ${which}. Write the exact name of one.`,
  };
}

/** Returns the things whose exact names occur in the message. */
export function mentionedIn<Thing extends NamedThing>(
  message: string,
  things: readonly Thing[],
): Thing[] {
  const names = things.map(({ name }) => name);
  const mentioned = new Set(namesIn(ordersIn(message, names), names));
  return things.filter(({ name }) => mentioned.has(name));
}

export function outcomeOfCall(
  calls: readonly AgentCall[],
  operation: AgentOperation,
): AgentCall['outcome'] | undefined {
  return calls.find((call) => call.operation === operation)?.outcome;
}

/**
 * Returns the names that occur in the text as whole words. Longer names come first, so that `Shop
 * EU` is not read as `Shop`.
 */
function namesIn(text: string, names: readonly string[]): string[] {
  const isPart = (character: string | undefined) => /[\p{L}\p{N}]/u.test(character ?? ' ');
  let left = text;
  return [...names]
    .sort((one, other) => other.length - one.length)
    .filter((name) => {
      const parts = name === '' ? [left] : left.split(name);
      const places = parts
        .slice(1)
        .map((after, index) => !isPart(parts[index]?.at(-1)) && !isPart(after[0]));
      if (places.includes(true)) left = parts.join('\n');
      return places.includes(true);
    });
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
