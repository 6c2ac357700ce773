/**
 * The servers of a trial in a mutation test, with one change (the mutant) or without. Calls are
 * really made; only listings, arguments or responses change on the way between server and model.
 * Calls before and after the trial's steps are unchanged, because they set up and clean up the
 * server.
 * For a mutant that delays a response, the call is made, its response is dropped, and the trial
 * immediately gets a timeout error. Real waiting would take 30 seconds for each trial.
 */
import {
  isAboutTool,
  type Json,
  type Mutant,
  mutateAnswer,
  mutateCall,
  mutateListing,
  type ObservedAnswer,
  type ServerTools,
  sideOfOperator,
} from '@proofmark/domain';
import { McpFailure } from '../outside/mcp/mcp-failure.ts';
import type { ToolOutcome } from '../outside/mcp/mcp-gateway.ts';
import { ListedSurfaces } from './listed-surfaces.ts';
import type { OpenedServers, RunServers, TrialServers } from './run-servers.ts';

export interface SeenServers {
  listed: readonly ServerTools[];
  readonly answers: ObservedAnswer[];
  wasMet: boolean;
}

export function seenServers(): SeenServers {
  return { listed: [], answers: [], wasMet: false };
}

export interface MutatedParts {
  readonly servers: RunServers;
  readonly named: readonly { readonly id: string; readonly name: string }[];
  /** The change to apply; absent in trials without a change. */
  readonly mutant?: Mutant | undefined;
  readonly seen: SeenServers;
  /** Milliseconds until a call of this server times out. */
  timeoutMsOf(serverId: string): number;
}

export function mutatedServers(parts: MutatedParts): RunServers {
  const { servers } = parts;
  return {
    async forTrial(signal, time) {
      const own = await servers.forTrial(signal, time);
      return new MutatedTrialServers(parts, own);
    },
    listAgain: (...asked) => servers.listAgain(...asked),
    close: () => servers.close(),
  };
}

class MutatedTrialServers implements TrialServers {
  readonly #parts: MutatedParts;
  readonly #own: TrialServers;
  readonly #previous = new Map<string, Json>();

  constructor(parts: MutatedParts, own: TrialServers) {
    this.#parts = parts;
    this.#own = own;
  }

  get around(): TrialServers {
    return this.#own;
  }

  ask: TrialServers['ask'] = (...asked) => this.#own.ask(...asked);

  heldBack(): string | undefined {
    return this.#own.heldBack();
  }

  close(): void {
    this.#own.close();
  }

  async open(...asked: Parameters<TrialServers['open']>): Promise<OpenedServers> {
    const opened = await this.#own.open(...asked);
    const { mutant, seen } = this.#parts;
    seen.listed = opened.servers.map(({ name, tools }) => ({ serverName: name, tools }));
    if (mutant === undefined || sideOfOperator(mutant.operator) === 'answer') return opened;
    const servers = opened.servers.map((one) => ({
      ...one,
      ownTools: one.tools,
      tools: mutateListing(mutant, { serverName: one.name, tools: one.tools }),
    }));
    if (opened.surface === null) return opened;
    seen.wasMet = true;
    return { ...opened, servers, surface: new ListedSurfaces().of(servers) };
  }

  callTool: TrialServers['callTool'] = async (...asked) => {
    const [serverId, toolName, input, ...others] = asked;
    const { mutant, named } = this.#parts;
    const serverName = named.find(({ id }) => id === serverId)?.name ?? serverId;
    const tool = { serverName, toolName };
    const call = (args: Json) => this.#own.callTool(serverId, toolName, args, ...others);
    const isChanged = mutant !== undefined && isAboutTool(mutant, tool);
    if (!isChanged) return this.#noted(tool, await call(input));
    const sent = mutateCall(mutant, input);
    if ('result' in sent) return answerOf(sent.result, 0);
    return this.#changed(mutant, serverId, this.#noted(tool, await call(sent.arguments)));
  };

  #noted(tool: { serverName: string; toolName: string }, outcome: ToolOutcome): ToolOutcome {
    this.#parts.seen.answers.push({ ...tool, result: outcome.result });
    return outcome;
  }

  #changed(mutant: Mutant, serverId: string, outcome: ToolOutcome): ToolOutcome {
    const previous = this.#previous.get(serverId);
    this.#previous.set(serverId, outcome.result);
    const answer = mutateAnswer(mutant, outcome.result, previous);
    if (answer === 'same') return outcome;
    this.#parts.seen.wasMet = true;
    if (answer !== 'late') return answerOf(answer.result, outcome.durationMs);
    const timeoutMs = this.#parts.timeoutMsOf(serverId);
    const late = new McpFailure('TIMEOUT', 'The server did not answer in time.', { timeoutMs });
    late.durationMs = timeoutMs;
    throw late;
  }
}

/**
 * Returns an outcome for the changed response, without the details that the session recorded about
 * the real response.
 */
function answerOf(result: Json, durationMs: number): ToolOutcome {
  const [block] = Array.isArray(result['content']) ? (result['content'] as Json[]) : [];
  const isError = result['isError'] === true;
  return { result, durationMs, ...(isError && { errorText: String(block?.['text'] ?? '') }) };
}
