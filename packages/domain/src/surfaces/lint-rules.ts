/**
 * Lint rules for a single tool, applied before any model gets it. Each rule has a fixed id, a
 * severity and a reason; each finding has its own message. `error`: a model can hardly choose or
 * call the tool. `warn`: models sometimes choose or call it wrongly. `info`: an improvement. If a
 * missing part can be derived, the finding contains a replacement for an overlay.
 */
import { isRecord, type Json } from '../kernel/json.ts';
import { allOf } from '../kernel/plain-words.ts';
import type { OverlayTool } from './surface-overlay.ts';
import { propertiesOf, type ToolParameter, toolParameters } from './tool-parameters.ts';
import { wordsOfName } from './word-overlap.ts';

export const lintRules = [
  'description-missing',
  'description-short',
  'description-long',
  'names-alike',
  'parameter-undescribed',
  'parameter-vague',
  'enum-undescribed',
  'required-missing',
  'schema-contradicts-text',
  'annotations-missing',
  'output-schema-missing',
] as const;
export type LintRule = (typeof lintRules)[number];

export const lintSeverities = ['error', 'warn', 'info'] as const;
export type LintSeverity = (typeof lintSeverities)[number];

export const lintThresholds = {
  /** The number of characters below which a description is too short. */
  shortDescription: 20,
  /** The number of characters above which a description is too long. */
  longDescription: 1024,
  /** The share of common words, from 0 to 1, at which two tools count as too similar. */
  namesAlike: 0.8,
} as const;

interface RuleText {
  readonly severity: LintSeverity;
  readonly reason: string;
}

export const lintRuleTexts: Readonly<Record<LintRule, RuleText>> = {
  'description-missing': {
    severity: 'error',
    reason: 'A model chooses a tool by its description; without one only the name is left.',
  },
  'description-short': {
    severity: 'warn',
    reason: 'A description this short seldom says when to use this tool and when to use another.',
  },
  'description-long': {
    severity: 'info',
    reason: 'Every request includes the description, and its length hides what matters.',
  },
  'names-alike': {
    severity: 'warn',
    reason: 'A model that cannot tell two tools apart may call the wrong one.',
  },
  'parameter-undescribed': {
    severity: 'info',
    reason: 'A model fills in a parameter according to its description.',
  },
  'parameter-vague': {
    severity: 'warn',
    reason: 'Neither the name nor a description says which value the parameter needs.',
  },
  'enum-undescribed': {
    severity: 'info',
    reason: 'A model sees the values, but not what each of them does.',
  },
  'required-missing': {
    severity: 'info',
    reason: 'A model cannot tell required parameters from optional ones.',
  },
  'schema-contradicts-text': {
    severity: 'warn',
    reason: 'A model that follows the description sends a parameter that does not exist.',
  },
  'annotations-missing': {
    severity: 'info',
    reason: 'Without annotations a client must assume that the tool may be destructive.',
  },
  'output-schema-missing': {
    severity: 'info',
    reason: 'Neither a model nor an assertion can rely on the shape of the result.',
  },
};

/** Parameter names that say nothing about the value. */
export const vagueNames: ReadonlySet<string> = new Set(
  'arg args argument body content contents data details field info input item items object obj options param params payload text thing val value values var x'.split(
    ' ',
  ),
);

export interface ToolFault {
  readonly rule: LintRule;
  /** A JSON pointer into the tool. */
  readonly path: string;
  readonly message: string;
  /** The replacement that an overlay can show to models. */
  readonly instead?: Omit<OverlayTool, 'name'>;
}

/**
 * Returns the findings of one tool, in the order of the rules. Names in `otherTools` may occur in a
 * description without being parameters.
 */
export function lintTool(tool: Json, otherTools: ReadonlySet<string>): ToolFault[] {
  const parameters = toolParameters(tool);
  return [
    ...lintDescription(tool, parameters),
    ...parameters.flatMap((one) => lintParameter(tool, one)),
    ...lintRequired(tool, parameters),
    ...lintNamedParameters(tool, parameters, otherTools),
    ...(isRecord(tool['annotations']) && Object.keys(tool['annotations']).length > 0
      ? []
      : [fault('annotations-missing', '/annotations', 'The tool has no annotations.')]),
    ...(isRecord(tool['outputSchema'])
      ? []
      : [fault('output-schema-missing', '/outputSchema', 'The tool has no output schema.')]),
  ];
}

function fault(
  rule: LintRule,
  path: string,
  message: string,
  instead?: ToolFault['instead'],
): ToolFault {
  return { rule, path, message, ...(instead && { instead }) };
}

function lintDescription(tool: Json, parameters: readonly ToolParameter[]): ToolFault[] {
  const path = '/description';
  const said = typeof tool['description'] === 'string' ? tool['description'].trim() : '';
  const takes = takesSentence(parameters);
  if (said === '') {
    const description = [nameSentence(tool), takes].filter(Boolean).join(' ');
    const instead = description === '' ? undefined : { description };
    return [fault('description-missing', path, 'The tool has no description.', instead)];
  }
  const { length } = [...said];
  const { shortDescription, longDescription } = lintThresholds;
  if (length < shortDescription) {
    const message = `The description has ${length} characters, fewer than ${shortDescription}.`;
    const description = `${ended(said)} ${takes}`.trim();
    const instead = description.length < shortDescription ? undefined : { description };
    return [fault('description-short', path, message, instead)];
  }
  if (length <= longDescription) return [];
  const message = `The description has ${length} characters, more than ${longDescription}.`;
  return [fault('description-long', path, message, { description: cutToSentences(said) })];
}

