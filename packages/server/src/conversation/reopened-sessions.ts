/**
 * Sessions that were lost during a trial and reopened. This alone is no failure, but the server has
 * lost the state of the old session, which may explain a later failure.
 */
import { type TrialWarning, trialSentence } from '@proofmark/domain';

export interface ReopenedSession {
  readonly serverName: string;
  readonly atMs: number;
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
   * Text to append to a sentence about a failure. Empty if no session with the server was lost
   * before.
   */
  noteFor(serverName?: string): string {
    const last = this.kept.findLast(
      (one) => serverName === undefined || one.serverName === serverName,
    );
    return last === undefined ? '' : ` ${sentenceOf(last)}`;
  }

  /** One warning for each server that lost a session, with the server's index in the run. */
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

/** Limits the record of a server that loses every session. */
const mostKept = 20;
