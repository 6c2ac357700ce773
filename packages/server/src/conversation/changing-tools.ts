/**
 * The tools offered to a model in a trial or session, as the servers list them now.
 * If a server announces that its list has changed, the tools are listed again before the next model
 * request. If that listing fails or takes more than half of the turn's remaining time, the old list
 * stays and the trace contains the reason. The next attempt follows in the next turn, even after
 * further announcements.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  canonicalJson,
  Deadline,
  isModernRevision,
  isRecord,
  type Json,
  type ListedTool,
  trialSentence,
} from '@proofmark/domain';
import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { McpSession } from '../outside/mcp/mcp-gateway.ts';
import { listedForAssertions } from './listed-for-assertions.ts';
import { ListedSurfaces } from './listed-surfaces.ts';
import { type OfferedTools, offeredToolsOf } from './offered-tools.ts';
import type { OpenedServer, OpenedServers } from './run-servers.ts';
import { throughOverlay } from './through-overlay.ts';
import type { TurnParts } from './turn-parts.ts';

type ChangingPlan = Parameters<typeof offeredToolsOf>[0] & Parameters<typeof throughOverlay>[0];

export class ChangingTools implements OfferedTools {
  readonly #plan: ChangingPlan;
  readonly #mayOffer: (tool: Json) => boolean;
  #opened: OpenedServers;
  #now: OfferedTools;
  #offered: OfferedTools['ofServers'];
  #promptIndex: number | undefined;
  readonly #unread = new Set<string>();

  constructor(
    plan: ChangingPlan,
    /** The opened servers. Tools that may not be offered are already removed. */
    opened: OpenedServers,
    mayOffer: (tool: Json) => boolean = () => true,
  ) {
    this.#plan = plan;
    this.#mayOffer = mayOffer;
    this.#opened = opened;
    this.#now = offeredToolsOf(plan, opened);
    this.#offered = this.#now.ofServers;
  }

  get tools() {
    return this.#now.tools;
  }

  get toolsWithLinks() {
    return this.#now.toolsWithLinks;
  }

  get skillsOffered() {
    return this.#now.skillsOffered;
  }

  /** The tools of all lists so far, because a tool that is no longer listed was still offered. */
  get ofServers() {
    return this.#offered;
  }

  find: OfferedTools['find'] = (modelName) => this.#now.find(modelName);
  nameOf: OfferedTools['nameOf'] = (toolName) => this.#now.nameOf(toolName);
  listed: OfferedTools['listed'] = (...tool) => this.#now.listed(...tool);
  listedByServer: OfferedTools['listedByServer'] = (...tool) => this.#now.listedByServer(...tool);

  async readChanged(context: TurnParts, promptIndex: number): Promise<void> {
    if (promptIndex !== this.#promptIndex) this.#unread.clear();
    this.#promptIndex = promptIndex;
    await untilAnnounced(this.#opened.servers);
    const { changedLists } = context.log;
    const names = [...changedLists].filter((name) => !this.#unread.has(name));
    for (const name of names) changedLists.delete(name);
    let isChanged = false;
    const servers: OpenedServer[] = [];
    for (const server of this.#opened.servers) {
      // `ownTools` is set if Proofmark has changed the list in `tools` (for a mutation test). An
      // announced change concerns the server's own list, so this server is not listed again.
      const isAsked = names.includes(server.name) && server.ownTools === undefined;
      const tools = isAsked ? await readTools(context, server, this.#mayOffer) : 'same';
      if (tools === 'unread') this.#unread.add(server.name);
      const isNew = typeof tools !== 'string';
      isChanged ||= isNew;
      servers.push(isNew ? { ...server, tools } : server);
    }
    if (!isChanged) return;
    const surface = new ListedSurfaces().of(servers);
    this.#opened = throughOverlay(this.#plan, { ...this.#opened, servers, surface });
    this.#now = offeredToolsOf(this.#plan, this.#opened);
    this.#offered = withNew(this.#offered, this.#now.ofServers);
    const { log } = context;
    log.listedTools = withEarlier(listedForAssertions(this.#opened), log.listedTools);
  }
}

/**
 * An announcement may follow the server's last response directly. This wait lets it be processed
 * first. Over a subscription it comes on another connection than the response.
 */
async function untilAnnounced(servers: readonly OpenedServer[]): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  if (servers.some(announcesApart)) await sleep(otherConnectionMs);
}

function announcesApart({ initInfo }: OpenedServer): boolean {
  if (initInfo === undefined || initInfo.transport === 'stdio') return false;
  const { protocolVersion, serverCapabilities } = initInfo;
  const { tools } = serverCapabilities;
  return isModernRevision(protocolVersion) && isRecord(tools) && tools['listChanged'] === true;
}

const otherConnectionMs = 25;

async function readTools(
  { dependencies, log, signal, waits, time }: TurnParts,
  { id, name: serverName, tools: before }: OpenedServer,
  mayOffer: (tool: Json) => boolean,
): Promise<readonly Json[] | 'same' | 'unread'> {
  const wait = waits.begin();
  // Listing may use half of the remaining time. A list that never arrives must not end the turn.
  const deadline =
    time && new Deadline(time.remainingMs() / 2, () => new Error('Too late.'), signal);
  const atMs = Math.max(0, Math.round(log.nowMs()));
  try {
    const list = async (session: McpSession) => {
      const tools = await session.listAll('tools');
      log.exclude(serverName, session.excludedTools);
      return tools;
    };
    const listed = await dependencies.servers.ask(
      id,
      list,
      deadline?.signal ?? signal,
      wait.onWaiting,
    );
    const after = listed.filter(mayOffer);
    const change = changeOf(before, after);
    log.listChanges.push({ serverName, atMs, ...change });
    const isSame = Object.values(change).every(({ length }) => length === 0);
    return isSame ? 'same' : after;
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const isLate = deadline?.isOver === true;
    if (!(error instanceof McpFailure) && !isLate) throw error;
    const failure = isLate ? unreadInTime : trialSentence(error);
    const none = { added: [], removed: [], changed: [] };
    log.listChanges.push({ serverName, atMs, ...none, failure });
    return 'unread';
  } finally {
    deadline?.end();
    waits.end(wait);
  }
}

const unreadInTime =
  'The server did not list its tools again within half of the remaining time of the turn.';

function changeOf(before: readonly Json[], after: readonly Json[]) {
  const spelled = (tools: readonly Json[]) =>
    new Map(tools.map((tool) => [String(tool['name']), canonicalJson(tool)]));
  const [earlier, now] = [spelled(before), spelled(after)];
  return {
    added: [...now.keys()].filter((name) => !earlier.has(name)),
    removed: [...earlier.keys()].filter((name) => !now.has(name)),
    changed: [...now].flatMap(([name, text]) =>
      earlier.has(name) && earlier.get(name) !== text ? [name] : [],
    ),
  };
}

function withNew(
  earlier: OfferedTools['ofServers'],
  now: OfferedTools['ofServers'],
): OfferedTools['ofServers'] {
  const isNew = (tool: (typeof now)[number]) =>
    !earlier.some((one) => one.serverId === tool.serverId && one.toolName === tool.toolName);
  return [...earlier, ...now.filter(isNew)];
}

/**
 * Adds tools of earlier lists that are no longer listed. Assertions about calls cover the whole
 * trial and need these tools.
 */
function withEarlier(
  now: readonly ListedTool[] | undefined,
  earlier: readonly ListedTool[] | undefined,
): readonly ListedTool[] | undefined {
  if (now === undefined || earlier === undefined) return now ?? earlier;
  const isThere = ({ serverName, name }: ListedTool) =>
    now.some((one) => one.serverName === serverName && one.name === name);
  return [...now, ...earlier.filter((tool) => !isThere(tool))];
}
