/**
 * Examines a server step by step: the answer at its address, the connection and handshake, its
 * declared capabilities, and its lists. Faults of the server are reported and do not throw. Only an
 * abort by the caller, or an organization with too many calls, ends the examination early. Each
 * step has the server's time limit for one call.
 */
import {
  advise,
  callFailureAnswer,
  completable,
  type DoctorCheckName,
  type DoctorCheckResult,
  type DoctorFindings,
  type DoctorTrouble,
  doctorChecks,
  excludedCount,
  type Json,
  maskUrl,
  olderTransportAdvice,
  type RevisionFinding,
  type SeenAnswer,
} from '@proofmark/domain';
import { CallBudget } from './call-budget.ts';
import {
  completionOf,
  examineRevisions,
  listToolsAgain,
  type SeenOverMain,
  toolsIn,
} from './examine-revisions.ts';
import type { McpConnection } from './mcp-connection.ts';
import { McpFailure } from './mcp-failure.ts';
import type { McpGateway, McpList } from './mcp-gateway.ts';
import { limitsFor } from './mcp-limits.ts';
import { sessionOver } from './mcp-session.ts';
import type { McpTarget } from './mcp-target.ts';
import { type ConnectionMaker, mayBeOlder, openConnection } from './open-connection.ts';
import { type Probe, probeServer, troubleOf } from './probe-server.ts';
import type { SessionPool } from './session-pool.ts';

type ExamineOptions = NonNullable<Parameters<McpGateway['examine']>[1]>;
export async function examineServer(
  given: ConnectionMaker,
  pool: SessionPool,
  target: McpTarget,
  options: ExamineOptions = {},
): Promise<DoctorFindings> {
  const limits = limitsFor(given.limits, target);
  const maker = { ...given, limits };
  const wholeMs = Math.min(
    stepsOfExamination * (target.timeoutMs ?? limits.callMs),
    limits.examineMs,
  );
  const budget = new CallBudget(wholeMs, limits.maxCallBytes, options.signal);
  try {
    const release = await pool.takeSlot(target.organizationId, budget);
    try {
      return await new Examination(maker, target, budget, options).run();
    } finally {
      release();
    }
  } finally {
    budget.end();
  }
}

/**
 * The budget for one step of an examination: its own time limit, but the bytes that are left for
 * the whole examination.
 */
class PartBudget extends CallBudget {
  readonly #whole: CallBudget;

  constructor(timeoutMs: number, whole: CallBudget) {
    super(timeoutMs, Number.POSITIVE_INFINITY, whole.signal);
    this.#whole = whole;
  }

  override count(bytes: number): void {
    super.count(bytes);
    this.#whole.count(bytes);
  }
}

