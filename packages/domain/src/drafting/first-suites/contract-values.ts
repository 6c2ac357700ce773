/**
 * Arguments that test whether a tool enforces its input schema: calls that the tool must refuse,
 * and edge values that must not crash it.
 */
import { canonicalJson } from '../../kernel/canonical-json.ts';
import { isRecord, type Json } from '../../kernel/json.ts';
import { isStorable } from '../../kernel/storable-text.ts';
import { wordsOfName } from '../../surfaces/word-overlap.ts';
import { holdsMark } from '../draftable-tools.ts';
import type { DraftTool } from '../drafted-case.ts';
import { argumentFault } from '../sample-value.ts';

export function forbiddenArguments({ inputSchema }: DraftTool, sample: Json): Json[] {
  const parameters = plainParameters(inputSchema);
  const required = parameters.filter(({ isRequired }) => isRequired).slice(0, mostRefused);
  const missing = requiredNames(inputSchema)
    .slice(0, mostRefused)
    .map((name) => Object.fromEntries(Object.entries(sample).filter(([key]) => key !== name)));
  const wrong = (required.length > 0 ? required : parameters.slice(0, 1)).map(({ name, type }) => ({
    ...sample,
    [name]: wrongValues[type],
  }));
  // Keeps only arguments that the schema really forbids: a parameter with a default may be missing,
  // and a type may be wider.
  return [...missing, ...wrong].filter((args) => argumentFault(inputSchema, args) !== undefined);
}

export function edgeArguments({ inputSchema }: DraftTool, sample: Json): Json[] {
  const seen = new Set([canonicalJson(sample)]);
  return plainParameters(inputSchema)
    .flatMap(({ name, type, choices }) =>
      edgesOf(name, type, choices).map((value) => ({ ...sample, [name]: value })),
    )
    .filter((args) => {
      const key = canonicalJson(args);
      return !seen.has(key) && seen.add(key) && isStorable(args) && !holdsMark(args);
    })
    .slice(0, mostEdges);
}

const mostRefused = 3;
const mostEdges = 30;
const mostParameters = 10;
const mostChoices = 20;

const plainTypes = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
type PlainType = (typeof plainTypes)[number];

/** Values that cannot be read as the required type. */
const wrongValues: Readonly<Record<PlainType, unknown>> = {
  string: { not: 'a text' },
  integer: 'not a number',
  number: 'not a number',
  boolean: 'not a boolean',
  array: 'not a list',
  object: 'not an object',
};

interface PlainParameter {
  readonly name: string;
  readonly type: PlainType;
  readonly isRequired: boolean;
  readonly choices: readonly unknown[] | undefined;
}

function plainParameters(inputSchema: Json): PlainParameter[] {
  const { properties } = inputSchema;
  const required = requiredNames(inputSchema);
  if (!isRecord(properties)) return [];
  return Object.entries(properties)
    .slice(0, mostParameters)
    .flatMap(([name, schema]) => {
      if (!isRecord(schema)) return [];
      const type = plainTypes.find((one) => one === schema['type']);
      const choices = Array.isArray(schema['enum']) ? schema['enum'] : undefined;
      if (type === undefined) return [];
      return [{ name, type, isRequired: required.includes(name), choices }];
    });
}

function requiredNames({ required }: Json): string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function edgesOf(
  name: string,
  type: PlainType,
  choices: readonly unknown[] | undefined,
): readonly unknown[] {
  if (choices !== undefined) return choices.slice(0, mostChoices);
  if (type === 'boolean') return [true, false];
  if (type === 'string') return ['', longText];
  if (type !== 'integer' && type !== 'number') return [];
  return isAmount(name) ? [0, 1, 2] : [0, 1, 2, large];
}

const large = 2_147_483_648;
const longText = 'sample '.repeat(150).trim();

/**
 * Returns whether a number sets an amount of work or time. A large amount could keep the server
 * busy, which would look like a crash.
 */
function isAmount(name: string): boolean {
  return wordsOfName(name).some((word) => amounts.has(word));
}

const amounts = new Set(
  (
    'amount count delay depth duration height hours interval iterations length limit minutes ms n number quantity repeat ' +
    'seconds size sleep steps time timeout times total wait width'
  ).split(' '),
);