/** Makes a sentence from the title or else the name: `search_books` becomes `Search books.` */
function nameSentence(tool: Json): string {
  const title = typeof tool['title'] === 'string' ? tool['title'].trim() : '';
  const text = title === '' ? wordsOfName(String(tool['name'])).join(' ') : title;
  return text === '' ? '' : ended(`${text.charAt(0).toUpperCase()}${text.slice(1)}`);
}

function takesSentence(parameters: readonly ToolParameter[]): string {
  return parameters.length === 0 ? '' : `Takes ${allOf(parameters.map(({ name }) => name))}.`;
}

function ended(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

/** Cuts a long description after the last sentence that fits, else at the limit. */
function cutToSentences(text: string): string {
  const room = [...text].slice(0, lintThresholds.longDescription).join('');
  const ends = [...room.matchAll(/[.!?](?=\s)/gu)];
  const last = ends.at(-1)?.index ?? 0;
  return last < lintThresholds.shortDescription ? room : room.slice(0, last + 1);
}

function lintParameter(tool: Json, { name, schema, path }: ToolParameter): ToolFault[] {
  const isDescribed = typeof schema['description'] === 'string' && schema['description'].trim();
  if (isDescribed) return [];
  const quoted = JSON.stringify(name);
  const values = Array.isArray(schema['enum']) ? schema['enum'] : undefined;
  const described = (description: string) => ({
    inputSchema: withDescription(tool, name, description),
  });
  if (values !== undefined) {
    const message = `The parameter ${quoted} allows ${values.length} values and describes none of them.`;
    const listed = values.slice(0, 20).map((value) => JSON.stringify(value));
    const told = `One of ${listed.join(', ')}${values.length > 20 ? ', …' : ''}.`;
    return [fault('enum-undescribed', path, message, described(told))];
  }
  const words = wordsOfName(name);
  if (words.every((word) => vagueNames.has(word))) {
    const message = `The parameter name ${quoted} is vague, and the parameter has no description.`;
    return [fault('parameter-vague', path, message)];
  }
  const message = `The parameter ${quoted} has no description.`;
  return [
    fault('parameter-undescribed', path, message, described(`The ${ended(words.join(' '))}`)),
  ];
}

function withDescription(tool: Json, name: string, description: string): Record<string, unknown> {
  const schema = isRecord(tool['inputSchema']) ? tool['inputSchema'] : {};
  const properties = propertiesOf(schema).map(([key, own]) =>
    key === name ? [key, { ...(isRecord(own) && own), description }] : [key, own],
  );
  return { ...schema, properties: Object.fromEntries(properties) };
}

function lintRequired(tool: Json, parameters: readonly ToolParameter[]): ToolFault[] {
  const schema = isRecord(tool['inputSchema']) ? tool['inputSchema'] : {};
  if (parameters.length === 0 || Array.isArray(schema['required'])) return [];
  const message = `The schema has ${parameters.length === 1 ? 'a parameter' : `${parameters.length} parameters`} and does not say which are required.`;
  return [fault('required-missing', '/inputSchema/required', message)];
}

/**
 * Finds parameters that the description names but the schema lacks. A name counts as a parameter if
 * the text calls it a parameter or argument, or writes it in backticks and in snake or camel case.
 * Names of other tools are ignored, and so are names and values anywhere in the schemas.
 */
function lintNamedParameters(
  tool: Json,
  parameters: readonly ToolParameter[],
  otherTools: ReadonlySet<string>,
): ToolFault[] {
  const { description, inputSchema, outputSchema } = tool;
  if (typeof description !== 'string') return [];
  const known = new Set(parameters.map(({ name }) => name));
  gatherNames(inputSchema, known, 0);
  gatherNames(outputSchema, known, 0);
  const named = new Set<string>();
  for (const pattern of namingPatterns) {
    for (const [, name = ''] of description.slice(0, 20_000).matchAll(pattern)) named.add(name);
  }
  return [...named]
    .filter((name) => !known.has(name) && !otherTools.has(name) && name !== tool['name'])
    .map((name) =>
      fault(
        'schema-contradicts-text',
        '/inputSchema/properties',
        `The description names the parameter ${JSON.stringify(name)}, which the schema does not have.`,
      ),
    );
}

const namingPatterns = [
  /`([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)`/g,
  /`([a-z][a-z0-9]*[A-Z][A-Za-z0-9]*)`/g,
  /\b(?:parameter|argument)s?[ ]+[`'"]([A-Za-z_][A-Za-z0-9_]*)[`'"]/g,
  /[`'"]([A-Za-z_][A-Za-z0-9_]*)[`'"][ ]+(?:parameter|argument)\b/g,
  /@param(?:[ ]+\{[^}\n]{0,100}\})?[ ]+([A-Za-z_][A-Za-z0-9_]*)/g,
] as const;

/** Collects all keys and text values in a schema, to a depth of 20. */
function gatherNames(schema: unknown, into: Set<string>, depth: number): void {
  if (depth > 20) return;
  if (Array.isArray(schema)) for (const one of schema) gatherNames(one, into, depth + 1);
  else if (isRecord(schema)) {
    for (const [key, value] of Object.entries(schema)) {
      into.add(key);
      gatherNames(value, into, depth + 1);
    }
  } else if (typeof schema === 'string') into.add(schema);
}
