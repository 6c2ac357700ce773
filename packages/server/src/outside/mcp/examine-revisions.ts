/**
 * Asks a server at each revision of MCP: it opens a connection that speaks only this revision, and
 * lists the tools. What the examination has already seen is not asked again. Each revision has a
 * time limit of its own. After two revisions in a row without an answer in time, no further
 * revision is asked, so that a server that hangs holds nobody.
 */
import {
  eraOf,
  isModernRevision,
  type Json,
  type ProtocolRevision,
  protocolRevisions,
  type RevisionFinding,
  revisionFinding,
  type SeenAnswer,
  type SeenAtRevision,
  type SeenCompletion,
  type SeenRefusal,
  type SeenRevision,
  unsupportedVersion,
} from '@proofmark/domain';
import { CallBudget } from './call-budget.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpList, ServerInitInfo } from './mcp-gateway.ts';
import { sessionOver } from './mcp-session.ts';
import type { McpTarget } from './mcp-target.ts';
import { type ConnectionMaker, openConnection } from './open-connection.ts';
import type { RpcError } from './recorded-exchange.ts';

/** What the examination saw of the server over its own connection. */
export interface SeenOverMain {
  readonly initInfo: ServerInitInfo;
  readonly seen: SeenAtRevision;
  readonly failure?: string | undefined;
  /** Whether one of its lists did not arrive in time. */
  readonly isLate: boolean;
  readonly connectMs: number;
}

export interface RevisionsToExamine {
  readonly maker: ConnectionMaker;
  readonly target: McpTarget;
  /** Undefined if the examination could not connect. */
  readonly main: SeenOverMain | undefined;
  /** The argument for which completions are requested, if the server has one. */
  readonly completable: Json | undefined;
  readonly signal: AbortSignal | undefined;
  remainingMs(): number;
}

export async function examineRevisions(asked: RevisionsToExamine): Promise<RevisionFinding[]> {
  const { main } = asked;
  const seen = new Map<ProtocolRevision, SeenRevision>();
  const known = protocolRevisions.find((one) => one === main?.initInfo.protocolVersion);
  if (known !== undefined && main !== undefined) {
    seen.set(known, { kind: 'opened', seen: main.seen, failure: main.failure });
  }
  const agreedOnLegacy = main !== undefined && eraOf(main.initInfo.protocolVersion) === 'legacy';
  // An unpinned connection begins with the modern revisions, so the server has refused them.
  if (agreedOnLegacy && asked.target.protocolVersion === undefined) {
    const detail = `The server agrees on ${main.initInfo.protocolVersion} instead.`;
    for (const one of protocolRevisions.filter(isModernRevision)) {
      seen.set(one, { kind: 'refused', detail });
    }
  }
  const examiner = new RevisionExaminer(asked);
  for (const revision of protocolRevisions) {
    if (!seen.has(revision)) seen.set(revision, await examiner.ask(revision));
  }
  const isModernServer = [...seen].some(
    ([revision, { kind }]) => kind === 'opened' && isModernRevision(revision),
  );
  if (isModernServer) await askUnknown(examiner, seen);
  return [...seen]
    .sort(([one], [other]) => protocolRevisions.indexOf(one) - protocolRevisions.indexOf(other))
    .map(([revision, one]) => revisionFinding(revision, one, isModernServer));
}

/** A server of the modern era must refuse an unknown revision in the prescribed form. */
async function askUnknown(
  examiner: RevisionExaminer,
  seen: Map<ProtocolRevision, SeenRevision>,
): Promise<void> {
  const refusal = await examiner.refusalOfUnknown();
  if (refusal === undefined) return;
  for (const [revision, one] of seen) {
    if (one.kind !== 'opened' || !isModernRevision(revision)) continue;
    seen.set(revision, { ...one, seen: { ...one.seen, refusal } });
  }
}

class RevisionExaminer {
  readonly #asked: RevisionsToExamine;
  #lateInARow: number;
  #tools: readonly Json[] | undefined;

  constructor(asked: RevisionsToExamine) {
    this.#asked = asked;
    this.#tools = asked.main?.seen.tools;
    this.#lateInARow = asked.main?.isLate === false ? 0 : 1;
  }

  async ask(revision: ProtocolRevision): Promise<SeenRevision> {
    const limitMs = this.#limitMs();
    if (this.#lateInARow >= mostLate || limitMs <= 0) return notAsked;
    const budget = this.#budget(limitMs);
    let opening: SeenAnswer | undefined;
    let error: RpcError | undefined;
    const maker = this.#maker({
      onOpened: (answer) => {
        opening = answer;
      },
      onRefused: (one) => {
        error ??= one;
      },
    });
    let connection: McpConnection | undefined;
    try {
      connection = await openConnection(maker, this.#targetAt(revision), budget);
      return await this.#read(connection, budget, revision, opening);
    } catch (thrown) {
      return this.#failed(thrown, revision, error);
    } finally {
      budget.end();
      await connection?.close();
    }
  }

  /** Undefined if the server did not answer at all. */
  async refusalOfUnknown(): Promise<SeenRefusal | undefined> {
    const limitMs = this.#limitMs();
    if (this.#asked.target.address.kind === 'stdio' || limitMs <= 0) return undefined;
    const budget = this.#budget(limitMs);
    const refusal = { method: 'server/discover', revision: unknownRevision };
    let error: RpcError | undefined;
    const maker = this.#maker({
      onRefused: (one) => {
        error ??= one;
      },
    });
    try {
      const connection = await openConnection(maker, this.#targetAt(unknownRevision), budget);
      await connection.close();
      return { ...refusal, isAccepted: true };
    } catch (thrown) {
      if (!(thrown instanceof McpFailure)) throw thrown;
      const isAnswered = error !== undefined || typeof thrown.details['status'] === 'number';
      return isAnswered ? { ...refusal, ...error } : undefined;
    } finally {
      budget.end();
    }
  }

