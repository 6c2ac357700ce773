/**
 * Calls that timed out while other calls of Proofmark to the same server were in flight. They were
 * then repeated with no other call in flight. The trial gets a warning but does not fail.
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

  takeFrom(other: RepeatedCalls): void {
    for (const call of other.#kept) this.add(call);
  }

  /** One warning for each server with a repeated call, with the server's index in the run. */
  warnings(servers: readonly { readonly name: string }[]): TrialWarning[] {
    return servers.flatMap(({ name }, index) => {
      const calls = this.#kept.filter(({ serverName }) => serverName === name);
      const [first] = calls;
      if (first === undefined) return [];
      const more =
        calls.length === 1 ? '' : ` The same happened to ${calls.length - 1} more of its calls.`;
      const message = trialSentence(`${sentenceOf(first)}${more}`);
      return [{ path: `servers[${index}]`, code: 'CALL_REPEATED', message }];
    });
  }
}

function sentenceOf({ serverName, what, afterMs }: RepeatedCall): string {
  return `${what} got no answer within ${secondsText(afterMs)} while the server ${JSON.stringify(serverName)} was processing other calls from Proofmark, so Proofmark repeated the call without other calls.`;
}

const mostKept = 20;
