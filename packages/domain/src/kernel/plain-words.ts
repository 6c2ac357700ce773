import type * as z from 'zod';
import { likelyMeant } from './likely-meant.ts';

export const noFormFits = 'This value has none of the allowed forms.';

export function plainWords(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `${nameOf(issue)} is missing.`
        : `This must be ${kindWord(issue.expected)}, not ${kindOf(issue.input)}.`;
    case 'invalid_value': {
      const values = oneOf(issue.values.map((value) => JSON.stringify(value) ?? String(value)));
      if (issue.input === undefined) return `${nameOf(issue)} is missing; write ${values}.`;
      return `This must be ${values}.`;
    }
    case 'too_big':
      return `This must ${bound(issue, 'at most', 'less than', issue.maximum)}.`;
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'This must not be empty.'
        : `This must ${bound(issue, 'at least', 'more than', issue.minimum)}.`;
    case 'invalid_format':
      return issue.pattern === undefined || formatWords[issue.format] !== undefined
        ? `This must be ${formatWords[issue.format] ?? 'in the required format'}.`
        : `This must match the pattern ${issue.pattern}.`;
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`;
    case 'unrecognized_keys':
      return `Unknown key ${issue.keys.join(', ')}.`;
    case 'invalid_key':
      return 'This key is not allowed.';
    case 'invalid_union':
      return issue.discriminator === undefined ? noFormFits : wrongTag(issue);
    default:
      return 'This is not allowed here.';
  }
}

const kindWords: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object with keys',
  record: 'an object with keys',
  array: 'a list',
  null: 'null',
};

export function kindWord(kind: string): string {
  return kindWords[kind] ?? kind;
}

export function oneOf(words: readonly string[]): string {
  return listed(words, 'or');
}

export function allOf(words: readonly string[]): string {
  return listed(words, 'and');
}

function listed(words: readonly string[], last: string): string {
  const named = words.slice(0, 20);
  if (words.length > named.length) return `${named.join(', ')} …`;
  const end = named.pop() ?? '';
  return named.length === 0 ? end : `${named.join(', ')} ${last} ${end}`;
}

const formatWords: Readonly<Record<string, string>> = {
  email: 'an email address',
  url: 'an address with its scheme, such as https://example.com',
  datetime: 'a time, such as 2026-01-31T12:00:00Z',
  date: 'a date, such as 2026-01-31',
};

function bound(
  { origin, exact, inclusive }: { origin: string; exact?: boolean; inclusive?: boolean },
  upTo: string,
  beyond: string,
  limit: number | bigint,
): string {
  const how = exact ? 'exactly' : inclusive === false ? beyond : upTo;
  if (origin === 'string') return `have ${how} ${limit} characters`;
  if (origin === 'array') return `have ${how} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  return `be ${how} ${limit}`;
}

function kindOf(value: unknown): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : 'this number';
  return kindWord(typeof value);
}

function nameOf({ path }: z.core.$ZodRawIssue): string {
  const last = path?.at(-1);
  return typeof last === 'string' && last !== '' ? last : 'This';
}

function wrongTag({
  discriminator,
  options,
  input,
}: {
  readonly discriminator?: unknown;
  readonly options?: unknown;
  readonly input?: unknown;
}): string {
  const tag = String(discriminator);
  const words = Array.isArray(options) ? options.map(String) : [];
  const given: unknown = Object(input)[tag];
  if (given === undefined) return `${tag} is missing; write ${oneOf(words)}.`;
  const meant = typeof given === 'string' ? likelyMeant(given, words) : undefined;
  if (meant !== undefined) return `The ${tag} is unknown; did you mean ${meant}?`;
  return `The ${tag} is unknown; write ${oneOf(words)}.`;
}
