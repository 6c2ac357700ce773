import {
  type ConversationMessage,
  canonicalJson,
  evidenceOfEnd,
  type SessionCall,
  type SessionEnd,
  type SessionEvidence,
  sumUsage,
} from '@proofmark/domain';
import { sha256Hex } from '../kernel/sha256-hex.ts';
import type { ServerEvent } from '../outside/mcp/server-events.ts';
import { listedForAssertions } from './listed-for-assertions.ts';
import { observedTools } from './observed-tools.ts';
import type { OfferedTools } from './offered-tools.ts';
import type { OpenedServers } from './run-servers.ts';
import type { SessionProgress, SessionRecord } from './session-record.ts';
import type { SimulatedUser } from './simulated-user.ts';
import { traceOf } from './trace-of.ts';
import { listChanged, TrialLog } from './trial-log.ts';

export class SessionLog extends TrialLog {
  /** The messages of the conversation. The simulated user gets nothing else. */
  readonly conversation: ConversationMessage[] = [];
  readonly #user: Pick<SimulatedUser, 'intents'>;
  #opened: OpenedServers | undefined;
  #openedMs = 0;
  #offered: OfferedTools | undefined;

  constructor(elapsedMs: () => number, user: Pick<SimulatedUser, 'intents'>) {
    super(elapsedMs);
    this.#user = user;
  }

  /**
   * Notes that a server announced changed tools. A session ignores all other unsolicited messages.
   */
  override readonly onServerEvent = (serverName: string, event: ServerEvent): void => {
    const isAnnounced = 'method' in event && event.method === listChanged;
    if (isAnnounced || 'mayHaveChanged' in event) this.changedLists.add(serverName);
  };

  openedServers(opened: OpenedServers): void {
    this.#opened = opened;
    this.changedLists.clear();
    this.excludeToolsOf(opened);
    this.listedTools = listedForAssertions(opened);
    this.#openedMs = this.nowMs();
  }

  offered(tools: OfferedTools): void {
    this.#offered = tools;
  }

  progress(): SessionProgress {
    const first = this.conversation[0]?.text;
    return {
      trace: this.#trace(),
      messageCount: this.conversation.filter(({ text }) => text !== '').length,
      preview: first ?? null,
      turnCount: this.conversation.filter(({ by }) => by === 'user').length,
      toolCallCount: this.toolCalls.length,
      toolErrorCount: this.toolErrors.length,
      usage: sumUsage(this.usages),
      intents: this.#user.intents(),
    };
  }

  finish(end: SessionEnd): SessionRecord {
    return {
      ...this.progress(),
      evidence: this.#evidence(end),
      transcriptHash: this.#hash(),
      refusedCalls: [...this.refusedCalls],
      errorCode: end.kind === 'notPlayed' ? end.errorCode : null,
      toolSurface: this.#opened?.surface ?? null,
    };
  }

  /**
   * Hashes the messages, the calls and whether each call failed, because sessions with equal
   * messages may have made different calls.
   */
  #hash(): string {
    const errors = new Map(this.toolErrors.map(({ spanId, kind }) => [spanId, kind]));
    const turns = this.callsOfTurns.map((calls) =>
      calls.map((call) => {
        const { toolName, serverId = null, notMade = null } = call;
        const error = errors.get(this.spanIdOf(call) ?? '') ?? null;
        return [serverId, toolName, call.arguments, notMade, error];
      }),
    );
    return sha256Hex(canonicalJson([this.conversation.map(({ by, text }) => [by, text]), turns]));
  }

  #trace() {
    const played = { log: this, opened: this.#opened, openedMs: this.#openedMs };
    const asked = this.conversation.filter(({ by }) => by === 'user');
    const prompts = this.callsOfTurns.map((calls, promptIndex) => ({
      promptIndex,
      prompt: asked[promptIndex]?.text ?? '',
      actualToolCalls: calls,
    }));
    return traceOf(played, { prompts, steps: [] });
  }

  #evidence(end: SessionEnd): SessionEvidence {
    const evidence =
      end.kind === 'notPlayed' ? evidenceOfEnd(end) : { status: 'completed' as const };
    return {
      evidenceVersion: 1,
      seen: {
        tracePresent: evidence.status !== 'setup_failed',
        ...observedTools(this, this.#opened),
        ...evidence,
      },
      transcript: this.transcript(),
      turns: this.callsOfTurns.map((calls) =>
        calls.map((call): SessionCall => {
          const spanId = this.spanIdOf(call);
          return spanId === undefined ? call : { ...call, spanId };
        }),
      ),
      toolsOffered: this.#offered?.ofServers ?? [],
      end,
    };
  }
}
