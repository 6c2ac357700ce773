/**
 * Applies a mutant (a deliberate change) to a server's tool listing and to calls of the server's
 * tools. After a parameter was renamed, arguments under the old name are lost. A call of a missing
 * tool, or without a new required parameter, is rejected.
 */

import { nameAtPath } from '../assertions/json-pointer.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import type { Mutant, ServerTools } from './mutant.ts';

/** Returns the same `tools` array if this server's listing is not affected. */
export function mutateListing(mutant: Mutant, { serverName, tools }: ServerTools): readonly Json[] {
  if (mutant.serverName !== serverName) return tools;
  const { toolName, otherToolName, operator } = mutant;
  const describedAs = (name: string | undefined) =>
    tools.find((tool) => tool['name'] === name)?.['description'];
  switch (operator) {
    case 'tool-missing':
      return tools.some(({ name }) => name === toolName)
        ? tools.filter(({ name }) => name !== toolName)
        : tools;
    case 'description-blank':
      return changed(tools, toolName, (tool) => ({ ...tool, description: '' }));
    case 'descriptions-exchanged': {
      const [own, other] = [describedAs(toolName), describedAs(otherToolName)];
      const once = changed(tools, toolName, (tool) => ({ ...tool, description: other }));
      return changed(once, otherToolName, (tool) => ({ ...tool, description: own }));
    }
    case 'parameter-renamed':
    case 'parameter-required': {
      const name = nameAtPath(mutant.path ?? '');
      const change = operator === 'parameter-renamed' ? renameIn : requireIn;
      return changed(tools, toolName, (tool) => {
        const { inputSchema } = tool;
        return isRecord(inputSchema) ? { ...tool, inputSchema: change(inputSchema, name) } : tool;
      });
    }
    default:
      return tools;
  }
}

export function mutateCall(
  mutant: Mutant,
  args: Json,
): { readonly arguments: Json } | { readonly result: Json } {
  const name = nameAtPath(mutant.path ?? '');
  switch (mutant.operator) {
    case 'tool-missing':
      return { result: refusedCall(`There is no tool ${JSON.stringify(mutant.toolName)}.`) };
    case 'parameter-renamed': {
      const { [renamed(name)]: given, [name]: _lost, ...others } = args;
      return { arguments: given === undefined ? others : { ...others, [name]: given } };
    }
    case 'parameter-required':
      return Object.hasOwn(args, name)
        ? { arguments: args }
        : { result: refusedCall(`The parameter ${JSON.stringify(name)} is required.`) };
    default:
      return { arguments: args };
  }
}

export function renamed(name: string): string {
  return `${name}_renamed`;
}

export function refusedCall(text: string): Json {
  return { content: [{ type: 'text', text }], isError: true };
}

function changed(
  tools: readonly Json[],
  toolName: string | undefined,
  change: (tool: Json) => Json,
): readonly Json[] {
  return tools.map((tool) => (tool['name'] === toolName ? change(tool) : tool));
}

function renameIn(schema: Json, name: string): Json {
  const { properties, required } = schema;
  const rename = (one: unknown) => (one === name ? renamed(name) : one);
  return {
    ...schema,
    ...(isRecord(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([key, value]) => [rename(key), value]),
      ),
    }),
    ...(Array.isArray(required) && { required: required.map(rename) }),
  };
}

function requireIn(schema: Json, name: string): Json {
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return required.includes(name) ? schema : { ...schema, required: [...required, name] };
}
