/** The kinds of assertions in groups, and forms derived from their schemas. */
import { jsonSchemaOf } from '@proofmark/contract';
import {
  type AssertionType,
  assertionFieldWords,
  assertionKinds,
  assertionWords,
  caseLevelOnly,
  isRecord,
  type Json,
} from '@proofmark/domain';
import { type ArgumentField, argumentFields } from '../../../kit/arguments/argument-fields.ts';

const groups = {
  ofMatcher: 'What is called',
  selection: 'What is called',
  call: 'How it is called',
  connection: 'How it is called',
  response: 'What comes back',
  userValue: 'What the user gets',
  discovery: 'What servers list',
} as const;

export interface AssertionGroup {
  readonly title: string;
  readonly types: readonly AssertionType[];
}

/**
 * Returns the kinds of assertions, grouped in the order of a trial's stages. Some kinds cannot be
 * used as a step.
 */
export function assertionGroups(place: 'step' | 'check'): readonly AssertionGroup[] {
  const types = (Object.keys(assertionWords) as AssertionType[]).filter(
    (type) => place === 'check' || !notAsStep.includes(type),
  );
  return [...new Set(Object.values(groups))].map((title) => ({
    title,
    types: types.filter((type) => groups[assertionKinds[type].stage] === title),
  }));
}

const notAsStep = caseLevelOnly.filter((type) => assertionKinds[type].stage === 'discovery');

const known = new Map<string, readonly ArgumentField[]>();

/** Returns the fields of a kind of assertion, read from its schema; none for an unknown kind. */
export function assertionFields(type: unknown): readonly ArgumentField[] {
  if (typeof type !== 'string' || !Object.hasOwn(assertionKinds, type)) return [];
  const before = known.get(type);
  if (before !== undefined) return before;
  const kind = assertionKinds[type as AssertionType];
  const { schema, named } = jsonSchemaOf(kind.schema, '#/$defs/');
  const { fields } = argumentFields({ ...schema, $defs: named });
  const told = fields.filter(({ name }) => name !== 'type').map(inWords);
  known.set(type, told);
  return told;
}

function inWords(field: ArgumentField): ArgumentField {
  const { fields, ...rest } = field;
  const label = assertionFieldWords[field.name];
  return { ...rest, ...(label !== undefined && { label }), fields: fields.map(inWords) };
}

/**
 * Changes the kind of an assertion. Fields that both kinds have, such as the tool, keep their
 * values.
 */
export function withType(assertion: unknown, type: string): Json {
  const before = isRecord(assertion) ? assertion : {};
  const fields = assertionFields(type);
  const kept = Object.entries(before).filter(([name]) => fields.some((one) => one.name === name));
  return { type, ...firstValues(fields), ...Object.fromEntries(kept) };
}

/**
 * Returns the initial values of an assertion: required fields with only one choice, and empty
 * arguments for calls.
 */
function firstValues(fields: readonly ArgumentField[]): Json {
  const only = fields.flatMap(({ name, required, kind, choices }): [string, unknown][] => {
    if (required && kind === 'choice' && choices.length === 1) return [[name, choices[0]]];
    return name === 'args' ? [[name, { args: {} }]] : [];
  });
  return Object.fromEntries(only);
}
