/**
 * Shows a turn to its person: the answer and the called tools. Also asks the person before tool
 * calls that need approval. An approval applies to one call with the shown arguments and the tool's
 * definition at that time.
 */
import { setTimeout as after } from 'node:timers/promises';
import {
  type ApprovalDecision,
  canonicalJson,
  storableText,
  type VisitorMessage,
  visitBounds,
} from '@proofmark/domain';
import type { TurnWatcher, WatchedCall } from '../../conversation/turn-watcher.ts';
import { sha256Hex } from '../../kernel/sha256-hex.ts';
import type { Database, Sql } from '../../platform/database/database.ts';
import type { ShownResult } from './shown-result.ts';
import type { TurnBeats } from './turn-beats.ts';
import type { TurnLines } from './turn-lines.ts';
import type { NewApproval } from './turn-rows.ts';

export interface TurnToWatch {
  readonly database: Database;
  readonly beats: TurnBeats;
  readonly lines: TurnLines;
  readonly turn: { readonly id: string; readonly organizationId: string };
  asksFirst(call: WatchedCall): boolean;
  newApprovalId(): string;
  readonly approvals: {
    insert(sql: Sql, approval: NewApproval): Promise<{ readonly expiresAt: Date } | undefined>;
    /**
     * Returns whether the turn may continue after a decision about a call. False if no slot is
     * free; the caller then polls.
     */
    resume(sql: Sql, turnId: string): Promise<boolean>;
  };
  shown(output: CalledOutput): ShownResult;
  /**
   * Returns the current definition of the tool, or undefined if the server does not list it or
   * cannot be reached.
   */
  listedNow(serverId: string, toolName: string, signal: AbortSignal): Promise<unknown>;
}

export class WatchedTurn implements TurnWatcher {
  readonly messages: VisitorMessage[] = [];
  readonly #parts: TurnToWatch;
  readonly saying?: (soFar: string) => void;
  #count = 0;

  constructor(parts: TurnToWatch) {
    this.#parts = parts;
    const { lines } = parts;
    if (lines.showsPieces) this.saying = (soFar) => lines.showSoFar(soFar);
  }

  /** Stores an answer that was interrupted, as far as the person saw it. */
  stopped(): void {
    this.answered(this.#parts.lines.endAnswer());
  }

  answered(text: string): void {
    this.#parts.lines.endAnswer();
    if (text === '') return;
    this.messages.push({ role: 'assistant', text, createdAt: Date.now() });
    this.#parts.lines.openAndAdd({ type: 'text', text });
  }

  async mayCall(call: WatchedCall, signal: AbortSignal): Promise<{ denied: string } | undefined> {
    const { lines, asksFirst, beats, turn } = this.#parts;
    const { toolName, serverName } = call.offered;
    this.#count += 1;
    this.messages.push({ role: 'tool', text: '', toolName, createdAt: Date.now() });
    lines.openAndAdd({
      type: 'tool_call',
      callId: this.#callId,
      toolName,
      serverName,
      arguments: call.input,
    });
    const refused = asksFirst(call) ? await this.#ask(call, signal) : undefined;
    if (refused === undefined) await beats.lookAt(turn.id);
    if (refused === undefined) return undefined;
    lines.openAndAdd({
      type: 'tool_result',
      callId: this.#callId,
      isError: true,
      text: refused.shown,
    });
    return { denied: refused.modelMessage };
  }

  called(_: WatchedCall, output: CalledOutput): void {
    // Redacts secrets before the text is cut. Otherwise the cut could leave the beginning of a
    // secret, which redaction does not recognize.
    const shown = this.#parts.shown(this.#parts.lines.redact(output));
    this.#parts.lines.openAndAdd({ type: 'tool_result', callId: this.#callId, ...shown });
  }

  /**
   * The id of the current call. The calls of a turn run one after another, so their number
   * identifies them.
   */
  get #callId(): string {
    return `call_${this.#count}`;
  }

  async #ask(call: WatchedCall, signal: AbortSignal): Promise<Denial | undefined> {
    const { database, beats, lines, turn, approvals, newApprovalId, listedNow } = this.#parts;
    const { organizationId } = turn;
    const { toolName, serverName, serverId, tool } = call.offered;
    // Arguments with secrets cannot be approved: the person must not see the secrets, and redacted
    // arguments would differ from those that the tool gets.
    if (lines.redact(call.input) !== call.input) return unseen;
    const args = canonicalJson(call.input);
    const argumentsHash = sha256Hex(args);
    const definitionHash = definitionOf(tool);
    const id = newApprovalId();
    const asked = await database.tenant([organizationId], (sql) =>
      approvals.insert(sql, {
        id,
        organizationId,
        turnId: turn.id,
        callId: this.#callId,
        toolName: storableText(toolName),
        serverName: storableText(serverName),
        arguments: args,
        argumentsHash,
        definitionHash,
        lifetimeMs: visitBounds.approvalMs,
      }),
    );
    // The approval was not stored, because the turn is no longer running. The next check of the
    // turn throws the reason.
    if (asked === undefined) return denials.deny;
    lines.openAndAdd({
      type: 'approval_required',
      approvalId: id,
      callId: this.#callId,
      argumentsHash,
      expiresAt: asked.expiresAt.getTime(),
    });
    const decision = await beats.decision({ id, organizationId }, signal);
    while (!(await database.tenant([organizationId], (sql) => approvals.resume(sql, turn.id))))
      await after(visitBounds.beatMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    if (decision !== 'approve') return denials[decision];
    const now = await listedNow(serverId, toolName, signal);
    return now !== undefined && definitionOf(now) === definitionHash ? undefined : changed;
  }
}

type CalledOutput = Parameters<TurnWatcher['called']>[1];

/** The messages about a rejected call: `told` is for the model, `shown` is for the visitor. */
interface Denial {
  readonly modelMessage: string;
  readonly shown: string;
}

const denials: Readonly<Record<Exclude<ApprovalDecision, 'approve'> | 'expired', Denial>> = {
  deny: { modelMessage: 'The user denied this call, so it was not made.', shown: 'Denied.' },
  expired: {
    modelMessage: 'The user did not approve this call in time, so it was not made.',
    shown: 'Not approved in time.',
  },
};

const unseen: Denial = {
  modelMessage:
    'The tool was not called: its arguments hold a secret of a server, so the user may not see and approve them.',
  shown: 'Its arguments hold a secret that cannot be shown, so it was not called.',
};

const changed: Denial = {
  modelMessage: 'The tool was changed while the user was deciding, so it was not called.',
  shown: 'The tool has changed since you were asked to approve it, so it was not called.',
};

function definitionOf(tool: unknown): string {
  return sha256Hex(canonicalJson(tool));
}
