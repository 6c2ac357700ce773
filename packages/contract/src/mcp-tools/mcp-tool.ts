import { type JsonSchema, jsonSchemaOf } from '../json-schema.ts';
import { effectOf, type Operation } from '../operation.ts';
import { actionOperations } from '../operations.ts';
import { definitionsAt, inputSchemaOf } from './tool-input.ts';
import { type ToolRowId, type ToolTraits, toolRows } from './tool-rows.ts';

export interface McpTool {
  readonly name: ToolRowId;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly idempotentHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

export interface ToolRow {
  readonly row: Operation;
  readonly traits: ToolTraits;
  readonly tool: McpTool;
  readonly argumentNames: ReadonlySet<string>;
}

/** The key in `_meta` of a tool whose calls may cost money. MCP has no annotation for that. */
export const spendsMark = 'proofmark/spends';

let known: ReadonlyMap<string, ToolRow> | undefined;

/**
 * Returns the tools in the order of `toolRows`. They are created at the first call, because
 * creating them converts every schema.
 */
export function mcpTools(): ReadonlyMap<string, ToolRow> {
  known ??= new Map(
    (Object.keys(toolRows) as ToolRowId[]).map((name) => {
      const [row, traits] = [actionOperations[name] as Operation, toolRows[name] as ToolTraits];
      const tool = toolOf(name, row, traits);
      const argumentNames = new Set(Object.keys(tool.inputSchema['properties'] as object));
      return [name, { row, traits, tool, argumentNames }];
    }),
  );
  return known;
}

function toolOf(name: ToolRowId, row: Operation, traits: ToolTraits): McpTool {
  const outputSchema = traits.isDeep ? undefined : outputSchemaOf(row);
  const reads = effectOf(row) === 'reads';
  return {
    name,
    title: row.summary,
    description: [
      `${row.summary}.`,
      row.description,
      ...(traits.spends ? ['Asks models, which may cost credits.'] : []),
      ...(traits.destroys === undefined ? [] : [traits.destroys]),
    ].join(' '),
    inputSchema: inputSchemaOf(row, traits),
    ...(outputSchema !== undefined && { outputSchema }),
    annotations: {
      readOnlyHint: reads,
      destructiveHint: traits.destroys !== undefined,
      idempotentHint: reads,
      openWorldHint: row.outbound === true || traits.spends === true,
    },
    ...(traits.spends && { _meta: { [spendsMark]: true } }),
  };
}

/**
 * Returns undefined for a union, because MCP requires an object at the root of an output schema.
 */
function outputSchemaOf(row: Operation): JsonSchema | undefined {
  const { schema, named } = jsonSchemaOf(row.output, definitionsAt);
  const name = (schema as { readonly $ref?: string }).$ref?.replace(definitionsAt, '');
  const { [name ?? '']: own, ...others } = named;
  const root = own ?? schema;
  if (root['type'] !== 'object') return undefined;
  return { ...root, ...(Object.keys(others).length > 0 && { $defs: others }) };
}
