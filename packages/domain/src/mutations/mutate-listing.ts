/**
 * What a server lists and takes under a mutant of its surface. A server whose parameter was renamed knows the old name no
 * more: what is sent under it is lost. One that lacks a tool, or asks for a parameter that was not sent, refuses the call.
 */

import { nameAtPath } from '../assertions/json-pointer.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import type { Mutant, ServerTools } from './mutant.ts';

/** The list itself where nothing of it changes. */
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

/** What becomes of a call of the tool: it is sent with these arguments, or answered without its server. */
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

/** A parameter of this name does not exist by chance. */
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
