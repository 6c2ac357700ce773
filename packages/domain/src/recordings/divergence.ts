/**
 * The first difference between a replayed trial and its recording, as fields and as one sentence.
 */
import * as z from 'zod';
import { canonicalJson } from '../kernel/canonical-json.ts';
import { firstDifference, type ValueDifference } from './first-difference.ts';

export const divergenceSides = ['model', 'server'] as const;
export const divergenceKinds = [
  'listing',
  'result',
  'error',
  'request',
  'call',
  'missing',
] as const;
export const maxDivergenceText = 2000;

const DivergenceText = z.string().max(maxDivergenceText);

export const Divergence = z
  .object({
    side: z.enum(divergenceSides),
    kind: z.enum(divergenceKinds),
    serverName: z.string().optional(),
    toolName: z.string().optional(),
    turn: z.number().int().min(0),
    call: z.number().int().min(1).optional().meta({
      description: 'The number of this call among the equal calls of the trial, from 1.',
    }),
    path: z.string().meta({ description: 'A JSON pointer into the compared value.' }),
    before: DivergenceText,
    after: DivergenceText,
    message: DivergenceText,
  })
  .meta({
    id: 'EvalDivergence',
    description:
      'An addition of Proofmark beyond the specification: the first place where a replayed trial differs from the recorded one. It is not a verdict.',
  });
export type Divergence = z.infer<typeof Divergence>;

interface Place {
  readonly side: Divergence['side'];
  readonly kind: Divergence['kind'];
  readonly serverName?: string;
  readonly toolName?: string;
  readonly turn: number;
  readonly call?: number;
}

export function divergenceAt(place: Place, difference: ValueDifference): Divergence {
  const [before, after] = excerptsOfBoth(difference);
  const message = sentenceOf(place, difference);
  return { ...place, path: cut(difference.path), before, after, message: cut(message) };
}

type Tools = readonly Readonly<Record<string, unknown>>[];

/**
 * Returns the first change in a server's listing: a removed tool, then a changed one, then an added
 * one.
 */
export function listingDivergence(
  serverName: string,
  before: Tools,
  after: Tools,
): Divergence | undefined {
  const place = { side: 'server', kind: 'listing', serverName, turn: 0 } as const;
  const names = [...new Set([...before, ...after].map(({ name }) => String(name)))].sort();
  const pairs = names.map((name) => {
    const named = (tools: Tools) => tools.filter((tool) => String(tool['name']) === name);
    return { name, was: named(before), is: named(after) };
  });
  const gone = pairs.find(({ was, is }) => was.length > is.length);
  if (gone !== undefined) return listed(place, gone.name, { path: '', before: gone.was.at(-1) });
  for (const { name, was, is } of pairs) {
    const found = was.length === 0 ? undefined : firstDifference(was, is.slice(0, was.length));
    if (found !== undefined) {
      // Removes the index among tools of the same name from the path, since names are almost always
      // unique.
      return listed(place, name, { ...found, path: found.path.replace(/^\/\d+/, '') });
    }
  }
  const added = pairs.find(({ was, is }) => is.length > was.length);
  if (added === undefined) return undefined;
  return listed(place, added.name, { path: '', after: added.is.at(-1) });
}

function listed(place: Place, toolName: string, found: Partial<ValueDifference>): Divergence {
  const { path = '', before, after } = found;
  return divergenceAt({ ...place, toolName }, { path, before, after });
}

// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: a table of sentences, one case for each kind of divergence.
function sentenceOf(place: Place, { path, before, after }: ValueDifference): string {
  const { kind, side } = place;
  const server = JSON.stringify(place.serverName ?? '');
  const tool = `the tool ${JSON.stringify(place.toolName ?? '')}`;
  const where = path === '' ? '' : ` at ${path}`;
  switch (kind) {
    case 'listing':
      if (path !== '')
        return `The server ${server} lists ${tool} differently than recorded${where}.`;
      return after === undefined
        ? `The server ${server} no longer lists ${tool}.`
        : `The server ${server} lists ${tool}, which it did not list when this was recorded.`;
    case 'result':
      if (isAsked(place))
        return `${askedOf(place)} got an answer that differs from the recording${where}.`;
      return `${capital(tool)} of ${server} answered differently than recorded${where}.`;
    case 'error':
      if (before === undefined) {
        return `The call of ${tool} of ${server} failed, but a result was recorded.`;
      }
      return after === undefined
        ? `The call of ${tool} of ${server} got a result, but an error was recorded.`
        : `The call of ${tool} of ${server} failed differently from the recording${where}.`;
    case 'request':
      if (side === 'server')
        return `The server ${server} got an answer that differs from the recording${where}.`;
      return `The request to the model differs from the recording${where}.`;
    case 'call':
      if (isAsked(place))
        return `${askedOf(place)} was called with parameters that were not recorded${where}.`;
      if (after === undefined) {
        return `The call of ${tool} of ${server} cannot be repeated, because its arguments contained data that is not stored.`;
      }
      return `${capital(tool)} of ${server} was called with arguments for which no answer was recorded.`;
    case 'missing':
      if (place.serverName !== undefined && place.toolName === undefined) {
        return `The server ${server} was not recorded.`;
      }
      if (isAsked(place)) return `${askedOf(place)} was called more often than was recorded.`;
      return side === 'model'
        ? 'The trial needed one more answer of the model than was recorded.'
        : `${capital(tool)} of ${server} was called more often than was recorded.`;
  }
}

/** For a request about prompts or resources, `toolName` is the method, and no tool was called. */
function isAsked({ toolName }: Place): boolean {
  return /^(prompts|resources)\/[a-z]+(\/list)?$/.test(toolName ?? '');
}

function askedOf({ serverName, toolName }: Place): string {
  return `The method ${toolName} of ${JSON.stringify(serverName ?? '')}`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function excerptsOfBoth({ before, after }: ValueDifference): [string, string] {
  const [one, other] = [spell(before), spell(after)];
  let same = 0;
  while (same < one.length && same < other.length && one[same] === other[same]) same += 1;
  const isLong = Math.max(one.length, other.length) > maxDivergenceText;
  const from = isLong ? Math.max(0, same - shownBefore) : 0;
  const part = (text: string) => cut(from === 0 ? text : `…${text.slice(from)}`);
  return [part(one), part(other)];
}

function spell(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : canonicalJson(value);
}

function cut(text: string): string {
  const whole =
    text.length <= maxDivergenceText ? text : `${text.slice(0, maxDivergenceText - 1)}…`;
  return whole.replaceAll('\u0000', '\ufffd').toWellFormed();
}

const shownBefore = 200;
