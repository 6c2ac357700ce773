/**
 * Servers that write to their standard output what is no message of the protocol. It is passed over, as the official
 * clients do, and it is no failure; other clients may fail by it, so the trial warns.
 */
import { type TrialWarning, trialSentence } from '@proofmark/domain';

export class NoisyServers {
  readonly #firstLines = new Map<string, string>();

  add(serverName: string, line: string): void {
    if (!this.#firstLines.has(serverName)) this.#firstLines.set(serverName, line);
  }

  /** One for each server, by its place among the servers of the run. */
  warnings(
    servers: readonly { readonly name: string }[],
    redact: <Kept>(kept: Kept) => Kept = (kept) => kept,
  ): TrialWarning[] {
    return servers.flatMap(({ name }, index) => {
      const line = this.#firstLines.get(name);
      if (line === undefined) return [];
      const message = redact(
        trialSentence(
          `The server ${JSON.stringify(name)} writes to its standard output what is no message of the protocol, by which some clients fail: ${line}`,
        ),
      );
      return [{ path: `servers[${index}]`, code: 'STDOUT_NOISE', message }];
    });
  }
}
