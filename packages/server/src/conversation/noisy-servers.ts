/**
 * Servers that write lines to their standard output that are no protocol messages. As in the
 * official clients, these lines are skipped and are no failure. Because other clients may fail on
 * them, the trial gets a warning.
 */
import { type TrialWarning, trialSentence } from '@proofmark/domain';

export class NoisyServers {
  readonly #firstLines = new Map<string, string>();

  add(serverName: string, line: string): void {
    if (!this.#firstLines.has(serverName)) this.#firstLines.set(serverName, line);
  }

  /** Returns a warning for each server that wrote non-protocol lines, with its index in the run. */
  warnings(
    servers: readonly { readonly name: string }[],
    redact: <Kept>(kept: Kept) => Kept = (kept) => kept,
  ): TrialWarning[] {
    return servers.flatMap(({ name }, index) => {
      const line = this.#firstLines.get(name);
      if (line === undefined) return [];
      const message = redact(
        trialSentence(
          `The server ${JSON.stringify(name)} writes text that is not an MCP message to its standard output, which breaks some clients: ${line}`,
        ),
      );
      return [{ path: `servers[${index}]`, code: 'STDOUT_NOISE', message }];
    });
  }
}
