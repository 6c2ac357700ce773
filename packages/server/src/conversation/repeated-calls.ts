/**
 * Calls of a trial that got no answer in time while other calls of ours were with the same server, and were made once more,
 * alone. It is no failure by itself, and whoever reads the trial is told.
 */
import { secondsText, type TrialWarning, trialSentence } from '@proofmark/domain';

interface RepeatedCall {
  readonly serverName: string;
  readonly what: string;
  readonly afterMs: number;
}

export class RepeatedCalls {
  readonly #kept: RepeatedCall[] = [];

  add(call: RepeatedCall): void {
    if (this.#kept.length < mostKept) this.#kept.push(call);
  }

  /** Those of calls that are noted apart from the trial. */
  takeFrom(other: RepeatedCalls): void {
    for (const call of other.#kept) this.add(call);
  }

  /** One for each server, by its place among the servers of the run. */
  warnings(servers: readonly { readonly name: string }[]): TrialWarning[] {
    return servers.flatMap(({ name }, index) => {
      const calls = this.#kept.filter(({ serverName }) => serverName === name);
      const [first] = calls;
      if (first === undefined) return [];
      const more = calls.length === 1 ? '' : ` So were ${calls.length - 1} more of its calls.`;
      const message = trialSentence(`${sentenceOf(first)}${more}`);
      return [{ path: `servers[${index}]`, code: 'CALL_REPEATED', message }];
    });
  }
}

function sentenceOf({ serverName, what, afterMs }: RepeatedCall): string {
  return `${what} got no answer within ${secondsText(afterMs)} while other calls of ours were with the server ${JSON.stringify(serverName)}, so it was made once more, alone.`;
}

const mostKept = 20;
