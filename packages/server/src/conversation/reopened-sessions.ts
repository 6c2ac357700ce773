/**
 * Sessions that were lost during a trial and reopened. That alone is no failure, but the server has
 * lost the state that it kept in the old session, which readers of a later failure must know.
 */
import { type TrialWarning, trialSentence } from '@proofmark/domain';

export interface ReopenedSession {
  readonly serverName: string;
  readonly atMs: number;
  /** Why the session was lost, as a sentence. */
  readonly reason: string;
}

export class ReopenedSessions {
  readonly kept: ReopenedSession[] = [];
  readonly #nowMs: () => number;
  readonly #redact: <Kept>(kept: Kept) => Kept;

  constructor(nowMs: () => number, redact: <Kept>(kept: Kept) => Kept = (kept) => kept) {
    this.#nowMs = nowMs;
    this.#redact = redact;
  }

  add(serverName: string, reason: string): void {
    if (this.kept.length >= mostKept) return;
    const atMs = Math.max(0, Math.round(this.#nowMs()));
    this.kept.push({ serverName, atMs, reason: this.#redact(trialSentence(reason)) });
  }

  /**
   * Returns text to append to a sentence about a failure; empty if no session with the server had
   * been lost before.
   */
  noteFor(serverName?: string): string {
    const last = this.kept.findLast(
      (one) => serverName === undefined || one.serverName === serverName,
    );
    return last === undefined ? '' : ` ${sentenceOf(last)}`;
  }

  /** Returns a warning for each server that lost a session, with the server's index in the run. */
  warnings(servers: readonly { readonly name: string }[]): TrialWarning[] {
    return servers.flatMap(({ name }, index) => {
      const first = this.kept.find(({ serverName }) => serverName === name);
      if (first === undefined) return [];
      const path = `servers[${index}]`;
      return [{ path, code: 'SESSION_REOPENED', message: sentenceOf(first) }];
    });
  }
}

function sentenceOf({ serverName, reason }: ReopenedSession): string {
  return `The session with ${JSON.stringify(serverName)} was lost during the trial and opened anew, so the server may not remember what was done before: ${reason}`;
}

/** The maximum number of recorded losses, for a server that loses every session. */
const mostKept = 20;
