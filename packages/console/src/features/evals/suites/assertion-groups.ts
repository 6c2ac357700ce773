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

const groupTitles = [
  ...(['Calls', 'Results', 'Answer', 'Tool list', 'Widget', 'Budget', 'Judges'] as const),
] as const;
type GroupTitle = (typeof groupTitles)[number];

const ofStage = {
  ofMatcher: 'Calls',
  selection: 'Calls',
  call: 'Calls',
  connection: 'Calls',
  response: 'Results',
  userValue: 'Answer',
  discovery: 'Tool list',
} as const;

/** The kinds that people look for elsewhere than at the stage that fails. */
const elsewhere: Partial<Record<AssertionType, GroupTitle>> = {
  widgetRendered: 'Widget',
  widgetRenderLatencyUnder: 'Widget',
  widgetNoConsoleErrors: 'Widget',
  tokenBudgetUnder: 'Budget',
  turnCountUnder: 'Budget',
  toolCallCountUnder: 'Budget',
  toolLatencyUnder: 'Budget',
  toolResultSizeUnder: 'Budget',
  maximumResultTokens: 'Budget',
  maximumSurfaceTokens: 'Budget',
  goalCompleted: 'Judges',
  scorer: 'Judges',
};

export interface AssertionGroup {
  readonly title: string;
  readonly types: readonly AssertionType[];
}

/**
 * Returns the kinds of assertions, grouped by what they look at. Some kinds cannot be used as a
 * step.
 */
export function assertionGroups(place: 'step' | 'check'): readonly AssertionGroup[] {
  const types = (Object.keys(assertionWords) as AssertionType[]).filter(
    (type) => place === 'check' || !notAsStep.includes(type),
  );
  const titleOf = (type: AssertionType) => elsewhere[type] ?? ofStage[assertionKinds[type].stage];
  return groupTitles.map((title) => ({
    title,
    types: types.filter((type) => titleOf(type) === title),
  }));
}

/** Returns the groups with the kinds whose words, title or name contain every typed word. */
export function foundGroups(place: 'step' | 'check', typed: string): readonly AssertionGroup[] {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return assertionGroups(place)
    .map(({ title, types }) => ({
      title,
      types: types.filter((type) => {
        const text = `${assertionWords[type]} ${title} ${type}`.toLowerCase();
        return wanted.every((word) => text.includes(word));
      }),
    }))
    .filter(({ types }) => types.length > 0);
}

const notAsStep = caseLevelOnly.filter((type) => assertionKinds[type].stage === 'discovery');

const known = new Map<string, readonly ArgumentField[]>();

/** Returns the fields in the schema of the assertion's type. An unknown type has none. */
export function assertionFields(type: unknown): readonly ArgumentField[] {
  if (typeof type !== 'string' || !Object.hasOwn(assertionKinds, type)) return [];
  const before = known.get(type);
  if (before !== undefined) return before;
  const kind = assertionKinds[type as AssertionType];
  const { schema, named } = jsonSchemaOf(kind.schema, '#/$defs/');
  const { fields } = argumentFields({ ...schema, $defs: named });
  const describedFields = fields.filter(({ name }) => name !== 'type').map(inWords);
  known.set(type, describedFields);
  return describedFields;
}

function inWords(field: ArgumentField): ArgumentField {
  const { fields, ...rest } = field;
  const label = assertionFieldWords[field.name];
  return { ...rest, ...(label !== undefined && { label }), fields: fields.map(inWords) };
}

/**
 * Changes the type of an assertion. Fields that the old and the new type share, such as the tool,
 * keep their values.
 */
export function withType(assertion: unknown, type: string): Json {
  const before = isRecord(assertion) ? assertion : {};
  const fields = assertionFields(type);
  const kept = Object.entries(before).filter(([name]) => fields.some((one) => one.name === name));
  return { type, ...firstValues(fields), ...Object.fromEntries(kept) };
}

/**
 * Returns the initial values: the only choice of each required field that has just one, and empty
 * arguments for calls.
 */
function firstValues(fields: readonly ArgumentField[]): Json {
  const only = fields.flatMap(({ name, required, kind, choices }): [string, unknown][] => {
    if (required && kind === 'choice' && choices.length === 1) return [[name, choices[0]]];
    return name === 'args' ? [[name, { args: {} }]] : [];
  });
  return Object.fromEntries(only);
}
