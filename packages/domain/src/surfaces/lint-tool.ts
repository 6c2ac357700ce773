import { isRecord, type Json } from '../kernel/json.ts';
import { allOf } from '../kernel/plain-words.ts';
import { headerMessage } from './excluded-tools.ts';
import { headerFaults } from './header-parameters.ts';
import { lintRelation } from './lint-relation.ts';
import { lintThresholds, type ToolFault, toolFault } from './lint-rules.ts';
import { lintSafety } from './lint-safety.ts';
import { propertiesOf, type ToolParameter, toolParameters } from './tool-parameters.ts';
import { wordsOfName } from './word-overlap.ts';

const vagueNames: ReadonlySet<string> = new Set(
  'arg args argument body content contents data details field info input item items object obj options param params payload text thing val value values var x'.split(
    ' ',
  ),
);

/**
 * Returns the findings of one tool, in the order of the rules. `otherTools` are names that a
 * description may mention although they are not parameters.
 */
export function lintTool(tool: Json, otherTools: ReadonlySet<string>): ToolFault[] {
  const parameters = toolParameters(tool);
  return [
    ...lintDescription(tool, parameters),
    ...parameters.flatMap((one) => lintParameter(tool, one)),
    ...lintRequired(tool, parameters),
    ...lintNamedParameters(tool, parameters, otherTools),
    ...lintRelation(tool, parameters, otherTools),
    ...lintHeaders(tool),
    ...lintSafety(tool, parameters),
  ];
}

function lintHeaders({ inputSchema }: Json): ToolFault[] {
  return headerFaults(inputSchema).map((fault) =>
    toolFault('header-parameter-invalid', `/inputSchema${fault.path}`, headerMessage(fault)),
  );
}

function lintDescription(tool: Json, parameters: readonly ToolParameter[]): ToolFault[] {
  const path = '/description';
  const toolDescription = typeof tool['description'] === 'string' ? tool['description'].trim() : '';
  const takes = takesSentence(parameters);
  if (toolDescription === '') {
    const description = [nameSentence(tool), takes].filter(Boolean).join(' ');
    const instead = description === '' ? undefined : { description };
    return [toolFault('description-missing', path, 'The tool has no description.', instead)];
  }
  const { length } = [...toolDescription];
  const { shortDescription, longDescription } = lintThresholds;
  if (length < shortDescription) {
    const message = `The description has ${length} characters, fewer than ${shortDescription}.`;
    const description = `${ended(toolDescription)} ${takes}`.trim();
    const instead = description.length < shortDescription ? undefined : { description };
    return [toolFault('description-short', path, message, instead)];
  }
  if (length <= longDescription) return [];
  const message = `The description has ${length} characters, more than ${longDescription}.`;
  return [
    toolFault('description-long', path, message, { description: cutToSentences(toolDescription) }),
  ];
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

function cutToSentences(text: string): string {
  const opening = [...text].slice(0, lintThresholds.longDescription).join('');
  const ends = [...opening.matchAll(/[.!?](?=\s)/gu)];
  const last = ends.at(-1)?.index ?? 0;
  return last < lintThresholds.shortDescription ? opening : opening.slice(0, last + 1);
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
    const valuesText = `One of ${listed.join(', ')}${values.length > 20 ? ', …' : ''}.`;
    return [toolFault('enum-undescribed', path, message, described(valuesText))];
  }
  const words = wordsOfName(name);
  if (words.every((word) => vagueNames.has(word))) {
    const message = `The parameter name ${quoted} is vague, and the parameter has no description.`;
    return [toolFault('parameter-vague', path, message)];
  }
  const message = `The parameter ${quoted} has no description.`;
  return [
    toolFault('parameter-undescribed', path, message, described(`The ${ended(words.join(' '))}`)),
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
  return [toolFault('required-missing', '/inputSchema/required', message)];
}

/**
 * Finds parameters that the description mentions but the schema lacks. Ignored are names of other
 * tools, constants in capitals, and names and values in the schemas. Sentences about the result are
 * skipped, since they mention fields of the result.
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
  const written = [...known].join('\n');
  const named = new Set<string>();
  const sentences = description.slice(0, 20_000).split(/(?<=[.!?])\s|\n/u);
  for (const sentence of sentences.filter((one) => !ofResult.test(one))) {
    for (const pattern of namingPatterns) {
      for (const [, name = ''] of sentence.matchAll(pattern)) named.add(name);
    }
  }
  return [...named]
    .filter((name) => !/^[A-Z0-9_]+$/.test(name) && !otherTools.has(name) && name !== tool['name'])
    .slice(0, mostNamed)
    .filter((name) => !written.includes(name))
    .map((name) =>
      toolFault(
        'schema-contradicts-text',
        '/inputSchema/properties',
        `The description names the parameter ${JSON.stringify(name)}, which the schema does not have.`,
      ),
    );
}

/** The maximum number of names to check, since each is searched for in the whole schema. */
const mostNamed = 100;
const ofResult =
  /\b(?:returns?|returned|returning|responses?|results?|outputs?|contains?|yields?|responds?|answers?)\b/i;
const quoted = String.raw`[\x60'"]([A-Za-z_][A-Za-z0-9_]*)[\x60'"]`;
const namingPatterns = [
  new RegExp(String.raw`\b(?:parameter|argument)s?[ ]+${quoted}`, 'g'),
  new RegExp(String.raw`${quoted}[ ]+(?:parameter|argument)\b`, 'g'),
  /\b(?:[Gg]ive|[Pp]ass|[Ss]pecify|[Ss]upply)[ ]+(?:an?[ ]+|the[ ]+)?`([a-z][a-z0-9]*(?:_[a-z0-9]+|[A-Z][a-z0-9]*)+)`/g,
  /@param(?:[ ]+\{[^}\n]{0,100}\})?[ ]+([A-Za-z_][A-Za-z0-9_]*)/g,
] as const;

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
