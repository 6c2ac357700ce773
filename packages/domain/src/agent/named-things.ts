/** Things with names, and which of them a message speaks of. */
import { isRecord } from '../kernel/json.ts';
import type { AgentCall, AgentOperation } from './agent-operations.ts';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** What a list answered, as far as it has ids and names. */
export function thingsIn(result: unknown): NamedThing[] {
  const items = isRecord(result) && Array.isArray(result['items']) ? result['items'] : [];
  return items.filter(isRecord).map((item) => {
    const name = [item['name'], item['title'], item['uri'], item['id']].find(isText) ?? '';
    return { id: isText(item['id']) ? item['id'] : name, name };
  });
}

export type Found = { readonly thing: NamedThing } | { readonly ask: string };

/** The one whose exact name stands in the message, else the only one there is. */
export function findNamed(message: string, things: readonly NamedThing[], what: string): Found {
  const mentioned = things.filter(({ name }) => stands(name, message));
  // `Shop` stands in `Shop EU` too; who writes the longer name means that one.
  const meant = mentioned.filter(
    ({ name }) => !mentioned.some((other) => other.name !== name && other.name.includes(name)),
  );
  const [only, ...others] = meant.length > 0 ? meant : things;
  if (only !== undefined && others.length === 0) return { thing: only };
  if (things.length === 0) return { ask: `There is no ${what} in this project yet.` };
  const names = things.slice(0, 10).map(({ name }) => JSON.stringify(name));
  return { ask: `Which ${what} do you mean: ${names.join(', ')}? Write its exact name.` };
}

export function outcomeOfCall(
  calls: readonly AgentCall[],
  operation: AgentOperation,
): AgentCall['outcome'] | undefined {
  return calls.find((call) => call.operation === operation)?.outcome;
}

/** As a word or words of its own. */
function stands(name: string, message: string): boolean {
  if (name === '') return false;
  const isPart = (character: string | undefined) => /[\p{L}\p{N}]/u.test(character ?? ' ');
  for (let at = message.indexOf(name); at >= 0; at = message.indexOf(name, at + 1)) {
    if (!isPart(message[at - 1]) && !isPart(message[at + name.length])) return true;
  }
  return false;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
