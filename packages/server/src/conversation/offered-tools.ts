/**
 * The tools offered to a model in a run, each under a unique name: tools of servers, tools of
 * skills, and the one that reads linked resources. They are built once for all trials with the same
 * listed tools.
 */
import {
  argumentsForServer,
  isRecord,
  type Json,
  nameTools,
  type OverlayTool,
  overlaidTools,
  overlayOf,
  type RunPlan,
  type ToolCall,
  visibleTools,
} from '@proofmark/domain';
import type { ModelTool } from '../outside/model/model-gateway.ts';
import { linkModelTool, readsLinks } from './link-tool.ts';
import type { OpenedServers } from './run-servers.ts';
import { skillModelTools } from './skill-tools.ts';
import type { ToolSurface } from './trial-record.ts';

export type OfferedTool =
  | { readonly kind: 'skill'; readonly toolName: string }
  /** Reads linked resources. This tool is offered once a result contains a link. */
  | { readonly kind: 'link'; readonly toolName: string }
  | {
      readonly kind: 'server';
      readonly toolName: string;
      readonly serverId: string;
      readonly serverName: string;
      readonly tool: Json;
      /**
       * The replacements that the run makes for this tool (its overlay): the description, schema or
       * parameter names that the model gets.
       */
      readonly over?: OverlayTool | undefined;
    };

type OfferingPlan = Pick<RunPlan, 'client' | 'skills' | 'overlay'>;

export interface OfferedTools {
  readonly tools: readonly ModelTool[];
  /** `tools`, plus the tool that reads linked resources if the client has it. */
  readonly toolsWithLinks: readonly ModelTool[];
  readonly skillsOffered: boolean;
  readonly ofServers: readonly { readonly toolName: string; readonly serverId: string }[];
  find(modelName: string): OfferedTool | undefined;
  /**
   * Returns the name that the model uses for a server's tool. If several servers have a tool with
   * this name, one of them is chosen.
   */
  nameOf(toolName: string): string;
  /** Returns a tool as listed for the trial, even if the model does not see it. */
  listed(serverId: string, toolName: string): Json | undefined;
  /**
   * Returns a tool as its server listed it, before the run changed the tool for the model (by a
   * mutant or an overlay).
   */
  listedByServer(serverId: string, toolName: string): Json | undefined;
}

export function offeredToolsOf(plan: OfferingPlan, opened: OpenedServers): OfferedTools {
  const { surface } = opened;
  const made = surface === null ? undefined : builtFor.get(surface);
  if (made?.plan === plan) return made.offeredTools;
  const offeredTools = buildOfferedTools(plan, opened);
  if (surface !== null) builtFor.set(surface, { plan, offeredTools });
  return offeredTools;
}

export function serverPart(
  offered: OfferedTool | undefined,
): Pick<ToolCall, 'serverName' | 'serverId'> {
  if (offered?.kind !== 'server') return {};
  const { serverName, serverId } = offered;
  return { serverName, serverId };
}

/** Equal to the model's arguments unless an overlay renames a parameter. */
export function inputForServer(offered: OfferedTool | undefined, input: Json): Json {
  return offered?.kind === 'server' ? argumentsForServer(offered.over, input) : input;
}

const builtFor = new WeakMap<ToolSurface, { plan: OfferingPlan; offeredTools: OfferedTools }>();

function buildOfferedTools(plan: OfferingPlan, { servers }: OpenedServers): OfferedTools {
  const listed = new Map(servers.map(({ id, tools }) => [id, byName(tools)]));
  const own = new Map(servers.map(({ id, tools, ownTools }) => [id, byName(ownTools ?? tools)]));
  const seen = servers.flatMap(({ id, name }) => {
    const visible = visibleTools(plan.client.config, [...(listed.get(id)?.values() ?? [])]);
    return overlaidTools(plan.overlay, name, visible).map((shown) => {
      const toolName = String(shown['name']);
      const tool = listed.get(id)?.get(toolName) ?? shown;
      const over = overlayOf(plan.overlay, name, toolName);
      return { serverId: id, serverName: name, toolName, tool, shown, over };
    });
  });
  const skillsOffered = plan.skills.length > 0;
  const skillTools = skillsOffered ? skillModelTools : [];
  const linkTools = readsLinks(plan) ? [linkModelTool] : [];
  const names = nameTools(
    seen,
    [...skillTools, ...linkTools].map(({ name }) => name),
  );
  const offered = new Map<string, OfferedTool>();
  for (const { name } of skillTools) offered.set(name, { kind: 'skill', toolName: name });
  for (const { name } of linkTools) offered.set(name, { kind: 'link', toolName: name });
  const tools: ModelTool[] = [...skillTools];
  for (const [index, { shown, ...tool }] of seen.entries()) {
    const name = names[index] ?? tool.toolName;
    offered.set(name, { kind: 'server', ...tool });
    tools.push(modelTool(name, shown));
  }
  return {
    tools,
    toolsWithLinks: [...tools, ...linkTools],
    skillsOffered,
    ofServers: seen.map(({ toolName, serverId }) => ({ toolName, serverId })),
    find: (modelName) => offered.get(modelName),
    nameOf: (toolName) => names[seen.findIndex((one) => one.toolName === toolName)] ?? toolName,
    listed: (serverId, toolName) => listed.get(serverId)?.get(toolName),
    listedByServer: (serverId, toolName) => own.get(serverId)?.get(toolName),
  };
}

/** If two tools have the same name, the first wins, because the second could never be called. */
function byName(tools: readonly Json[]): Map<string, Json> {
  const named = new Map<string, Json>();
  for (const tool of tools) {
    const { name } = tool;
    if (typeof name === 'string' && !named.has(name)) named.set(name, tool);
  }
  return named;
}

function modelTool(name: string, { description, inputSchema }: Json): ModelTool {
  const schema = isRecord(inputSchema) ? inputSchema : { type: 'object' };
  return typeof description === 'string'
    ? { name, description, inputSchema: schema }
    : { name, inputSchema: schema };
}
