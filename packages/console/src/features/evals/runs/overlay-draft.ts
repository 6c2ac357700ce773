import type { SurfaceOverlay } from '@proofmark/domain';

type OverlaidTool = SurfaceOverlay['servers'][number]['tools'][number];

export interface ListedTool {
  readonly serverName: string;
  readonly name: string;
  readonly description: string;
  readonly title: string;
  readonly parameters: readonly string[];
}

export interface ToolDraft {
  readonly tool: ListedTool;
  readonly description: string;
  readonly title: string;
  readonly hidden: boolean;
  /**
   * New names of parameters, by original name. A parameter keeps its name if the new one is empty
   * or equal.
   */
  readonly rename: Readonly<Record<string, string>>;
  /** Parts of an existing overlay that the form cannot edit. They are kept. */
  readonly kept: Pick<OverlaidTool, 'inputSchema' | 'annotations'>;
}

interface OfferedTools {
  readonly serverName: string | null;
  readonly tools: readonly Readonly<Record<string, unknown>>[];
}

/**
 * Returns all tools that an overlay can change. Tools of a server without a name are omitted,
 * because an overlay cannot refer to that server.
 */
export function listedTools(servers: readonly OfferedTools[]): ListedTool[] {
  return servers.flatMap(({ serverName, tools }) =>
    serverName === null ? [] : tools.map((tool) => listedTool(serverName, tool)),
  );
}

function listedTool(serverName: string, tool: Readonly<Record<string, unknown>>): ListedTool {
  const text = (field: string) => (typeof tool[field] === 'string' ? tool[field] : '');
  const schema = tool['inputSchema'] as { readonly properties?: object } | undefined;
  return {
    serverName,
    name: String(tool['name']),
    description: text('description'),
    title: text('title'),
    parameters: Object.keys(schema?.properties ?? {}),
  };
}

export function draftOfTool(tool: ListedTool, over?: OverlaidTool): ToolDraft {
  const { description = tool.description, title = tool.title, hidden = false } = over ?? {};
  const { rename = {}, inputSchema, annotations } = over ?? {};
  const kept = { ...(inputSchema && { inputSchema }), ...(annotations && { annotations }) };
  return { tool, description, title, hidden, rename, kept };
}

/** Omits tools that the servers do not list. */
export function draftsOfOverlay(
  overlay: SurfaceOverlay | undefined,
  listed: readonly ListedTool[],
): ToolDraft[] {
  return (overlay?.servers ?? []).flatMap(({ serverName, tools }) =>
    tools.flatMap((over) => {
      const tool = listed.find((one) => isNamed(one, serverName, over.name));
      return tool === undefined ? [] : [draftOfTool(tool, over)];
    }),
  );
}

export function isNamed(tool: ListedTool, serverName: string, name: string): boolean {
  return tool.serverName === serverName && tool.name === name;
}

/** Returns undefined if the overlay would change nothing. */
export function overlayOfDrafts(drafts: readonly ToolDraft[]): SurfaceOverlay | undefined {
  const servers = new Map<string, OverlaidTool[]>();
  for (const draft of drafts) {
    const changes = whatDiffers(draft);
    if (Object.keys(changes).length === 0) continue;
    const { serverName, name } = draft.tool;
    servers.set(serverName, [...(servers.get(serverName) ?? []), { name, ...changes }]);
  }
  if (servers.size === 0) return undefined;
  return { servers: [...servers].map(([serverName, tools]) => ({ serverName, tools })) };
}

function whatDiffers({ tool, description, title, hidden, rename, kept }: ToolDraft) {
  if (hidden) return { hidden };
  const renamed = Object.entries(rename)
    .map(([own, seen]) => [own, seen.trim()] as const)
    .filter(([own, seen]) => seen !== '' && seen !== own);
  return {
    ...(description !== tool.description && { description }),
    ...(title !== tool.title && { title }),
    ...(renamed.length > 0 && { rename: Object.fromEntries(renamed) }),
    ...kept,
  };
}
