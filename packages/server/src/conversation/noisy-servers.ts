/**
 * Servers that write lines to standard output that are no protocol messages. Like the official
 * clients, Proofmark skips such lines without a failure. Other clients may fail, so the trial gets
 * a warning.
 */
import { type TrialWarning, trialSentence } from '@proofmark/domain';

export class NoisyServers {
  readonly #firstLines = new Map<string, string>();

  add(serverName: string, line: string): void {
    if (!this.#firstLines.has(serverName)) this.#firstLines.set(serverName, line);
  }

  /** One warning for each such server, with the server's index in the run. */
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
