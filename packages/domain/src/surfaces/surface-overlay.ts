/**
 * An overlay replaces listed tools for models: other descriptions, another schema, other parameter
 * names, or nothing if the tool is hidden. Servers do not notice an overlay, since calls are mapped
 * back to the server's names. If an overlay replaces a schema and renames parameters, the new names
 * also apply in the new schema.
 */
import * as z from 'zod';
import { utf8Bytes } from '../agent/agent-request.ts';
import { isRecord, type Json } from '../kernel/json.ts';
import { propertiesOf } from './tool-parameters.ts';

export const largestOverlayBytes = 256 * 1024;

const Text = z.string().max(100_000);
const Name = z.string().min(1).max(200);

const OverlayTool = z
  .strictObject({
    name: Name.meta({ description: 'The name of the tool on the server.' }),
    description: Text.optional(),
    title: Text.optional(),
    inputSchema: z.record(z.string(), z.unknown()).optional(),
    annotations: z.record(z.string(), z.unknown()).optional(),
    hidden: z.boolean().optional().meta({ description: 'true: the model does not see it.' }),
    rename: z.record(Name, Name).optional().meta({
      description:
        'New parameter names: from the name on the server to the name that the model sees.',
    }),
  })
  .meta({ id: 'OverlayTool' });
export type OverlayTool = z.infer<typeof OverlayTool>;

export const SurfaceOverlay = z
  .strictObject({
    servers: z
      .array(
        z.strictObject({
          serverName: Name,
          tools: z.array(OverlayTool).min(1, 'Name at least one tool.').max(1000),
        }),
      )
      .min(1, 'Name at least one server.')
      .max(50),
  })
  .superRefine(({ servers }, context) => {
    if (utf8Bytes(JSON.stringify({ servers })) > largestOverlayBytes) {
      context.addIssue({ code: 'custom', message: 'An overlay may have at most 256 KiB.' });
    }
    const seen = new Set<string>();
    for (const [at, { serverName, tools }] of servers.entries()) {
      for (const [index, { name, rename }] of tools.entries()) {
        const path = ['servers', at, 'tools', index];
        const key = JSON.stringify([serverName, name]);
        if (seen.has(key)) {
          const message = 'The overlay has this tool twice; merge the two entries.';
          context.addIssue({ code: 'custom', path: [...path, 'name'], message });
        }
        seen.add(key);
        const names = Object.values(rename ?? {});
        if (new Set(names).size < names.length) {
          const message = 'Two parameters have the same new name; give each a different name.';
          context.addIssue({ code: 'custom', path: [...path, 'rename'], message });
        }
      }
    }
  })
  .meta({ id: 'SurfaceOverlay' });
export type SurfaceOverlay = z.infer<typeof SurfaceOverlay>;

export interface OverlaySummary {
  readonly hash: string;
  readonly tools: number;
}

export function summarizeOverlay({ servers }: SurfaceOverlay, hash: string): OverlaySummary {
  return { hash, tools: servers.reduce((sum, { tools }) => sum + tools.length, 0) };
}