class Examination {
  readonly #maker: ConnectionMaker;
  readonly #target: McpTarget;
  readonly #budget: CallBudget;
  readonly #options: ExamineOptions;
  readonly #startedAtMs = performance.now();
  readonly #checks: Partial<Record<DoctorCheckName, DoctorCheckResult>> = {};
  readonly #items: Record<McpList, readonly Json[]> = {
    tools: [],
    resources: [],
    resourceTemplates: [],
    prompts: [],
  };
  #probe: Probe | undefined;
  #connection: McpConnection | undefined;
  #failure: McpFailure | undefined;
  #opening: SeenAnswer | undefined;
  #connectMs = 0;
  readonly #answers: SeenAnswer[] = [];
  #revisions: readonly RevisionFinding[] = [];

  constructor(
    maker: ConnectionMaker,
    target: McpTarget,
    budget: CallBudget,
    options: ExamineOptions,
  ) {
    this.#maker = maker;
    this.#target = target;
    this.#budget = budget;
    this.#options = options;
  }

  async run(): Promise<DoctorFindings> {
    await this.#probeAddress();
    await this.#connect();
    let main: SeenOverMain | undefined;
    try {
      for (const list of lists) await this.#readList(list);
      main = await this.#seenOverMain();
    } finally {
      await this.#connection?.close();
    }
    for (const name of doctorChecks) {
      if (this.#checks[name] === undefined) this.#note(name, notReached);
    }
    if (this.#mayAskRevisions()) this.#revisions = await this.#examineRevisions(main);
    return this.#report();
  }

  async #probeAddress(): Promise<void> {
    const { address } = this.#target;
    if (address.kind === 'stdio') {
      this.#note('probe', {
        status: 'skipped',
        detail: 'A program on this machine has no address to probe.',
      });
      return;
    }
    const startedAtMs = performance.now();
    const probe = await probeServer(this.#maker, this.#target, address, this.#budget.signal);
    this.#probe = probe;
    this.#note('probe', {
      status: probe.isError ? 'error' : 'ok',
      detail: probe.detail,
      durationMs: since(startedAtMs),
      tried: probe.tried,
      ...(probe.trouble === undefined ? {} : { advice: advise(probe.trouble) }),
    });
  }

  async #connect(): Promise<void> {
    const { limits } = this.#maker;
    const timeoutMs = Math.min(this.#target.timeoutMs ?? limits.callMs, this.#budget.remainingMs());
    const budget = new PartBudget(timeoutMs, this.#budget);
    const startedAtMs = performance.now();
    try {
      const onOpened = (opening: SeenAnswer) => {
        this.#opening = opening;
      };
      this.#connection = await openConnection({ ...this.#maker, onOpened }, this.#target, budget);
      this.#connectMs = since(startedAtMs);
      this.#noteConnected(this.#connection, this.#connectMs);
    } catch (error) {
      this.#noteNotConnected(this.#failureOf(error), since(startedAtMs));
    } finally {
      budget.end();
    }
  }

  #noteConnected(connection: McpConnection, durationMs: number): void {
    const { transport, protocolVersion, serverCapabilities, serverVersion } = connection.initInfo;
    const isOlder = transport === 'sse';
    const tried = this.#way(isOlder);
    this.#note('connection', {
      status: 'ok',
      detail: `Connected over ${transportNames[transport]}.`,
      durationMs,
      tried,
      ...(isOlder ? { advice: olderTransportAdvice } : {}),
    });
    const name =
      typeof serverVersion?.['name'] === 'string'
        ? serverVersion['name'].slice(0, 100)
        : 'The server';
    this.#note('initialization', {
      status: 'ok',
      detail: `${name} speaks protocol ${protocolVersion}.`,
    });
    const offered = Object.keys(serverCapabilities).slice(0, 20);
    const detail =
      offered.length === 0
        ? 'The server declares no capabilities.'
        : `Offers ${offered.join(', ')}.`;
    this.#note('capabilities', { status: 'ok', detail: detail.slice(0, 500) });
  }

  #noteNotConnected(failure: McpFailure, durationMs: number): void {
    this.#failure = failure;
    const { reason } = failure.details;
    const cause = String(reason ?? failure.code);
    // A program (stdio server) has no address to probe. It counts as reached unless its process
    // ended or did not answer.
    const hasAnswered =
      this.#target.address.kind === 'stdio'
        ? !silentReasons.has(cause)
        : this.#probe?.facts['reached'] === true;
    const isHandshake = hasAnswered && handshakeReasons.has(cause);
    const tried = this.#way(mayBeOlder(failure));
    const check: DoctorCheckResult = {
      status: 'error',
      detail: failure.message,
      durationMs,
      tried,
      advice: advise(this.#trouble(failure)),
    };
    const reached: DoctorCheckResult = {
      status: 'ok',
      detail: 'The server was reached.',
      durationMs,
      tried,
    };
    this.#note('connection', isHandshake ? reached : check);
    if (isHandshake) this.#note('initialization', check);
  }

  async #readList(list: McpList): Promise<void> {
    const connection = this.#connection;
    if (connection === undefined) return;
    const { capability, noun, method } = listWords[list];
    if (connection.initInfo.serverCapabilities[capability] === undefined) {
      this.#note(list, {
        status: 'skipped',
        detail: `The server does not offer ${capability}.`,
        tried: method,
      });
      return;
    }
    const startedAtMs = performance.now();
    const { limits } = this.#maker;
    const timeoutMs = Math.min(this.#target.timeoutMs ?? limits.callMs, this.#budget.remainingMs());
    const budget = new PartBudget(timeoutMs, this.#budget);
    const ask = async (asked: string, params: Json) => {
      const result = await connection.request(budget, asked, params);
      this.#answers.push({ method: asked, result });
      return result;
    };
    try {
      const session = sessionOver(
        () => connection,
        ask,
        limits,
        this.#target,
        () => ({ sentAtMs: startedAtMs, stillMs: 0 }),
      );
      const items = await session.listAll(list);
      this.#items[list] = items;
      this.#note(list, {
        status: 'ok',
        detail: `${items.length} ${items.length === 1 ? noun : `${noun}s`}.${this.#left(list)}`,
        durationMs: since(startedAtMs),
        tried: method,
      });
    } catch (error) {
      this.#noteListFailure(list, this.#failureOf(error), since(startedAtMs), method);
    } finally {
      budget.end();
    }
  }

  #left(list: McpList): string {
    const excluded = this.#connection?.excluded ?? [];
    return list === 'tools' && excluded.length > 0 ? ` ${excludedCount(excluded)}.` : '';
  }

  /** Adds the second list of tools and the completions, which no other check needs. */
  async #seenOverMain(): Promise<SeenOverMain | undefined> {
    const connection = this.#connection;
    if (connection === undefined) return undefined;
    const { initInfo } = connection;
    const [maker, target] = [this.#maker, this.#target];
    const limitMs = Math.min(target.timeoutMs ?? maker.limits.callMs, maker.limits.revisionMs);
    const budget = new PartBudget(limitMs, this.#budget);
    const tools = toolsIn(this.#answers);
    const isLate = this.#failure?.code === 'TIMEOUT';
    try {
      const again =
        tools === undefined || isLate
          ? undefined
          : await listToolsAgain(connection, budget, { maker, target });
      const completion = isLate
        ? undefined
        : await completionOf(connection, budget, this.#completable());
      const answers = this.#answers;
      const { protocolVersion: revision, transport } = initInfo;
      const opening = this.#opening;
      const seen = { revision, transport, opening, answers, tools, toolsAgain: again, completion };
      const failure = this.#failure?.message;
      return { initInfo, seen, failure, isLate, connectMs: this.#connectMs };
    } finally {
      budget.end();
    }
  }

  #completable(): Json | undefined {
    return completable(this.#items.prompts, this.#items.resourceTemplates);
  }

  /** Without a connection, only a server that answered something is asked again. */
  #mayAskRevisions(): boolean {
    if (this.#connection !== undefined) return true;
    const { reason, status } = this.#failure?.details ?? {};
    if (this.#failure?.code === 'TIMEOUT') return this.#probe?.facts['reached'] === true;
    return status === undefined && answeringReasons.has(String(reason));
  }

  #examineRevisions(main: SeenOverMain | undefined): Promise<RevisionFinding[]> {
    return examineRevisions({
      maker: this.#maker,
      target: this.#target,
      main,
      completable: this.#completable(),
      signal: this.#options.signal,
      remainingMs: () => this.#maker.limits.examineMs - since(this.#startedAtMs),
    });
  }

  #noteListFailure(list: McpList, failure: McpFailure, durationMs: number, tried: string): void {
    if (failure.code === 'FEATURE_NOT_SUPPORTED') {
      // The server declared this capability, but rejects the capability's list method as unknown.
      const detail = `The server does not answer ${tried}.`;
      this.#note(list, { status: 'skipped', detail, durationMs, tried });
      return;
    }
    this.#failure ??= failure;
    const advice = advise(troubleOf(failure));
    this.#note(list, { status: 'error', detail: failure.message, durationMs, tried, advice });
  }

  /**
   * Returns the error if it is a failure of the server. An abort by the caller or an error of
   * Proofmark is thrown.
   */
  #failureOf(error: unknown): McpFailure {
    if (error instanceof McpFailure && this.#options.signal?.aborted !== true) return error;
    throw error;
  }

  #trouble(failure: McpFailure): DoctorTrouble {
    const { trouble } = this.#probe ?? {};
    return {
      ...troubleOf(failure),
      isHtml: trouble?.isHtml === true,
      ...(trouble?.isRedirected === true ? { isRedirected: true } : {}),
    };
  }

  #way(triedOlder: boolean): string {
    const { address } = this.#target;
    if (address.kind === 'stdio') return 'the program of the operator’s configuration';
    const url = new URL(address.url);
    const older = triedOlder ? ', then over SSE' : '';
    return `${maskUrl(`${url.origin}${url.pathname}`)} over Streamable HTTP${older}`;
  }

  #note(name: DoctorCheckName, check: DoctorCheckResult): void {
    this.#checks[name] = check;
    this.#options.onCheck?.(name, check);
  }

  #report(): DoctorFindings {
    const checks = this.#checks as Record<DoctorCheckName, DoctorCheckResult>;
    const initInfo = this.#connection?.initInfo ?? null;
    const failure = this.#failure;
    return {
      generatedAt: new Date().toISOString(),
      status: this.#status(),
      probe: this.#probe?.facts ?? null,
      connection:
        initInfo === null
          ? { status: 'error', detail: failure?.message ?? 'No connection was made.' }
          : { status: 'connected', detail: checks.connection.detail },
      initInfo,
      capabilities: initInfo?.serverCapabilities ?? null,
      ...this.#items,
      excludedTools: this.#connection?.excluded ?? [],
      revisions: this.#revisions,
      checks,
      error: failure === undefined ? null : callFailureAnswer(failure),
    };
  }

  #status(): DoctorFindings['status'] {
    if (this.#failure?.code === 'OAUTH_REQUIRED') return 'oauth_required';
    if (this.#connection === undefined) return 'error';
    return this.#failure === undefined ? 'ready' : 'partial';
  }
}