  async #read(
    connection: McpConnection,
    budget: CallBudget,
    revision: ProtocolRevision,
    opening: SeenAnswer | undefined,
  ): Promise<SeenRevision> {
    const lists = isModernRevision(revision) ? allLists : onlyTools;
    const read = await readLists(connection, budget, this.#asked, lists);
    const completion = await completionOf(connection, budget, this.#asked.completable);
    const { transport } = connection.initInfo;
    const tools = toolsIn(read.answers);
    const toolsAgain = this.#tools;
    this.#tools ??= tools;
    this.#noteLate(read.isLate);
    return {
      kind: 'opened',
      failure: read.failure,
      seen: {
        revision,
        transport,
        opening,
        answers: read.answers,
        tools,
        toolsAgain,
        completion,
      },
    };
  }

  #failed(thrown: unknown, revision: ProtocolRevision, error: RpcError | undefined): SeenRevision {
    if (!(thrown instanceof McpFailure) || this.#asked.signal?.aborted === true) throw thrown;
    const method = isModernRevision(revision) ? 'server/discover' : 'initialize';
    const { reason } = thrown.details;
    const isLate = thrown.code === 'TIMEOUT';
    this.#noteLate(isLate);
    const refusal = error && { method, revision, ...error };
    const isRefused = reason === 'PROTOCOL_VERSION' || error?.code === unsupportedVersion;
    if (!isRefused && !(isLate && this.#isSilentBecauseOlder(revision))) {
      return { kind: 'failed', detail: thrown.message, refusal };
    }
    return { kind: 'refused', detail: 'The server does not speak this revision.', refusal };
  }

  #noteLate(isLate: boolean): void {
    this.#lateInARow = isLate ? this.#lateInARow + 1 : 0;
  }

  /** Programs of the legacy era may not answer a method that they do not know. */
  #isSilentBecauseOlder(revision: ProtocolRevision): boolean {
    return this.#asked.target.address.kind === 'stdio' && isModernRevision(revision);
  }

  #limitMs(): number {
    const { maker, target, main, remainingMs } = this.#asked;
    const { revisionMs, callMs } = maker.limits;
    const enough = Math.max(revisionMs, 3 * (main?.connectMs ?? 0));
    return Math.min(target.timeoutMs ?? callMs, enough, remainingMs());
  }

  #budget(limitMs: number): CallBudget {
    const { maker, signal } = this.#asked;
    return new CallBudget(limitMs, maker.limits.maxCallBytes, signal);
  }

  #targetAt(protocolVersion: string): McpTarget {
    return { ...this.#asked.target, protocolVersion };
  }

  #maker(hooks: Partial<ConnectionMaker>): ConnectionMaker {
    const { maker, main } = this.#asked;
    const transport = main?.initInfo.transport;
    const onlyTransport = transport === 'sse' ? transport : 'streamable-http';
    return { ...maker, ...hooks, onlyTransport };
  }
}

interface ReadLists {
  readonly answers: readonly SeenAnswer[];
  readonly failure?: string;
  readonly isLate: boolean;
}

async function readLists(
  connection: McpConnection,
  budget: CallBudget,
  { maker, target }: Pick<RevisionsToExamine, 'maker' | 'target'>,
  lists: readonly McpList[],
): Promise<ReadLists> {
  const answers: SeenAnswer[] = [];
  const session = sessionOver(
    () => connection,
    async (method, params) => {
      const result = await connection.request(budget, method, params);
      answers.push({ method, result });
      return result;
    },
    maker.limits,
    target,
    () => ({ sentAtMs: performance.now(), stillMs: 0 }),
  );
  try {
    for (const list of lists) await session.listAll(list);
    return { answers, isLate: false };
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    const isLate = error.code === 'TIMEOUT';
    // As in the other checks, a list whose method is unknown counts as not offered.
    const isOffered = error.code !== 'FEATURE_NOT_SUPPORTED';
    return { answers, isLate, ...(isOffered && { failure: error.message }) };
  }
}

/** Undefined if the server fails to list its tools a second time. */
export async function listToolsAgain(
  connection: McpConnection,
  budget: CallBudget,
  asked: Pick<RevisionsToExamine, 'maker' | 'target'>,
): Promise<readonly Json[] | undefined> {
  const { answers, failure } = await readLists(connection, budget, asked, onlyTools);
  return failure === undefined ? toolsIn(answers) : undefined;
}

/** Undefined if the server offers no completions, or nothing to complete. */
export async function completionOf(
  connection: McpConnection,
  budget: CallBudget,
  completable: Json | undefined,
): Promise<SeenCompletion | undefined> {
  const isOffered = connection.initInfo.serverCapabilities['completions'] !== undefined;
  if (!isOffered || completable === undefined) return undefined;
  try {
    return { result: await connection.request(budget, 'completion/complete', completable) };
  } catch (error) {
    if (!(error instanceof McpFailure)) throw error;
    return { failure: error.message };
  }
}

export function toolsIn(answers: readonly SeenAnswer[]): readonly Json[] | undefined {
  const lists = answers.filter(({ method }) => method === 'tools/list');
  return lists.length === 0
    ? undefined
    : lists.flatMap(({ result }) => (result['tools'] ?? []) as readonly Json[]);
}

const allLists: readonly McpList[] = ['tools', 'prompts', 'resources', 'resourceTemplates'];
const onlyTools: readonly McpList[] = ['tools'];
const unknownRevision = '2099-12-31';
const mostLate = 2;
const notAsked: SeenRevision = {
  kind: 'failed',
  detail: 'Not asked, because the server was too slow to answer before.',
};