export function overlayOf(
  overlay: SurfaceOverlay | undefined,
  serverName: string | null,
  toolName: string,
): OverlayTool | undefined {
  for (const server of overlay?.servers ?? []) {
    if (server.serverName !== serverName) continue;
    const found = server.tools.find(({ name }) => name === toolName);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function overlaidTools(
  overlay: SurfaceOverlay | undefined,
  serverName: string | null,
  tools: readonly Json[],
): readonly Json[] {
  if (!overlay?.servers.some((server) => server.serverName === serverName)) return tools;
  return tools.flatMap((tool) => {
    const over = overlayOf(overlay, serverName, String(tool['name']));
    if (over === undefined) return [tool];
    return over.hidden === true ? [] : [overlaidTool(tool, over)];
  });
}

function overlaidTool(tool: Json, over: OverlayTool): Json {
  const { description, title, inputSchema, annotations, rename = {} } = over;
  const schema = inputSchema ?? tool['inputSchema'];
  return {
    ...tool,
    ...(description !== undefined && { description }),
    ...(title !== undefined && { title }),
    ...(annotations !== undefined && { annotations }),
    ...(isRecord(schema) && { inputSchema: renamedIn(schema, rename) }),
  };
}

function renamedIn(schema: Json, rename: Readonly<Record<string, string>>): Json {
  if (Object.keys(rename).length === 0) return schema;
  const given = new Map(Object.entries(rename));
  const named = new Set(propertiesOf(schema).map(([name]) => name));
  // A rename is skipped if another parameter already has the new name and keeps it.
  const nameOf = (name: string) => {
    const now = given.get(name) ?? name;
    return now !== name && named.has(now) && !given.has(now) ? name : now;
  };
  const { required } = schema;
  return {
    ...schema,
    ...(isRecord(schema['properties']) && {
      properties: Object.fromEntries(
        propertiesOf(schema).map(([name, own]) => [nameOf(name), own]),
      ),
    }),
    ...(Array.isArray(required) && {
      required: required.map((name: unknown) => (typeof name === 'string' ? nameOf(name) : name)),
    }),
  };
}

export function argumentsForServer(over: OverlayTool | undefined, input: Json): Json {
  const rename = Object.entries(over?.rename ?? {});
  if (rename.length === 0) return input;
  const ownNames = new Map(rename.map(([own, seen]) => [seen, own]));
  const entries = Object.entries(input);
  // If a model sends a value under both names, the new name wins.
  const isMapped = (name: string) => ownNames.has(name);
  return Object.fromEntries([
    ...entries.filter(([name]) => !isMapped(name)),
    ...entries.filter(([name]) => isMapped(name)).map(([name, own]) => [ownNames.get(name), own]),
  ]);
}

export interface OverlayProblem {
  readonly path: string;
  readonly message: string;
}

export interface ServerUnderOverlay {
  readonly name: string;
  /** The listed tools; absent if they are unknown. */
  readonly tools?: readonly Json[] | undefined;
  /** The names of the tools, if nothing else about them is known. */
  readonly toolNames?: ReadonlySet<string> | undefined;
}

export function overlayProblem(
  overlay: SurfaceOverlay,
  servers: readonly ServerUnderOverlay[],
): OverlayProblem | undefined {
  for (const [at, { serverName, tools }] of overlay.servers.entries()) {
    const path = `servers[${at}]`;
    const server = servers.find(({ name }) => name === serverName);
    if (server === undefined) {
      const message = `The run has no server ${JSON.stringify(serverName)}; name one of its servers.`;
      return { path: `${path}.serverName`, message };
    }
    for (const [index, over] of tools.entries()) {
      const problem = toolProblem(over, server, `${path}.tools[${index}]`);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function toolProblem(
  over: OverlayTool,
  { name: serverName, tools, toolNames }: ServerUnderOverlay,
  path: string,
): OverlayProblem | undefined {
  const names = tools === undefined ? toolNames : new Set(tools.map(({ name }) => name));
  if (names !== undefined && !names.has(over.name)) {
    const message = `The server ${JSON.stringify(serverName)} lists no tool ${JSON.stringify(over.name)}; remove it from the overlay, or name another tool.`;
    return { path: `${path}.name`, message };
  }
  const tool = tools?.find(({ name }) => name === over.name);
  return tool && parameterProblem(over, tool, path);
}

function parameterProblem(
  { inputSchema, rename = {} }: OverlayTool,
  tool: Json,
  path: string,
): OverlayProblem | undefined {
  const own = isRecord(tool['inputSchema']) ? propertiesOf(tool['inputSchema']) : [];
  const known = new Set(own.map(([name]) => name));
  for (const [from, to] of Object.entries(rename)) {
    if (!known.has(from)) {
      const message = `The tool has no parameter ${JSON.stringify(from)} to rename.`;
      return { path: `${path}.rename`, message };
    }
    if (known.has(to) && !Object.hasOwn(rename, to)) {
      const message = `The tool has a parameter ${JSON.stringify(to)} already; choose another name.`;
      return { path: `${path}.rename`, message };
    }
  }
  const seen = new Set([...known, ...Object.values(rename)]);
  const stranger = propertiesOf(inputSchema ?? {}).find(([name]) => !seen.has(name));
  if (stranger === undefined) return undefined;
  const message = `The parameter ${JSON.stringify(stranger[0])} is neither a parameter on the server nor a new name in rename; add it to rename, or remove it.`;
  return { path: `${path}.inputSchema.properties`, message };
}