const lists = ['tools', 'resources', 'resourceTemplates', 'prompts'] as const;

/**
 * The number of steps: the probe, the connection, and one for each list. No step takes longer than
 * one call.
 */
export const stepsOfExamination = 2 + lists.length;

const listWords = {
  tools: { capability: 'tools', noun: 'tool', method: 'tools/list' },
  resources: { capability: 'resources', noun: 'resource', method: 'resources/list' },
  resourceTemplates: {
    capability: 'resources',
    noun: 'resource template',
    method: 'resources/templates/list',
  },
  prompts: { capability: 'prompts', noun: 'prompt', method: 'prompts/list' },
} as const;

const transportNames = {
  'streamable-http': 'Streamable HTTP',
  sse: 'SSE',
  stdio: 'standard input and output',
};

/** Failures of the handshake that can come from a server that was reached and rejected it. */
const handshakeReasons = new Set([
  'SERVER_ERROR',
  'PROTOCOL_VERSION',
  'INVALID_PARAMS',
  'INVALID_RESPONSE',
  'RESPONSE_TOO_LARGE',
  'CONNECTION_CLOSED',
  'TIMEOUT',
]);

const answeringReasons = new Set(['SERVER_ERROR', 'PROTOCOL_VERSION', 'INVALID_RESPONSE']);

const silentReasons = new Set(['CONNECTION_CLOSED', 'TIMEOUT']);

const notReached: DoctorCheckResult = {
  status: 'skipped',
  detail: 'Not checked, because there is no connection.',
};

function since(startedAtMs: number): number {
  return Math.round(performance.now() - startedAtMs);
}
