/**
 * Writes an assertion for people as one line: its kind and its fields in words. `assertionText` has
 * the names of the API, for those who write a file.
 */
import {
  type Assertion,
  assertionFieldWords,
  assertionWords,
  isRecord,
  type Step,
} from '@proofmark/domain';
import { callText } from './compare-calls.ts';
import { factText } from './fact-text.ts';

type Stated = Assertion | Extract<Step, { kind: 'assert' }>['assertion'];

export function checkText(assertion: Stated): string {
  const { type, kind, role, severity: _severity, ...fields } = assertion as Fields;
  const words = `${kindWords(type, kind)}${role === 'advisory' ? ' (advises only)' : ''}`;
  const { call, rest } = type === 'toolCalledWith' ? callIn(fields) : { call: [], rest: fields };
  const facts = Object.entries(rest);
  const [only] = facts;
  const isAlone = call.length === 0 && facts.length === 1 && only !== undefined;
  const texts = isAlone ? [factText(...only)] : [...call, ...facts.map(labelled)];
  return texts.length === 0 ? words : `${words}: ${texts.join(', ')}`;
}

interface Fields extends Readonly<Record<string, unknown>> {
  readonly type?: string;
  readonly kind?: string;
  readonly role?: unknown;
  readonly severity?: unknown;
}

function kindWords(type: string | undefined, kind: string | undefined): string {
  if (type === undefined) return `Widget: ${kind ?? 'check'}`;
  const words: Readonly<Record<string, string>> = assertionWords;
  return (Object.hasOwn(words, type) ? words[type] : undefined) ?? type;
}

/** Joins the tool and its arguments to a call, as in `add(a: 1)`. */
function callIn(fields: Readonly<Record<string, unknown>>) {
  const { toolName, args, ...others } = fields;
  // `args` need not be a record: before a row's values are filled in, it may be a template.
  const given = isRecord(args) ? args['args'] : undefined;
  if (typeof toolName !== 'string' || !isRecord(args) || !isRecord(given)) {
    return { call: [], rest: fields };
  }
  const { args: _given, ...how } = args;
  return { call: [callText({ toolName, arguments: given })], rest: { ...how, ...others } };
}

function labelled([name, value]: [string, unknown]): string {
  const label = Object.hasOwn(assertionFieldWords, name) ? assertionFieldWords[name] : undefined;
  const words = label === undefined ? name : label.charAt(0).toLowerCase() + label.slice(1);
  return `${words} ${factText(name, value)}`;
}
