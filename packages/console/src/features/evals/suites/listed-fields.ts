/**
 * The fields of an assertion, completed by what the servers of the suite list: tools and servers
 * become choices, and the arguments of a call get the fields of the tool's schema. A list that could
 * not be read leaves a field for text.
 */
import { argumentMatchings, isRecord } from '@proofmark/domain';
import { type ArgumentField, argumentFields } from '../../../kit/arguments/argument-fields.ts';

export interface ToolOfSuite {
  readonly serverName: string;
  readonly name: string;
  readonly inputSchema?: unknown;
}

export interface Listed {
  /** The names of the suite's servers. */
  readonly servers: readonly string[];
  /** The tools of those servers; undefined until all of them were read. */
  readonly tools: readonly ToolOfSuite[] | undefined;
  /** Whether the tools are being read; a field then waits instead of changing while one types. */
  readonly isReading?: boolean;
}

/** For each field with a tool, the field that names its server. */
const serverOfTool: Readonly<Record<string, string>> = {
  toolName: 'serverName',
  toolNames: 'serverName',
  beforeToolName: 'beforeServerName',
};

export function withListed(
  fields: readonly ArgumentField[],
  assertion: Readonly<Record<string, unknown>>,
  listed: Listed,
): ArgumentField[] {
  return fields.map((field) => {
    const { name } = field;
    if (name === 'args') {
      return hasPlainArguments(assertion) ? argumentsOf(field, toolOf(assertion, listed)) : field;
    }
    const choices = choicesFor(name, assertion, listed);
    const isToCome = listed.isReading === true && name in serverOfTool;
    if (choices.length === 0 && !isToCome) return field;
    return field.item === undefined
      ? asChoice(field, choices)
      : { ...field, item: asChoice(field.item, choices) };
  });
}

function choicesFor(
  name: string,
  assertion: Readonly<Record<string, unknown>>,
  listed: Listed,
): readonly string[] {
  if (name === 'serverName' || name === 'beforeServerName') return listed.servers;
  const ofServer = serverOfTool[name];
  return ofServer === undefined ? [] : toolNames(listed, assertion[ofServer]);
}

export function toolNames({ tools = [] }: Listed, serverName: unknown): string[] {
  const all = tools.filter((tool) => serverName === undefined || tool.serverName === serverName);
  return [...new Set(all.map(({ name }) => name))].sort();
}

function asChoice(field: ArgumentField, choices: readonly string[]): ArgumentField {
  return { ...field, kind: 'choice', type: 'from the servers of the suite', choices, limits: {} };
}

/** Returns the tool that an assertion names; undefined if no or more than one server lists it. */
function toolOf(
  { toolName, serverName }: Readonly<Record<string, unknown>>,
  { tools = [] }: Listed,
): ToolOfSuite | undefined {
  const [tool, other] = tools.filter(
    (one) => one.name === toolName && (serverName === undefined || one.serverName === serverName),
  );
  return other === undefined ? tool : undefined;
}

/** An expected call states only some arguments, so none of them is required. */
function argumentsOf(field: ArgumentField, tool: ToolOfSuite | undefined): ArgumentField {
  const { fields, leftOut } = argumentFields(tool?.inputSchema);
  if (tool === undefined || fields.length === 0 || leftOut > 0) return field;
  const values = fields.map((one) => ({ ...one, required: false }));
  const plain = { required: false, description: '', choices: [], limits: {}, fields: [] } as const;
  return {
    ...field,
    kind: 'object',
    type: 'as the tool lists them',
    fields: [
      {
        ...plain,
        name: 'args',
        label: 'Values',
        kind: 'object',
        type: 'any value where left out, unless the comparison is exact',
        fields: values,
      },
      {
        ...plain,
        name: 'argumentMatching',
        label: 'Comparison',
        kind: 'choice',
        type: 'choice',
        choices: argumentMatchings,
      },
    ],
  };
}

/** Whether the arguments of a stored assertion fit the fields above, not a template for them. */
function hasPlainArguments({ args }: Readonly<Record<string, unknown>>): boolean {
  return (
    args === undefined || (isRecord(args) && (args['args'] === undefined || isRecord(args['args'])))
  );
}
